// The exam room: shows frames from the server as a conversation and sends what is typed as answers.
// The server owns the exam. The browser keeps the number of the last frame, the draft, and what the server has not
// confirmed yet, which it sends again until it is.
(() => {
  "use strict";
  const self = document.currentScript.dataset;
  const at = (id) => document.getElementById(id);
  const talk = at("talk"), box = at("answer"), state = at("state"), banner = at("banner");
  const draftKey = `heydpe.draft.${self.exam}`, sentKey = `heydpe.sent.${self.exam}`;
  // Pauses between attempts grow to LONGEST_PAUSE_MS and vary by a third: the browser is back within four seconds of
  // the server, and a school's browsers do not reconnect all at once.
  const SLOW_AFTER_MS = 8000, PING_EVERY_MS = 25000, SILENT_MS = 20000, CONNECT_MS = 10000;
  const SHORTEST_PAUSE_MS = 300, LONGEST_PAUSE_MS = 2500, CALM_MS = 5000, TOLD_MS = 4000;

  let socket = null, lastSeq = 0, turn = null, finished = false, superseded = false;
  let slowTimer = null, slow = false, live = null, judged = null, remark = null;
  const failed = new Set(JSON.parse(at("failed-tasks").textContent)); // Tasks whose failure has been told

  // ---- small builders: text goes in as text, never as markup
  const el = (tag, cls, text) => {
    const node = document.createElement(tag);
    if (cls) node.className = cls;
    if (text !== undefined && text !== null) node.textContent = text;
    return node;
  };
  const memory = new Map(); // where the browser keeps nothing
  const store = {
    get: (key) => { try { return localStorage.getItem(key); } catch { return memory.get(key) || null; } },
    set: (key, value) => { try { value ? localStorage.setItem(key, value) : localStorage.removeItem(key); } catch { memory.set(key, value); } },
  };
  const pending = () => JSON.parse(store.get(sentKey) || "null");
  const newId = () => crypto.randomUUID ? crypto.randomUUID() : `${Date.now()}-${Math.random().toString(16).slice(2)}`;
  const say = (text) => { state.textContent = text; };
  const warn = (text, action) => {
    banner.replaceChildren(document.createTextNode(text));
    if (action) { const link = el("a", "", action.label); link.href = action.href; banner.append(" ", link); }
    banner.hidden = !text;
  };
  const send = (frame) => {
    if (isOpen()) { socket.send(JSON.stringify(frame)); return true; }
    return false;
  };

  // ---- scrolling: the composer covers the bottom of the window, so new text is scrolled above it
  const GAP = 14;
  const composer = at("composer"), asking = at("asking");
  function reveal(node) {
    const cover = composer.getBoundingClientRect(), end = composer.hidden ? window.innerHeight : cover.top;
    if (!composer.hidden && cover.bottom < window.innerHeight - 1) return; // it stands below the text and covers nothing
    window.scrollBy(0, Math.max(0, node.getBoundingClientRect().bottom + GAP - end));
  }
  // Show a verdict from its top, even if the next question is then below the window. The line with the place in the
  // oral lies over the top of the window, and on a phone the folded flight below it.
  const FOLDED = 60, head = document.querySelector(".room-head");
  function revealFrom(node) {
    const over = flight && matchMedia("(max-width: 56rem)").matches ? Math.min(flight.offsetHeight, FOLDED) : 0;
    const above = node.getBoundingClientRect().top - GAP - head.offsetHeight - over;
    if (above < 0) window.scrollBy(0, above);
  }
  // The composer repeats the open question while the question itself is out of sight.
  let watched = null;
  const watcher = new IntersectionObserver((seen) => { asking.hidden = seen[seen.length - 1].isIntersecting; },
    { rootMargin: `-${head.offsetHeight}px 0px -${composer.offsetHeight}px 0px`, threshold: 0.95 });
  const CALLED = { opening: "Next question", bridge: "Next question", probe: "Follow-up", hint: "Hint", qualification: "Question" };
  function watch(bubble, frame) {
    if (watched) watcher.unobserve(watched.querySelector(".words"));
    watched = bubble; asking.replaceChildren(el("b", "", CALLED[frame.form] || "Question"), ` ${frame.text}`); asking.hidden = true;
    watcher.observe(bubble.querySelector(".words"));
  }
  asking.addEventListener("click", () => { if (watched) { watched.scrollIntoView({ block: "center" }); box.focus({ preventScroll: true }); } });

  // ---- what the frames look like
  const FORMS = { opening: "", probe: "Follow-up", hint: "Hint", bridge: "", qualification: "Qualification" };
  const WORDS = JSON.parse(at("badge-words").textContent); // what the badges say, as in the report

  const citationLink = (citation) => {
    const link = el("a", "cite", citation.label || citation.document);
    link.href = citation.url; link.target = "_blank"; link.rel = "noopener";
    return link;
  };

  function showQuestion(frame) {
    const again = remark && (remark.turn === frame.turn || frame.form === "probe") ? remark.text : ""; // why the question stands, or what leads to the follow-up
    turn = frame.turn; remark = null; stopLive(); at("consent").hidden = true; composer.hidden = false;
    for (const past of talk.querySelectorAll("details.look-up")) past.remove();
    const bubble = el("div", "said examiner"); bubble.dataset.turn = frame.turn;
    const meta = el("p", "meta", "Examiner");
    if (FORMS[frame.form]) meta.append(el("span", "badge plain", FORMS[frame.form]));
    if (frame.element) meta.append(el("span", "", frame.element));
    bubble.append(meta);
    if (again) bubble.append(el("p", "reply", again));
    if (frame.transition) bubble.append(el("p", "lead", frame.transition));
    bubble.append(el("p", "words", frame.text));
    const cards = (frame.givens || []).filter((given) => given.kind === "card");
    if (cards.length) bubble.append(folder(cards));
    if (at("skip")) at("skip").hidden = frame.form !== "qualification";
    if (at("hint")) at("hint").hidden = frame.form === "qualification";
    for (const given of frame.givens || []) { if (given.kind === "card") continue; if (["change", "settled"].includes(given.kind)) changeFlight(given); else bubble.append(artifact(given)); }
    for (const image of frame.images || []) {
      if (!image.url) continue;
      const picture = el("img", "figure"); picture.src = image.url; picture.alt = image.figure_label || "Figure";
      bubble.append(picture);
    }
    keepOnTable(bubble, frame);
    if ((frame.citations || []).length && self.manner === "coach") bubble.append(foldedSources(frame));
    talk.append(bubble); reveal(bubble); watch(bubble, frame);
    if (cards.length) revealFrom(bubble);
    if (judged) { revealFrom(judged); judged = null; }
    showPlace(frame);
    ready();
    document.dispatchEvent(new CustomEvent("heydpe:said", { detail: [frame.transition, frame.text].filter(Boolean).join(" ") }));
  }

  // The flight of a mock oral lies beside the talk; what changes on the way is added to it.
  const flight = at("flight");
  if (flight && matchMedia("(max-width: 56rem)").matches) flight.open = false;
  function changeFlight(given) {
    if (!flight) return;
    const list = flight.querySelector("dl");
    const known = [...list.querySelectorAll(".change dt")].find((name) => name.textContent === given.name);
    if (known) { known.nextElementSibling.textContent = given.value; return; }
    const row = el("div", "change"); row.append(el("dt", "", given.name), el("dd", "", given.value));
    list.prepend(row);
    flight.querySelector(".badge").textContent = "changed";
  }

  // A follow-up is about what was shown with its question, which has scrolled away: it lies folded with it again.
  let table = { about: "", shown: [] };
  function keepOnTable(bubble, frame) {
    const about = frame.form === "qualification" ? frame.form : frame.element;
    const shown = [...bubble.querySelectorAll(".artifact, img.figure, .folder dl")];
    if (about !== table.about || frame.form === "opening") table = { about, shown: [] };
    if (!shown.length && table.shown.length) {
      const again = el("details", "again");
      again.append(el("summary", "", frame.form === "qualification" ? "The papers again" : "What is on the table"), ...table.shown.map((one) => one.cloneNode(true)));
      bubble.append(again);
    }
    table.shown.push(...shown);
  }

  // The cards of a qualification, as they lie in the folder.
  function folder(cards) {
    const open = el("details", "folder"), list = el("dl", "flight-givens");
    open.open = true; open.append(el("summary", "", `${cards.length} papers`), list);
    for (const card of cards) { const row = el("div"); row.append(el("dt", "", card.name), el("dd", "", card.value)); list.append(row); }
    return open;
  }
  // What came of it. The questions follow, whatever it is.
  function showQualified(frame) {
    const bubble = el("div", "said examiner qualified"), meta = el("p", "meta", "Examiner");
    const look = { ready: "satisfactory", "not today": "partial" }[frame.outcome] || "plain";
    meta.append(el("span", `badge ${look}`, frame.outcome)); bubble.append(meta, el("p", "words", frame.text));
    const list = el("ul", "points");
    for (const fault of frame.faults) {
      const row = el("li"), what = el("div", "expected"); what.append(el("p", "label", fault.card), el("p", "expectation", fault.what));
      what.append(fault.citation ? quoted(fault.citation) : el("p", "soft", `Look it up in ${fault.rule}.`)); row.append(what); list.append(row);
    }
    if (frame.faults.length) bubble.append(list);
    talk.append(bubble); reveal(bubble); judged = bubble;
  }

  // An artifact: a METAR, a loading sheet, a page of a logbook. Its columns stay as typed; a list of names with what
  // stands beside each is set as one, so that it wraps on a phone.
  function artifact(given) {
    const sheet = el("figure", given.kind === "metar" ? "artifact wraps" : "artifact");
    sheet.append(el("figcaption", "", given.name));
    const rows = given.value.split("\n").filter((line) => line.trim()).map((line) => line.trim().split(/\s{2,}/));
    if (rows.length > 1 && rows.every((cells) => cells.length === 2)) {
      const list = el("dl", "pairs");
      for (const [name, value] of rows) list.append(el("dt", "", name), el("dd", "", value));
      sheet.append(list);
    } else {
      const text = el("pre", "", given.value); text.tabIndex = 0;
      sheet.append(text);
    }
    return sheet;
  }

  function showPlace(frame) {
    const budget = frame.budget || {}, bar = at("done");
    at("budget").textContent = budget.planned ? `Question ${Math.min(budget.asked + 1, budget.planned)} of ${budget.planned}` : "";
    bar.hidden = !budget.planned; bar.max = budget.planned || 1; bar.value = budget.asked || 0;
    for (const task of document.querySelectorAll("[data-task]")) {
      if (frame.element.startsWith(`${task.dataset.task}.`)) task.setAttribute("aria-current", "step"); else task.removeAttribute("aria-current");
    }
  }

  // Opening the sources is a look-up: the server records it, and only then sends the text.
  function foldedSources(frame) {
    const fold = el("details", "soft look-up"); fold.dataset.turn = frame.turn;
    fold.append(el("summary", "", "Look it up (noted in the report)"));
    for (const source of frame.citations) fold.append(el("p", "", source.label || source.document));
    fold.addEventListener("toggle", () => { if (fold.open && !fold.dataset.filled) act({ type: "look_up", turn: frame.turn }); });
    return fold;
  }

  function showSources(frame) {
    const fold = talk.querySelector(`details.look-up[data-turn="${frame.turn}"]`);
    if (!fold) return; // the next question is out
    fold.dataset.filled = ""; fold.open = true;
    const quotes = new Set(), once = frame.citations.filter((one) => !quotes.has(one.quote) && quotes.add(one.quote));
    fold.replaceChildren(fold.firstElementChild, ...once.map((one) => quoted(one)));
  }

  function showStudent(text, id) {
    if (talk.querySelector(`[data-answer="${CSS.escape(id)}"]`)) return;
    const bubble = el("div", "said student", text); bubble.dataset.answer = id;
    talk.append(bubble); reveal(bubble);
    if (thinking) talk.append(thinking);
  }

  // One expectation with its source sentence, next to what the student said. A sentence that stands above already is
  // not quoted again.
  function pointRow(point, citations, above) {
    const row = el("li"), extra = point.met === "missing" && point.importance === "should";
    const badge = el("span", extra ? "badge" : `badge ${point.met}`, extra ? "Could be added" : WORDS[point.met] || point.met);
    const expected = el("div", "expected"), yours = el("div", "yours");
    const sources = (point.citations || []).map((n) => citations.find((c) => c.n === n)).filter(Boolean);
    expected.append(el("p", "label", "Expected"));
    if (!sources.some((source) => !above.has(source.quote) && holds(source.quote, point.expectation))) expected.append(el("p", "expectation", point.expectation));
    if (!sources.length) expected.append(el("p", "soft", "Read it from what is on the table."));
    // A lead-in or a table's head states nothing alone: it stands before what it leads to.
    const lead = sources.slice(1).find((source) => source.chunk_id === sources[0].chunk_id && /[:—–]\s*$|^[^|]*\|[^.]*$/.test(source.quote));
    for (const source of sources.filter((one) => one !== lead)) expected.append(quoted(lead && source === sources[0] ? { ...source, quote: `${lead.quote} … ${source.quote}` } : source, above));
    const label = el("p", "label", "Your answer "); label.append(badge); yours.append(label);
    if (point.said) yours.append(el("p", "words", `“${point.said}”`));
    if (point.why && point.why !== NOT_SAID) yours.append(el("p", "why", point.why));
    row.append(expected, yours);
    return row;
  }
  const NOT_SAID = "Not said."; // the badge says it
  const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const holds = (quote, statement) => plain(quote).includes(plain(statement));
  function quoted(source, above = new Set()) {
    const figure = el("figure"), from = el("figcaption"), repeated = above.has(source.quote);
    above.add(source.quote);
    if (repeated) from.append("Also in the passage above: ");
    from.append(citationLink(source));
    const section = source.section && !source.label.includes(source.section) ? source.section : "";
    const rest = [section, source.edition].filter(Boolean).join(" · ");
    if (rest) from.append(el("span", "soft", ` · ${rest}`));
    if (!repeated) figure.append(el("blockquote", "", `“${source.quote}”`));
    figure.append(from);
    return figure;
  }

  function showAssessment(frame) {
    const sent = pending(), fresh = Boolean(sent) && sent.id === frame.answer_id;
    if (fresh) store.set(sentKey, null);
    clearTimeout(slowTimer); slow = false; stopLive(); warn("");
    if (frame.answer) showStudent(frame.answer, frame.answer_id);
    if (!frame.final) { say(""); remark = { turn: frame.turn, text: frame.feedback }; return; }
    if (frame.withheld && frame.final) { // a checkride: only that the answer was taken
      const taken = el("p", "soft taken", frame.feedback); taken.dataset.turn = frame.turn;
      say(""); talk.append(taken); reveal(taken); return;
    }
    const card = el("div", `verdict ${frame.verdict}`); card.dataset.turn = frame.turn;
    const head = el("div", "row spread");
    head.append(el("span", `badge ${frame.verdict}`, WORDS[frame.verdict]));
    head.append(el("span", "soft", frame.element));
    card.append(head);
    const shown = (frame.points || []).length > 0;
    // What stands after the empty line repeats the points listed below.
    const spoken = shown ? frame.feedback.split("\n\n")[0] : frame.feedback;
    for (const line of spoken.split("\n").filter(Boolean)) card.append(el("p", "spoken", line));
    if (frame.degraded) card.append(el("p", "soft", `Please note: ${frame.degraded}`));
    if (shown) {
      const list = el("ul", "points");
      const above = new Set();
      for (const point of frame.points) list.append(pointRow(point, frame.citations || [], above));
      card.append(list);
    }
    if ((frame.near || []).length) {
      const near = el("aside", "near"); near.append(el("p", "label", "Close to your words"));
      for (const source of frame.near) near.append(quoted(source));
      card.append(near);
    }
    if (frame.final) card.append(tools(frame.turn));
    talk.append(card); reveal(card);
    if (fresh) { judged = card; revealFrom(card); document.dispatchEvent(new CustomEvent("heydpe:said", { detail: spoken })); }
  }

  function tools(number) {
    const row = el("div", "row");
    const disagree = el("button", "quiet", "I disagree"); disagree.type = "button";
    disagree.addEventListener("click", () => disputeForm(row, disagree, number));
    row.append(disagree);
    for (const [fair, label] of [[true, "Fair question"], [false, "Unfair question"]]) {
      const button = el("button", "quiet", label); button.type = "button";
      button.addEventListener("click", () => {
        for (const other of row.querySelectorAll("[data-rate]")) other.disabled = true;
        act({ type: "rate", turn: number, fair }, () => { button.textContent = `${label} – noted`; });
      });
      button.dataset.rate = ""; row.append(button);
    }
    return row;
  }

  function disputeForm(row, button, number) {
    button.disabled = true;
    const note = el("textarea"); note.rows = 2; note.maxLength = 2000; note.placeholder = "What did the examiner get wrong? (a reviewer reads it)";
    note.setAttribute("aria-label", "Why you disagree");
    const go = el("button", "", "Send to a reviewer"); go.type = "button";
    go.addEventListener("click", () => {
      note.readOnly = go.disabled = true;
      act({ type: "dispute", turn: number, note: note.value }, () => {
        note.replaceWith(el("span", "soft", "Sent to a reviewer. The verdict stands until they decide.")); go.remove();
      });
    });
    row.append(note, go); note.focus();
  }

  function showProgress(frame) {
    for (const area of frame.areas || []) for (const task of area.tasks || []) {
      const mark = document.querySelector(`[data-task="${CSS.escape(task.task)}"] [data-result]`);
      if (mark) { const open = task.result === "open";
        mark.className = `badge ${open ? "plain" : task.result}`; mark.textContent = open ? "" : (WORDS[task.result] || task.result); }
      if (self.manner === "checkride" && task.result === "unsatisfactory" && !failed.has(task.task)) { failed.add(task.task); askConsent(area.area, task.task); }
    }
  }
  // A failed Area is said at once; going on is the student's choice. The next question, or the end, takes the card away.
  function askConsent(area, task) {
    const title = document.querySelector(`[data-task="${CSS.escape(task)}"]`);
    at("consent-area").textContent = `Area ${area}${title ? `, ${title.dataset.area}` : ""}, is not satisfactory.`;
    lockConsent(false); at("consent").hidden = false; composer.hidden = true; reveal(at("consent")); at("go-on").focus({ preventScroll: true });
  }

  function lockConsent(locked) { for (const id of ["go-on", "stop-here"]) at(id).disabled = locked; }

  function showFinished(frame) {
    finished = true; stopLive(); at("done").value = at("done").max; at("budget").textContent = "Finished";
    for (const button of [at("pause"), at("end")]) button.hidden = true; store.set(draftKey, null); store.set(sentKey, null);
    at("composer").hidden = at("consent").hidden = true;
    const end = at("closing"); end.hidden = false; end.className = "card";
    const link = el("a", "button primary", "Read the report"); link.href = frame.report || self.report;
    const words = el("p", "words", frame.closing || "That's all I have for you. Thank you.");
    end.replaceChildren(el("h2", "", "This is the end of the oral."), words, el("p", "", frame.scope || ""), link);
    warn(""); link.focus({ preventScroll: true });
    end.scrollIntoView({ block: "nearest" }); if (judged) { revealFrom(judged); judged = null; }
  }

  function showToken(frame) {
    if (!live || live.dataset.turn !== String(frame.turn)) {
      stopLive(); live = el("div", "said examiner"); live.dataset.turn = frame.turn; live.append(el("p", "words")); talk.append(live);
    }
    live.firstElementChild.textContent += frame.delta; reveal(live);
  }
  function stopLive() { if (live) { live.remove(); live = null; } if (thinking) { thinking.remove(); thinking = null; } }

  function showError(frame) {
    if (!["ping", "dispute", "rate", "look_up"].includes(frame.about)) stopLive();
    if (frame.code === "superseded") { superseded = true; warn("This oral continues in another window.", { label: "Continue it here", href: location.href }); lock(); return; }
    if (frame.code === "repeated") return;
    if (frame.about === "ping") pongs += 1;
    if (["budget_spent", "school_budget_spent"].includes(frame.code) || (frame.code === "examiner_away" && frame.retryable)) {
      clearTimeout(slowTimer); lockConsent(false); say("Your answer is kept.");
      warn(frame.message, frame.retryable ? { label: "Try again", href: location.href } : undefined); return;
    }
    if (frame.retryable) { failedForNow(frame); return; }
    const sent = pending();
    if (sent && frame.about === "answer") { giveBack(sent); clearTimeout(slowTimer); say(""); }
    outbox = outbox.filter((one) => one.frame.type !== frame.about);
    lockConsent(false); warn(frame.message); ready();
  }
  // Put a refused answer back before what was typed since.
  function giveBack(sent) {
    box.value = box.value.trim() ? `${sent.text}\n${box.value}` : sent.text;
    store.set(draftKey, box.value); store.set(sentKey, null); dropBubble(sent.id);
  }
  const dropBubble = (id) => { const b = talk.querySelector(`[data-answer="${CSS.escape(id)}"]`); if (b) b.remove(); };

  // What waits is shown where the reply will stand; the line below the answer box says it to a screen reader.
  let thinking = null;
  function onTaken() { if (!slow) say("Received. The examiner is thinking…"); showThinking(); }
  function showThinking() {
    if (thinking) return;
    thinking = el("div", "said examiner waiting", "The examiner is thinking…"); thinking.setAttribute("aria-hidden", "true");
    talk.append(thinking); reveal(thinking);
  }

  const HANDLERS = { question: showQuestion, sources: showSources, qualified: showQualified, assessment: showAssessment, progress: showProgress,
    finished: showFinished, token: showToken, error: showError, taken: onTaken, pong: onPong };

  function receive(event) {
    const frame = JSON.parse(event.data);
    heard = performance.now();
    if (!(frame.type === "error" && frame.retryable)) served(frame);
    if (frame.seq !== undefined && frame.seq !== null) {
      if (frame.seq <= lastSeq) return;
      if (frame.seq > lastSeq + 1) { send({ type: "resume", last_seq: lastSeq }); return; }
      lastSeq = frame.seq;
    }
    const handler = HANDLERS[frame.type];
    if (handler) handler(frame);
  }

  // ---- answering
  const controls = () => document.querySelectorAll("#composer button, #pause, #end");
  function ready() {
    const sent = pending();
    for (const button of controls()) button.disabled = finished || superseded;
    at("send").disabled = Boolean(sent) || finished || superseded;
    if (!sent) { say(""); if (document.activeElement === document.body) box.focus({ preventScroll: true }); }
  }
  function lock() { for (const button of controls()) button.disabled = true; }

  function answer(text) {
    if (!text.trim()) { say("Write an answer first, or choose “I don’t know”."); return; }
    if (turn === null || pending()) return;
    const sent = { id: newId(), turn, text };
    store.set(sentKey, JSON.stringify(sent)); showStudent(text, sent.id);
    box.value = ""; store.set(draftKey, null); warn(""); slow = false;
    ready(); deliver(sent);
  }
  function deliver(sent) {
    const gone = send({ type: "answer", id: sent.id, text: sent.text });
    if (!slow) say(gone ? "Sent…" : "Not connected; your answer is kept and will be sent.");
    clearTimeout(slowTimer);
    slowTimer = setTimeout(waitOn, SLOW_AFTER_MS);
  }
  // The worker may have died: sending the same answer again restarts the assessment.
  function waitOn() {
    slow = true; say(self.model ? `Still waiting for ${self.model} to assess your answer…` : "Still assessing your answer…");
    if (isCaughtUp()) recover(); else slowTimer = setTimeout(waitOn, SLOW_AFTER_MS);
  }

  // ---- other frames. The server handles one frame after the other: the pong of a ping says that every frame before it
  // was done or refused. A frame that failed for now, or met a broken connection, is sent again.
  let outbox = [], pings = 0, pongs = 0;
  function act(frame, done) {
    if (outbox.some((one) => one.frame.type === frame.type && one.frame.turn === frame.turn)) return; // pressed twice
    outbox.push({ frame, done, ping: 0 });
    if (!send(frame)) { sayWaiting("The connection was lost."); return; }
    ping(); outbox[outbox.length - 1].ping = pings;
  }
  function ping() { if (send({ type: "ping" })) pings += 1; }
  function onPong() {
    pongs += 1;
    const done = outbox.filter((one) => one.ping && one.ping <= pongs);
    outbox = outbox.filter((one) => !done.includes(one));
    for (const one of done) if (one.done) one.done();
  }
  function failedForNow(frame) {
    for (const one of outbox) one.ping = 0;
    if (frame.code === "assessment_delayed" && frame.about === "hint") outbox.push({ frame: { type: "hint" }, ping: 0 });
    sayWaiting("The server could not do that right now."); tryAgain();
  }
  // Ask for missed frames, and resend what was not confirmed. The server does nothing twice.
  function recover() {
    send({ type: "resume", last_seq: lastSeq });
    const sent = pending();
    if (sent) deliver(sent);
    for (const one of outbox) { send(one.frame); one.ping = pings + 1; }
    ping();
  }

  // ---- the connection
  const isOpen = () => Boolean(socket) && socket.readyState === WebSocket.OPEN;
  const isCaughtUp = () => isOpen() && pings <= pongs; // no ping is unanswered: everything sent before was handled
  let attempts = 0, retryTimer = null, waiting = false, troubled = 0, heard = 0;
  function connect() {
    const mine = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${self.socket}`);
    const current = (handle) => (event) => { if (mine === socket) handle(event); };
    socket = mine; pings = pongs = 0; heard = performance.now();
    mine.addEventListener("open", current(() => {
      if (!waiting) { warn(""); say(""); }
      recover();
      const sent = pending();
      if (sent) showStudentLater(sent);
    }));
    mine.addEventListener("message", current(receive));
    mine.addEventListener("close", current(closed));
    setTimeout(() => { if (mine === socket && mine.readyState === WebSocket.CONNECTING) lose(); }, CONNECT_MS);
  }
  const showStudentLater = (sent) => setTimeout(() => showStudent(sent.text, sent.id), 400);
  // The browser may not notice for minutes that a silent connection is dead.
  function lose() { const old = socket; socket = null; old.close(); closed({ code: 1006 }); }

  const WHY = { 1011: "The server had a problem.", 1012: "The server is restarting." };
  function closed(event) {
    if (finished || superseded) return;
    if (event.code === 4401) {
      clearTimeout(slowTimer); say(pending() ? "Your answer is kept and will be sent when you are back." : "");
      warn("You are signed out. Your text is kept here.", { label: "Sign in again", href: `${self.login}?next=${encodeURIComponent(location.pathname)}` }); lock(); return;
    }
    if (event.code === 4403 || event.code === 4404) { warn("You cannot open this oral here."); lock(); return; }
    if (event.code === 4409) { showError({ code: "superseded" }); return; }
    sayWaiting(WHY[event.code] || "The connection was lost."); tryAgain();
  }
  function sayWaiting(why) {
    waiting = true; warn("");
    say(`Reconnecting… ${why} ${pending() ? "Your answer is kept and will be sent." : "What you write is kept."}`);
  }
  function tryAgain() {
    troubled = performance.now();
    if (retryTimer) return;
    const pause = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** attempts++) * (0.7 + Math.random() * 0.6);
    retryTimer = setTimeout(goOn, pause);
  }
  function goOn() {
    clearTimeout(retryTimer); retryTimer = null;
    if (isCaughtUp()) recover();
    else if (isOpen()) tryAgain();
    else if (!socket || socket.readyState === WebSocket.CLOSED) connect();
  }
  // A frame that is no failure shows that the server works again, and not only accepts connections.
  function served(frame) {
    if (frame.seq > lastSeq || performance.now() - troubled > CALM_MS) attempts = 0;
    if (!waiting || retryTimer) return;
    waiting = false; ready();
    if (pending()) return;
    const told = "Connected again. Nothing was lost.";
    say(told); setTimeout(() => { if (state.textContent === told) say(""); }, TOLD_MS);
  }
  setInterval(() => {
    if (!isOpen()) return;
    const silent = performance.now() - heard;
    if (pings > pongs && silent > SILENT_MS) lose();
    else if (pings <= pongs && silent > PING_EVERY_MS) ping();
  }, CALM_MS);
  window.addEventListener("online", () => { if (retryTimer) goOn(); });

  at("composer").addEventListener("submit", (event) => { event.preventDefault(); answer(box.value); });
  box.addEventListener("input", () => store.set(draftKey, box.value));
  box.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); answer(box.value); } });
  at("dontknow").addEventListener("click", () => answer("I don’t know."));
  for (const [id, goOn] of [["go-on", true], ["stop-here", false]]) at(id).addEventListener("click", () => { lockConsent(true); showThinking(); act({ type: "continue", go_on: goOn }); });
  if (at("skip")) at("skip").addEventListener("click", () => act({ type: "skip" }));
  if (at("hint")) at("hint").addEventListener("click", () => act({ type: "hint" }));
  at("pause").addEventListener("click", () => act({ type: "pause" }, () => { location.href = "/exams/"; }));
  at("end").addEventListener("click", () => at("confirm").showModal());
  at("confirm").addEventListener("close", () => { if (at("confirm").returnValue === "yes") act({ type: "end" }); });

  box.value = store.get(draftKey) || "";
  lock(); connect();
})();
