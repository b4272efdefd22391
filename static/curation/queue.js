/* Keys of the verification queue. Everything they do, a button or a link on the page does too. */
(() => {
  "use strict";

  const isWriting = (element) => element.matches("input, textarea, select, [contenteditable]");

  const open = (id) => {
    const section = document.getElementById(id);
    if (!section) return;
    section.open = true;
    const field = section.querySelector("textarea");
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    section.scrollIntoView({ block: "nearest" });
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-opens]");
    if (button) open(button.dataset.opens);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isWriting(event.target)) return event.target.blur();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.form) {
      event.preventDefault();
      return event.target.form.requestSubmit(event.target.form.querySelector("button"));
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isWriting(event.target)) return;
    const control = document.querySelector(`.queue [data-key="${CSS.escape(event.key)}"]`);
    if (!control) return;
    event.preventDefault();
    control.click();
  });

  // One decision, one request: a second press while the first is under way does nothing.
  document.addEventListener("submit", (event) => {
    if (!event.target.closest(".queue")) return;
    if (event.target.dataset.sent) return event.preventDefault();
    event.target.dataset.sent = "yes";
  });
  window.addEventListener("pageshow", () => document.querySelectorAll("[data-sent]").forEach((form) => delete form.dataset.sent));

  // The lit words of each page come into view inside their own frame, without moving the page.
  window.addEventListener("load", () => {
    for (const frame of document.querySelectorAll(".queue-sheet")) {
      const lit = frame.querySelector(".lit");
      if (lit) frame.scrollTop += lit.getBoundingClientRect().top - frame.getBoundingClientRect().top - frame.clientHeight / 3;
    }
    const refused = document.getElementById("refused");
    if (refused) refused.scrollIntoView({ block: "nearest" });
  });
})();
