// Keys of the list of relations and concepts. Everything they do, a button of the row does too.
(() => {
  "use strict";

  const rows = () => [...document.querySelectorAll("[data-row]")];
  const said = document.getElementById("graph-said");
  const done = []; // rows decided on here, the last one last
  let current = 0;

  const select = (place) => {
    current = Math.max(0, Math.min(place, rows().length - 1));
    rows().forEach((row, at) => row.toggleAttribute("data-current", at === current));
    const row = rows()[current];
    if (row) { row.focus({ preventScroll: true }); row.scrollIntoView({ block: "nearest" }); }
  };

  const send = async (row, act) => {
    const form = row.querySelector("form");
    const body = new FormData(form);
    const undo = act === "undo";
    if (undo) body.set("id", row.dataset.undo);
    body.set("act", act);
    row.toggleAttribute("data-sent", true);
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Requested-With": "fetch" } }).catch(() => null);
    row.removeAttribute("data-sent");
    const told = answer && answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
    if (!told) { said.textContent = "Nothing was saved. Reload the page and try again."; return false; }
    said.textContent = told.message;
    if (!answer.ok) return false;
    form.elements.version.value = Number(form.elements.version.value) + 1;
    row.dataset.undo = told.undo || "";
    row.dataset.done = undo ? "" : act;
    return true;
  };

  const decide = async (row, act) => {
    if (row.hasAttribute("data-sent") || row.dataset.done) return;
    if (await send(row, act)) { done.push(row); select(rows().indexOf(row) + 1); }
  };

  const undo = async () => {
    const row = done[done.length - 1];
    if (!row) { said.textContent = "Nothing to take back on this page."; return; }
    if (await send(row, "undo")) { done.pop(); select(rows().indexOf(row)); }
  };

  document.addEventListener("submit", (event) => {
    const row = event.target.closest("[data-row]");
    if (!row || !event.submitter) return;
    event.preventDefault();
    decide(row, event.submitter.value);
  });
  document.addEventListener("focusin", (event) => {
    const row = event.target.closest("[data-row]");
    if (row && rows().indexOf(row) !== current) { current = rows().indexOf(row); rows().forEach((one) => one.toggleAttribute("data-current", one === row)); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.matches("input, textarea, select")) return;
    const row = rows()[current];
    const acts = {
      a: () => row && row.querySelector("[value=accept]") && decide(row, "accept"),
      r: () => row && row.querySelector("[value=remove]") && decide(row, "remove"),
      s: () => select(current + 1), j: () => select(current + 1), k: () => select(current - 1), u: undo,
    };
    const act = acts[event.key.toLowerCase()];
    if (act) { event.preventDefault(); act(); }
  });
  if (rows().length) select(0);
})();
