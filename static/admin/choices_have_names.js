/* The boxes that stand for a choice with a search have the name of their label, for people who hear the page. */
(() => {
  "use strict";
  const name = () => {
    for (const box of document.querySelectorAll(":is(.select2-selection, .select2-search__field):not([aria-label])")) {
      const field = box.closest(".select2")?.previousElementSibling;
      const label = field?.labels?.[0]?.textContent.trim();
      if (label) box.setAttribute("aria-label", label);
    }
  };
  window.addEventListener("load", () => {
    name();
    new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
  });
})();
