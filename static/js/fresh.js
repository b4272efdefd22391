/* A page that shows what changes: brought back from the browser's memory it is read anew. */
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
