// The exam room: frames from the server become the conversation; what is typed becomes answers.
// The server owns the exam. Kept here: the number of the last frame seen, the unsent words, the unacknowledged answer.
(() => {
  "use strict";
  const self = document.currentScript.dataset;
  const at = (id) => document.getElementById(id);
  const talk = at("talk"), box = at("answer"), state = at("state"), banner = at("banner");
  const draftKey = `heydpe.draft.${self.exam}`, sentKey = `heydpe.sent.${self.exam}`;
  const SLOW_AFTER_MS = 8000, PING_EVERY_MS = 25000, LONGEST_PAUSE_MS = 15000;

  let socket = null, lastSeq = 0, turn = null, finished = false, superseded = false, attempts = 0;
  let slowTimer = null, taken = false, live = null;

  // ---- small builders: text goes in as text, never as markup
  const el = (tag, cls, text) => {
    const node = document.createElement(tag);
    if (cls) node.className = cls;
    if (text !== undefined && text !== null) node.textContent = text;
    return node;
  };
  const store = {
    get: (key) => { try { return localStorage.getItem(key); } catch { return null; } },
    set: (key, value) => { try { value ? localStorage.setItem(key, value) : localStorage.removeItem(key); } catch { /* private window */ } },
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
    if (socket && socket.readyState === WebSocket.OPEN) { socket.send(JSON.stringify(frame)); return true; }
    return false;
  };
  // The composer is sticky at the foot, so the newest words are brought above it.
  const bottom = () => at("composer").scrollIntoView({ block: "end", behavior: "auto" });

  // ---- what the frames look like
  const FORMS = { opening: "", probe: "Follow-up", hint: "Hint", bridge: "", qualification: "Qualification" };
  const WORDS = { met: "Met", half: "Half met", missing: "Missing", contradicted: "Wrong", satisfactory: "Satisfactory",
    partial: "Partial", unsatisfactory: "Unsatisfactory", ungraded: "Not graded" };

  const citationLink = (citation) => {
    const link = el("a", "cite", citation.label || citation.document);
    link.href = citation.url; link.target = "_blank"; link.rel = "noopener";
    return link;
  };

  function showQuestion(frame) {
    turn = frame.turn; stopLive();
    const bubble = el("div", "said examiner"); bubble.dataset.turn = frame.turn;
    const meta = el("p", "meta", "Examiner");
    if (FORMS[frame.form]) meta.append(el("span", "badge plain", FORMS[frame.form]));
    meta.append(el("span", "", frame.element));
    bubble.append(meta);
    if (frame.transition) bubble.append(el("p", "soft", frame.transition));
    bubble.append(el("p", "words", frame.text));
    for (const given of frame.givens || []) bubble.append(el("p", "soft", `${given.name}: ${given.value}`));
    for (const image of frame.images || []) {
      if (!image.url) continue;
      const picture = el("img", "figure"); picture.src = image.url; picture.alt = `${image.figure_label || "Figure"}. ${image.caption || ""}`;
      bubble.append(picture);
    }
    if ((frame.citations || []).length) bubble.append(foldedSources(frame));
    talk.append(bubble); bottom();
    const budget = frame.budget || {};
    at("budget").textContent = budget.planned ? `Question ${Math.min(budget.asked + 1, budget.planned)} of ${budget.planned}` : "";
    ready();
  }

  function foldedSources(frame) {
    const fold = el("details", "soft"), head = el("summary", "", "Look it up (noted in the report)");
    fold.append(head);
    for (const source of frame.citations) { const line = el("p"); line.append(citationLink(source)); fold.append(line); }
    fold.addEventListener("toggle", () => { if (fold.open) send({ type: "look_up", turn: frame.turn }); }, { once: true });
    return fold;
  }

  function showStudent(text, id) {
    if (talk.querySelector(`[data-answer="${CSS.escape(id)}"]`)) return;
    const bubble = el("div", "said student", text); bubble.dataset.answer = id;
    talk.append(bubble); bottom();
  }

  function pointRow(point, citations) {
    const row = el("li");
    row.append(el("span", `badge ${point.met}`, WORDS[point.met] || point.met));
    const body = el("div");
    body.append(el("div", "expectation", point.expectation));
    body.append(el("div", "yours", point.said ? `You said: “${point.said}”` : "You did not speak of this."));
    if (point.why) body.append(el("div", "why", point.why));
    const sources = (point.citations || []).map((n) => citations.find((c) => c.n === n)).filter(Boolean);
    if (!sources.length) body.append(el("div", "source soft", "Not supported by the sources."));
    for (const source of sources) {
      const quote = el("blockquote", "", `“${source.quote}” `);
      const line = el("div", "source"); quote.append(citationLink(source));
      if (source.edition) quote.append(el("span", "soft", ` ${source.edition}`));
      line.append(quote); body.append(line);
    }
    row.append(body);
    return row;
  }

  function showAssessment(frame) {
    const sent = pending();
    if (sent && sent.id === frame.answer_id) store.set(sentKey, null);
    clearTimeout(slowTimer); taken = false; stopLive();
    if (frame.answer) showStudent(frame.answer, frame.answer_id);
    if (!frame.final && frame.verdict !== "ungraded") { say(""); return; }
    const card = el("div", `verdict ${frame.verdict}`); card.dataset.turn = frame.turn;
    const head = el("div", "row spread");
    head.append(el("span", `badge ${frame.verdict}`, frame.withheld ? "Answer taken" : WORDS[frame.verdict]));
    card.append(head);
    if (frame.feedback) card.append(el("p", "", frame.feedback));
    if (frame.degraded) card.append(el("p", "soft", `Judged without the usual evidence: ${frame.degraded}`));
    if (!frame.withheld && (frame.points || []).length) {
      const list = el("ul", "points");
      for (const point of frame.points) list.append(pointRow(point, frame.citations || []));
      card.append(list);
    }
    if (frame.final && !frame.withheld) card.append(tools(frame.turn));
    talk.append(card); bottom();
  }

  function tools(number) {
    const row = el("div", "row");
    const disagree = el("button", "quiet", "I disagree"); disagree.type = "button";
    disagree.addEventListener("click", () => disputeForm(row, disagree, number));
    row.append(disagree);
    for (const [fair, label] of [[true, "Fair question"], [false, "Unfair question"]]) {
      const button = el("button", "quiet", label); button.type = "button";
      button.addEventListener("click", () => {
        if (send({ type: "rate", turn: number, fair })) row.querySelectorAll("[data-rate]").forEach((b) => { b.disabled = true; b.textContent = b === button ? `${label} – noted` : b.textContent; });
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
      if (!send({ type: "dispute", turn: number, note: note.value })) { say("Not connected; your note is kept here."); return; }
      note.replaceWith(el("span", "soft", "Sent to a reviewer. The verdict stands until they have looked.")); go.remove();
    });
    row.append(note, go); note.focus();
  }

  function showProgress(frame) {
    for (const area of frame.areas || []) for (const task of area.tasks || []) {
      const mark = document.querySelector(`[data-task="${CSS.escape(task.task)}"] [data-result]`);
      if (mark) { const open = task.result === "open";
        mark.className = `badge ${open ? "plain" : task.result}`; mark.textContent = open ? "" : (WORDS[task.result] || task.result); }
    }
  }

  function showFinished(frame) {
    finished = true; stopLive(); store.set(draftKey, null); store.set(sentKey, null);
    at("composer").hidden = true;
    const end = at("closing"); end.hidden = false; end.className = "card";
    const link = el("a", "button primary", "Read the report"); link.href = frame.report || self.report;
    end.replaceChildren(el("h2", "", "That is the end of the oral."), el("p", "", frame.scope || ""), link);
    link.focus(); warn("");
  }

  function showToken(frame) {
    if (!live || live.dataset.turn !== String(frame.turn)) {
      stopLive(); live = el("div", "said examiner"); live.dataset.turn = frame.turn; live.append(el("p", "words")); talk.append(live);
    }
    live.firstElementChild.textContent += frame.delta; bottom();
  }
  function stopLive() { if (live) { live.remove(); live = null; } }

  function showError(frame) {
    if (frame.code === "superseded") { superseded = true; warn("This oral goes on in another window.", { label: "Take it over here", href: location.href }); lock(); return; }
    if (frame.code === "repeated") return;
    const sent = pending();
    if (sent && !frame.retryable && !taken) { box.value = box.value || sent.text; store.set(draftKey, box.value); store.set(sentKey, null); dropBubble(sent.id); }
    clearTimeout(slowTimer); say(""); warn(frame.message); ready();
  }
  const dropBubble = (id) => { const b = talk.querySelector(`[data-answer="${CSS.escape(id)}"]`); if (b) b.remove(); };

  function onTaken(frame) { taken = true; say("Taken. The examiner is thinking…"); void frame; }

  const HANDLERS = { question: showQuestion, assessment: showAssessment, progress: showProgress, finished: showFinished,
    token: showToken, error: showError, taken: onTaken, pong: () => {} };

  function receive(event) {
    const frame = JSON.parse(event.data);
    if (frame.seq !== undefined && frame.seq !== null) {
      if (frame.seq <= lastSeq) return;
      if (frame.seq > lastSeq + 1) { send({ type: "resume", last_seq: lastSeq }); return; }
      lastSeq = frame.seq;
    }
    const handler = HANDLERS[frame.type];
    if (handler) handler(frame);
  }

  // ---- answering
  function ready() {
    const waiting = pending();
    for (const button of document.querySelectorAll("#composer button")) button.disabled = finished || superseded;
    at("send").disabled = Boolean(waiting) || finished || superseded;
    if (!waiting) { say(""); if (document.activeElement === document.body) box.focus({ preventScroll: true }); }
  }
  function lock() { for (const button of document.querySelectorAll("#composer button")) button.disabled = true; }

  function answer(text) {
    if (!text.trim()) { say("Say something first, or “I don’t know”."); return; }
    if (turn === null || pending()) return;
    const sent = { id: newId(), turn, text };
    store.set(sentKey, JSON.stringify(sent)); showStudent(text, sent.id);
    box.value = ""; store.set(draftKey, null); warn(""); taken = false;
    ready(); deliver(sent);
  }
  function deliver(sent) {
    say(send({ type: "answer", id: sent.id, text: sent.text }) ? "Sent…" : "Not connected; your answer is kept and will be sent.");
    clearTimeout(slowTimer);
    slowTimer = setTimeout(() => say(self.model ? `Still waiting for ${self.model} to assess your answer…` : "Still assessing your answer…"), SLOW_AFTER_MS);
  }

  // ---- the connection
  function connect() {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${self.socket}`);
    socket.addEventListener("open", () => {
      attempts = 0; warn(""); say("");
      send({ type: "resume", last_seq: lastSeq });
      const sent = pending();
      if (sent) { showStudentLater(sent); deliver(sent); }
    });
    socket.addEventListener("message", receive);
    socket.addEventListener("close", closed);
  }
  const showStudentLater = (sent) => setTimeout(() => showStudent(sent.text, sent.id), 400);

  function closed(event) {
    if (finished || superseded) return;
    if (event.code === 4401) { warn("You are signed out. Your words are kept here.", { label: "Sign in again", href: `${self.login}?next=${encodeURIComponent(location.pathname)}` }); lock(); return; }
    if (event.code === 4403 || event.code === 4404) { warn("This oral cannot be opened from here."); lock(); return; }
    if (event.code === 4409) { showError({ code: "superseded" }); return; }
    const pause = Math.min(LONGEST_PAUSE_MS, 300 * 2 ** attempts++) * (0.7 + Math.random() * 0.6);
    say("Connection lost. Trying again…"); setTimeout(connect, pause);
  }

  at("composer").addEventListener("submit", (event) => { event.preventDefault(); answer(box.value); });
  box.addEventListener("input", () => store.set(draftKey, box.value));
  box.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); answer(box.value); } });
  at("dontknow").addEventListener("click", () => answer("I don’t know."));
  if (at("hint")) at("hint").addEventListener("click", () => send({ type: "hint" }));
  at("pause").addEventListener("click", () => { if (send({ type: "pause" })) location.href = "/exams/"; });
  at("end").addEventListener("click", () => at("confirm").showModal());
  at("confirm").addEventListener("close", () => { if (at("confirm").returnValue === "yes") send({ type: "end" }); });
  setInterval(() => send({ type: "ping" }), PING_EVERY_MS);

  box.value = store.get(draftKey) || "";
  lock(); connect();
})();
