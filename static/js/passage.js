// Scroll to the highlighted words of a passage if they are out of sight.
(() => {
  "use strict";
  const lit = document.querySelector(".lit, #lit");
  if (!lit) return;
  const { top, bottom } = lit.getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight - 80) window.scrollBy(0, top - window.innerHeight / 3);
})();
