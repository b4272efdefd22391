// Rows of a table that are changed together: a box in the head chooses all of the page, and the bar says how many are chosen.
function watchChoices(place) {
  const rows = [...place.querySelectorAll('input[name="row"]')];
  const all = place.querySelector("thead .choose-all");
  const everything = place.querySelector('input[name="everything"]');
  const count = place.querySelector(".bulk-count");
  if (!rows.length || !count) return;
  const show = () => {
    const chosen = everything?.checked ? Number(count.dataset.all) : rows.filter((row) => row.checked).length;
    count.textContent = `${chosen.toLocaleString("en-US")} ${count.dataset.word}${chosen === 1 ? "" : "s"} chosen`;
    if (!all) return;
    all.checked = rows.every((row) => row.checked);
    all.indeterminate = !all.checked && rows.some((row) => row.checked);
  };
  if (all) {
    all.hidden = false;
    all.addEventListener("change", () => {
      for (const row of rows) row.checked = all.checked;
      if (everything && !all.checked) everything.checked = false;
      show();
    });
  }
  place.addEventListener("change", show);
  show(); // a page that is gone back to keeps its ticks
}
for (const place of document.querySelectorAll(".choosing")) watchChoices(place);

// A table that reloads itself while a job runs: not under the hand of somebody who chooses rows or has the focus in it.
const isInUse = (place) => place.querySelector("input:checked") || place.contains(document.activeElement);
for (const name of ["htmx:beforeRequest", "htmx:beforeSwap"]) {
  document.addEventListener(name, (event) => {
    if (event.target.matches(".choosing") && isInUse(event.target)) event.preventDefault();
  });
}
document.addEventListener("htmx:load", (event) => {
  if (event.target.matches(".choosing")) watchChoices(event.target);
});
