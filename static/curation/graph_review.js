// Keys of the list of relations and concepts. Everything they do, a button does too.
(() => {
  "use strict";

  const rows = () => [...document.querySelectorAll("[data-row]")];
  const said = document.getElementById("graph-said");
  const own = document.getElementById("graph-own");
  let current = 0;

  const select = (place) => {
    current = Math.max(0, Math.min(place, rows().length - 1));
    rows().forEach((row, at) => row.toggleAttribute("data-current", at === current));
    const row = rows()[current];
    if (row) { row.focus({ preventScroll: true }); row.scrollIntoView({ block: "nearest" }); }
  };

  // Sends a form without leaving the page; the row's next reading and the own decisions follow the answer.
  const send = async (form, act, row) => {
    const body = new FormData(form);
    body.set("act", act);
    row.toggleAttribute("data-sent", true);
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Requested-With": "fetch" } }).catch(() => null);
    row.removeAttribute("data-sent");
    const told = answer && answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
    if (!told) { said.textContent = "Nothing was saved. Reload the page and try again."; return false; }
    said.textContent = told.message;
    own.innerHTML = told.own;
    if (!answer.ok) return false;
    const version = row.querySelector("[name=version]");
    version.value = Number(version.value) + 1;
    row.dataset.done = act === "undo" ? "" : act;
    return true;
  };

  const decide = async (row, act) => {
    if (row.hasAttribute("data-sent") || row.dataset.done) return;
    if (await send(row.querySelector("form"), act, row)) select(rows().indexOf(row) + 1);
  };

  // Of a row that this page does not show, the list is loaded anew.
  const undo = async () => {
    const form = own.querySelector("form");
    if (!form) { said.textContent = "There is nothing to take back."; return; }
    const row = rows().find((one) => one.dataset.row === form.dataset.of);
    if (!row) { form.requestSubmit(form.querySelector("button")); return; }
    if (!row.hasAttribute("data-sent") && await send(form, "undo", row)) select(rows().indexOf(row));
  };

  document.addEventListener("submit", (event) => {
    if (!event.submitter) return;
    const row = event.target.closest("[data-row]");
    if (row) { event.preventDefault(); decide(row, event.submitter.value); return; }
    if (own.contains(event.target) && rows().some((one) => one.dataset.row === event.target.dataset.of)) { event.preventDefault(); undo(); }
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
