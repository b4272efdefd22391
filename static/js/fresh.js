/* Reload a page that the browser brings back from its cache: its content may have changed. */
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
