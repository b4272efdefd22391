/* The next claim is fetched ahead, by a request that is marked and keeps it for nobody. A decision, or "next", shows it at
   once; then the server's own answer is fetched, which keeps it for this reviewer, and takes its place where it differs. */
(() => {
  "use strict";

  const main = document.querySelector("main");
  let ahead = null; // { url, page, pictures }
  let pending = false; // the server has not answered yet: nothing is decided on what is shown
  let later = null; // the key of what was asked for meanwhile: another claim, or to take the decision back
  let shown = location.pathname + location.search;

  const read = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");
  const nextUrl = () => document.querySelector(".queue-nav a[rel=next]")?.href;

  const fetchAhead = async () => {
    const url = nextUrl();
    ahead = null;
    if (!url) return;
    try {
      const answer = await fetch(url, { headers: { "X-Ahead": "yes" } });
      if (!answer.ok || answer.redirected) return;
      const page = await read(answer);
      const pictures = [...page.querySelectorAll(".queue-sheet image")].map((one) => Object.assign(new Image(), { src: one.getAttribute("href") }));
      await Promise.allSettled(pictures.map((one) => one.decode()));
      if (page.querySelector(".queue-claim") && nextUrl() === url) ahead = { url, page, pictures };
    } catch {
      // without it, the next claim is loaded as a page
    }
  };

  const show = (page, url) => {
    main.replaceChildren(...page.querySelector("main").childNodes);
    document.dispatchEvent(new Event("claimshown"));
    shown = new URL(url).pathname + new URL(url).search;
  };

  const contentOf = (page) => {
    const claim = page.querySelector(".queue-claim");
    const said = [...page.querySelectorAll(".queue-note, .queue-evidence")].map((one) => one.textContent);
    return claim && [claim.dataset.claim, claim.dataset.version, ...said].join("\n");
  };

  // Counts, messages and earlier decisions as they are now; evidence stays where it is, and so does what somebody writes.
  const freshen = (page) => {
    if (main.querySelector("details[open]") || main.contains(document.activeElement)) {
      main.querySelector(".messages")?.replaceWith(...page.querySelectorAll(".messages"));
      main.querySelector("[data-own]")?.replaceWith(...page.querySelectorAll("[data-own]")); // "u" takes back the last one
      return;
    }
    const scrolled = [...main.querySelectorAll(".queue-evidence [tabindex]")].map((one) => [one, one.scrollTop]);
    page.querySelector(".queue-evidence").replaceWith(main.querySelector(".queue-evidence"));
    main.replaceChildren(...page.querySelector("main").childNodes);
    for (const [one, top] of scrolled) one.scrollTop = top;
  };

  // In the place of the server's message, so that nothing moves when that comes.
  const saySaving = () => {
    const said = Object.assign(document.createElement("div"), { className: "messages" });
    said.setAttribute("role", "status");
    said.append(Object.assign(document.createElement("p"), { className: "info", textContent: "Saving your decision…" }));
    main.querySelector(".queue-kinds").before(said);
  };

  const putBack = (before, url, why) => {
    main.replaceChildren(...before);
    history.replaceState(null, "", url);
    shown = location.pathname + location.search;
    document.querySelectorAll("[data-sent]").forEach((form) => delete form.dataset.sent);
    const note = Object.assign(document.createElement("div"), { className: "queue-note queue-wrong", id: "refused" });
    note.setAttribute("role", "alert");
    note.append(Object.assign(document.createElement("p"), { textContent: why }));
    document.getElementById("refused")?.remove();
    document.querySelector(".queue-split").before(note);
  };

  const go = async (answering, decides) => {
    const { url, page } = ahead;
    const before = [...main.childNodes];
    const from = document.getElementById("decide")?.action ?? location.href;
    [ahead, later, pending] = [null, null, true];
    history.replaceState(null, "", from); // the way back leads to this claim, not to the first that waits
    history.pushState(null, "", url);
    show(page, url);
    if (decides) saySaving();
    main.querySelector(".queue-claim").dataset.sent = "yes";
    document.activeElement?.blur();
    scrollTo(0, 0);
    const content = contentOf(document);
    try {
      const answer = await answering;
      const now = await read(answer);
      if (!now.querySelector(".queue")) {
        if (answer.ok && answer.redirected) return location.assign(answer.url); // to sign in again
        throw new Error(`the server answered ${answer.status}`);
      }
      if (contentOf(now) === content) {
        freshen(now);
      } else {
        history.replaceState(null, "", answer.url);
        show(now, answer.url);
        later = null;
      }
      delete main.querySelector(".queue-claim[data-sent]")?.dataset.sent;
      document.querySelector("#refused")?.scrollIntoView({ block: "nearest" });
    } catch (error) {
      const unknown = decides ? "it is not known whether your decision was saved" : "the next one could not be read";
      putBack(before, from, `This claim is shown again, because ${unknown} (${error.message}). Reload the page to see it as it is now.`);
      later = null;
    }
    pending = false;
    if (later) return document.querySelector(`.queue [data-key=${later}]`)?.click();
    fetchAhead();
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const said = new FormData(form, event.submitter);
    const decision = said.get("decision");
    if (event.defaultPrevented || !ahead || !decision || form.method !== "post") return;
    if (main.querySelector(".queue").dataset.stays.split(" ").includes(decision)) return; // the same claim is shown after it
    event.preventDefault();
    go(fetch(form.action, { method: "POST", body: new URLSearchParams(said), keepalive: true }), true);
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest(".queue-nav a[rel=next], .queue-act a[data-key=s]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (pending) return event.preventDefault();
    if (link.href !== ahead?.url) return;
    event.preventDefault();
    go(fetch(link.href), false);
  });

  // A decision that is pressed before the answer is there could be a slip, and does nothing. Undo and ways onward wait for it.
  // It listens first: the press that shows the next claim asks for nothing more.
  document.addEventListener("keydown", (event) => {
    if (pending && /^[jksu]$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) later = event.key.toLowerCase();
  }, true);

  window.addEventListener("popstate", () => {
    if (location.pathname + location.search !== shown) location.reload();
  });
  window.addEventListener("load", fetchAhead);
})();
