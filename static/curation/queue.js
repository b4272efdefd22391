/* Keys of the verification queue. Everything they do, a button or a link on the page does too. */
(() => {
  "use strict";

  const isWriting = (element) => element.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");

  const open = (id) => {
    const section = document.getElementById(id);
    if (!section) return;
    section.open = true;
    const field = section.querySelector("textarea");
    if ("takesSelection" in section.dataset) field.value = getSelection().toString().trim() || field.value;
    const usual = section.querySelector(".queue-reasons");
    section.scrollIntoView({ block: "nearest" });
    if (usual && !field.value) return usual.focus(); // a digit chooses a reason, a letter begins one's own
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    section.scrollIntoView({ block: "nearest" });
  };

  // A stale claim has passages to choose from; the buttons beside the claim act on the one chosen.
  const choose = (number) => {
    for (const offer of document.querySelectorAll("[data-offer]")) offer.toggleAttribute("data-chosen", offer.dataset.offer === number);
    document.querySelector("[data-places]").setAttribute("form", `place-${number}`);
    document.querySelector("[data-chosen-number]").textContent = number;
    document.querySelector("[data-opens^=words]").dataset.opens = `words-${number}`;
    const offer = document.getElementById(`offer-${number}`);
    offer.querySelector(".queue-page").open = true;
    offer.scrollIntoView({ block: "start" });
  };

  document.addEventListener("click", (event) => {
    const usual = event.target.closest("[data-reason]");
    if (usual) {
      const section = usual.closest("details");
      section.querySelector("textarea").value = usual.dataset.reason;
      return usual.form.requestSubmit(section.querySelector("button:not([type=button])"));
    }
    const button = event.target.closest("[data-opens]");
    if (button) open(button.dataset.opens);
    const choice = event.target.closest("[data-chooses]");
    if (choice) choose(choice.dataset.chooses);
    const shows = event.target.closest("[data-shows]");
    if (shows) document.getElementById(shows.dataset.shows).showModal();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isWriting(event.target)) return event.target.blur();
    if (document.querySelector(".queue [data-sent], dialog[open]")) return;
    if (event.key === "Enter" && event.target.id === "element-added") {
      event.preventDefault(); // it adds the element and does not approve
      return addElement(event.target);
    }
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && isWriting(event.target) && event.target.form) {
      event.preventDefault();
      return event.target.form.requestSubmit(event.target.closest("details, form").querySelector("button:not([type=button])"));
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isWriting(event.target)) return;
    if (event.key === "/") {
      const search = document.getElementById("queue-search");
      if (search) { event.preventDefault(); search.focus(); }
      return;
    }
    const reject = event.target.closest("details[open]:has([data-reason])");
    if (reject && event.key === "Escape") return void (reject.open = false, event.target.blur());
    if (reject && event.key.length === 1 && /\p{L}/u.test(event.key)) return reject.querySelector("textarea").focus();
    const controls = document.querySelectorAll(`.queue [data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    const usable = [...controls].filter((one) => !one.closest("details:not([open])"));
    const control = usable.find((one) => one.dataset.reason) ?? usable[0]; // of a digit, the reasons that are open come first
    if (!control) return;
    if (control.dataset.reason && control.closest("details").querySelector("textarea").value.trim()) return; // one's own words stand
    event.preventDefault();
    if (control.matches("input:not([type=checkbox])")) return control.focus();
    control.click();
  });

  // Elements: another one by its code; an edit that is approved takes the ticks along.
  const addElement = (field) => {
    const code = field.value.trim().toUpperCase();
    if (!code) return;
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name: "elements", value: code, checked: true });
    box.setAttribute("form", "decide");
    const label = document.createElement("label");
    label.append(box, " ", Object.assign(document.createElement("b"), { textContent: code }));
    const item = document.createElement("li");
    item.append(label);
    document.querySelector(".queue-elements").append(item);
    field.value = "";
    field.blur();
  };
  document.addEventListener("submit", (event) => {
    const decide = document.getElementById("decide");
    if (!decide || !event.target.closest("#edit")) return;
    for (const [name, value] of new FormData(decide)) {
      if (!name.startsWith("element")) continue;
      event.target.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
  });
  document.addEventListener("focusin", async (event) => {
    const list = event.target.id === "element-added" && event.target.list;
    if (!list || list.dataset.filled) return;
    list.dataset.filled = "yes";
    const answer = await fetch(list.dataset.from);
    if (!answer.ok) return;
    for (const [value, text] of (await answer.json()).elements) list.append(Object.assign(document.createElement("option"), { value, label: text }));
  });

  // A part belongs to its document.
  document.addEventListener("change", (event) => {
    const part = event.target.matches(".queue-filters [name=source]") && event.target.form.elements.group;
    if (part) part.value = "";
  });

  // One decision, one request: a second press on the page while the first is under way does nothing.
  document.addEventListener("submit", (event) => {
    if (!event.target.closest(".queue")) return;
    if (event.target.method === "get") return;
    if (document.querySelector(".queue [data-sent]")) return event.preventDefault();
    event.target.dataset.sent = "yes";
  });
  window.addEventListener("pageshow", () => document.querySelectorAll("[data-sent]").forEach((form) => delete form.dataset.sent));

  // The lit words of each page come into view inside their own frame, without moving the page. Where they do not all fit,
  // the last ones do: the item, not its lead-in.
  const showLit = (frame) => {
    const lit = [...frame.querySelectorAll(".lit, mark")].map((one) => one.getBoundingClientRect());
    if (!lit.length) return;
    const [top, bottom] = [Math.min(...lit.map((one) => one.top)), Math.max(...lit.map((one) => one.bottom))];
    const [start, room] = [frame.getBoundingClientRect().top, frame.clientHeight];
    frame.scrollTop += bottom - top < (room * 2) / 3 ? top - start - room / 3 : bottom - start - (room * 2) / 3;
  };
  document.addEventListener("toggle", (event) => { if (event.target.open) event.target.querySelectorAll(".queue-sheet").forEach(showLit); }, true);
  const showAllLit = () => document.querySelectorAll(".queue-sheet, .queue-short, .queue-passage").forEach(showLit);
  document.addEventListener("claimshown", showAllLit);
  window.addEventListener("load", () => {
    showAllLit();
    const refused = document.getElementById("refused");
    if (refused) refused.scrollIntoView({ block: "nearest" });
  });
})();
