/* What the theme's templates read from their pages, for the Alpine that evaluates no text and knows no global names. */
(() => {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark", dark.matches);
  dark.addEventListener("change", follow);
  follow();

  document.addEventListener("alpine:init", () => {
    Alpine.data("searchForm", searchForm);
    Alpine.data("page", (tab) => ({
      activeTab: getCurrentTab() || tab,
      openModal: false,
      filterOpen: false,
      sidebarDesktopOpen: false,
      window: { location: { pathname: location.pathname, search: location.search } },
    }));
    // As text Alpine would set it as a style attribute, which the policy stops; an object sets the property.
    document.getElementById("changelist-actions")?.setAttribute("x-bind:style", "{ width: changeListWidth + 'px' }");
  });

  // The boxes that stand for a choice with a search have the name of their label, for people who hear the page.
  const name = () => {
    for (const box of document.querySelectorAll(":is(.select2-selection, .select2-search__field):not([aria-label])")) {
      const field = box.closest(".select2")?.previousElementSibling;
      const label = field?.labels?.[0]?.textContent.trim();
      if (label) box.setAttribute("aria-label", label);
    }
  };
  window.addEventListener("load", () => {
    name();
    // A long text scrolls by key, too.
    for (const text of document.querySelectorAll(".readonly pre")) if (text.scrollHeight > text.clientHeight) text.tabIndex = 0;
    new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
  });
})();
