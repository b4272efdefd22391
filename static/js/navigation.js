/* Where a narrow screen scrolls the navigation, the place that is shown comes into sight. */
for (const link of document.querySelectorAll(":is(.top, .within) nav [aria-current]")) {
  const nav = link.closest("nav");
  nav.scrollLeft += link.getBoundingClientRect().left - nav.getBoundingClientRect().left - (nav.clientWidth - link.offsetWidth) / 2;
}
