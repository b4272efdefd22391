// Draw the nodes around one node; a click goes to the node. The page works without it: the list says the same.
(() => {
  "use strict";

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const KINDS = ["acs_element", "topic", "regulatory_claim", "definition", "procedure", "artifact", "misconception"];

  const styles = () => [
    { selector: "node", style: {
      "label": "data(label)", "font-size": 11, "color": color("ink"), "text-wrap": "ellipsis", "text-max-width": 110,
      "text-valign": "bottom", "text-margin-y": 3, "width": 14, "height": 14 } },
    ...KINDS.map((kind) => ({ selector: `node.${kind}`, style: { "background-color": color(kind) } })),
    { selector: "node[ring = 0]", style: { "width": 26, "height": 26, "font-size": 15, "font-weight": "bold", "border-width": 4, "border-color": color("focus") } },
    { selector: "node[ring = 1]", style: { "font-size": 11, "text-max-width": 90 } },
    { selector: "node[ring = 1].crowded", style: { "label": "" } },
    { selector: "node[ring = 2]", style: { "label": "", "width": 10, "height": 10 } },
    { selector: "node.beside", style: { "label": "data(label)", "font-size": 14, "text-max-width": 220, "z-index": 9, "text-background-color": color("card"), "text-background-opacity": 0.9, "text-background-padding": 3 } },
    { selector: "node.pending", style: { "background-opacity": 0.35, "border-width": 2, "border-style": "dashed", "border-color": color("soft") } },
    { selector: "edge", style: {
      "width": 1.2, "line-color": color("line"), "target-arrow-color": color("soft"), "target-arrow-shape": "triangle",
      "arrow-scale": 0.7, "curve-style": "straight" } },
    { selector: "edge.pending", style: { "line-style": "dashed" } },
    { selector: "edge.near", style: { "label": "data(label)", "font-size": 9, "color": color("soft"), "line-color": color("soft"), "text-rotation": "autorotate" } },
    { selector: "node.far", style: { "opacity": 0.25 } },
  ];

  // The nodes of a ring take turns on its ellipses, which fill the frame: nothing is scaled down, so labels can be read.
  const ELLIPSES = [[0], [0.38, 0.6], [0.78, 0.88, 0.98]];
  const placesOf = (nodes, frame) => {
    const [x, y] = [frame.clientWidth / 2, frame.clientHeight / 2];
    const places = {};
    ELLIPSES.forEach((reaches, ring) => {
      const row = nodes.filter((node) => node.data.ring === ring);
      row.forEach((node, turn) => {
        const [angle, reach] = [(2 * Math.PI * turn) / row.length - Math.PI / 2, reaches[turn % reaches.length]];
        places[node.data.id] = { x: x + reach * (x - 24) * Math.cos(angle), y: y + reach * (y - 18) * Math.sin(angle) };
      });
    });
    return places;
  };

  function draw() {
    const place = document.getElementById("drawing");
    const data = document.getElementById("graph-data");
    if (!place || !data || typeof cytoscape === "undefined") return;
    const elements = JSON.parse(data.textContent);
    const drawn = cytoscape({
      container: place, elements, style: styles(),
      userZoomingEnabled: true, boxSelectionEnabled: false,
      layout: { name: "preset", positions: placesOf(elements.nodes, place), fit: false },
    });
    // Each neighbor's name takes 20 pixels of the width; where they would cover each other, the pointer shows one by one.
    const arrange = () => {
      const near = drawn.nodes("[ring = 1]"), places = placesOf(elements.nodes, place);
      near.toggleClass("crowded", near.length > place.clientWidth / 20);
      drawn.nodes().positions((node) => places[node.id()]);
    };
    arrange();
    drawn.on("resize", arrange);
    drawn.on("mouseover", "node", (event) => {
      const near = event.target.closedNeighborhood();
      place.title = event.target.data("title");
      drawn.elements().not(near).addClass("far");
      near.edges().addClass("near");
      near.nodes().addClass("beside");
    });
    drawn.on("mouseout", "node", () => { place.title = ""; drawn.elements().removeClass("far near beside"); });
    drawn.on("tap", "node[ring > 0]", (event) => walk(address(event.target.id())));
  }

  const address = (id) => window.location.pathname.replace(/[^/]+\/$/, `${id}/`) + window.location.search;

  // The next page replaces the middle of this one, so that walking keeps the script and the library.
  async function walk(url, remember = true) {
    const answer = await fetch(url, { headers: { "X-Requested-With": "fetch" } }).catch(() => null);
    if (!answer || !answer.ok) { window.location.assign(url); return; }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.getElementById("graph");
    if (!next) { window.location.assign(url); return; }
    document.getElementById("graph").replaceWith(next);
    document.title = page.title;
    if (remember) history.pushState({}, "", url);
    draw();
  }

  window.addEventListener("popstate", () => walk(window.location.href, false));
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
})();
