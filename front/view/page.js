// The page: panes with a graph each, what is chosen, keys, search.

const view = { panes: [], overlay: "", places: true, memory: false, at: 0, found: [], here: 0, frame: 0 };
const get = (id) => document.getElementById(id);

function newPane(graph) {
  const box = element("div", undefined, "pane"), canvas = element("canvas"), of = element("div", "", "of");
  canvas.setAttribute("aria-label", "graph");
  box.append(canvas, of);
  get("panes").append(box);
  const pane = { box, canvas, of, graph, scene: null, x: 0, y: 0, scale: 1, chosen: null, changes: null };
  listen(pane);
  return pane;
}

function redraw() {
  if (view.frame) return;
  view.frame = requestAnimationFrame(() => {
    view.frame = 0;
    view.panes.forEach(drawPane);
    if (view.memory) drawMemory();
    get("scale").textContent = Math.round(view.panes[0].scale * 100) + " %";
  });
}

// What stood in the middle stays there when the window or what is beside it changes its size.
function keepMiddle(pane) {
  const w = pane.canvas.clientWidth;
  if (pane.width && pane.width !== w) pane.x += (w - pane.width) / 2;
  pane.width = w;
}

function rebuild(pane) {
  pane.scene = buildScene(pane.graph);
  redraw();
}

function fit(pane) {
  const w = pane.canvas.clientWidth, h = pane.canvas.clientHeight, s = pane.scene;
  pane.width = w;
  pane.scale = Math.min(1, Math.max(0.02, Math.min((w - 24) / s.w, (h - 40) / s.h)));
  if (s.h * pane.scale < h * 0.5 || pane.scale > 0.5 || s.boxes.length > 200) return centre(pane);
  pane.scale = Math.min(0.9, Math.max(pane.scale, (w - 24) / s.w)); // a long graph is read from its top
  centre(pane);
}

function centre(pane) {
  const w = pane.canvas.clientWidth, h = pane.canvas.clientHeight, s = pane.scene;
  pane.x = (w - s.w * pane.scale) / 2;
  pane.y = Math.max(16, (h - s.h * pane.scale) / 2);
  redraw();
}

function zoom(pane, factor, x, y) {
  const scale = Math.min(3, Math.max(0.02, pane.scale * factor));
  pane.x = x - ((x - pane.x) * scale) / pane.scale;
  pane.y = y - ((y - pane.y) * scale) / pane.scale;
  pane.scale = scale;
  redraw();
}

function zoomMiddle(pane, factor) {
  zoom(pane, factor, pane.canvas.clientWidth / 2, pane.canvas.clientHeight / 2);
}

// Keeps WHAT where it is in the window while groups open and close.
function toggle(pane, group) {
  const before = pane.scene.at.get(group), at = before && { x: before.x, y: before.y };
  group.open = !group.open;
  rebuild(pane);
  const after = pane.scene.at.get(group);
  if (at && after) {
    pane.x += (at.x - after.x) * pane.scale;
    pane.y += (at.y - after.y) * pane.scale;
  }
  if (pane.chosen === group) showPanel(pane);
}

function openAll(open) {
  for (const pane of view.panes) {
    for (const group of pane.graph.groups) group.open = open || group.id === 0;
    rebuild(pane);
    fit(pane);
  }
}

function choose(pane, what, move) {
  pane.chosen = what;
  view.active = pane;
  showPanel(pane); // which takes a part of the window
  view.panes.forEach(keepMiddle);
  if (what && !what.children && move && reveal(what.row ? what.readers[0].node : what, pane.graph)) rebuild(pane);
  if (what && move) bringIn(pane, what);
  if (what && !what.children) chooseOther(pane, what);
  tellAddress(pane, what);
  redraw();
}

// The node of the other pane that corresponds to it is chosen, too.
function chooseOther(pane, node) {
  const other = view.panes.find((p) => p !== pane);
  if (!other || !view.pair) return;
  const partner = (pane === view.panes[0] ? view.pair.back : view.pair.partner).get(node.id);
  other.chosen = partner || null;
  if (!partner) return;
  if (reveal(partner, other.graph)) rebuild(other);
  bringIn(other, partner);
}

function bringIn(pane, what) {
  const box = what.children ? pane.scene.at.get(what) : pane.scene.at.get(boxOf(what.row ? what.readers[0].node : what, pane.graph));
  if (!box) return;
  const w = pane.canvas.clientWidth, h = pane.canvas.clientHeight;
  if (pane.scale < 0.5) pane.scale = 0.8;
  const x = box.x * pane.scale + pane.x, y = box.y * pane.scale + pane.y;
  if (x > 20 && y > 40 && x + box.w * pane.scale < w - 20 && y + box.h * pane.scale < h - 20) return;
  pane.x = w / 2 - (box.x + box.w / 2) * pane.scale;
  pane.y = h / 2 - (box.y + Math.min(box.h, 120) / 2) * pane.scale;
}

function tellAddress(pane, what) {
  if (what && what.children || location.protocol === "about:") return; // in a notebook it has no address
  const parts = what ? ["node=" + encodeURIComponent(what.name)] : [];
  if (what && pane.graph.nodes.find((n) => n.name === what.name) !== what) parts.push("n=" + what.id);
  if (view.at > 0) parts.push("graph=" + view.at);
  history.replaceState(null, "", "#" + parts.join("&"));
}

function followAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1).replace(/\+/g, "%2B"));
  if (wanted.has("graph")) showGraphs(Math.min(data.graphs.length - 1, Math.max(0, +wanted.get("graph") || 0)));
  if (!wanted.has("node")) return;
  const pane = view.panes[0], name = wanted.get("node");
  const node = pane.graph.nodes[wanted.get("n")] || pane.graph.nodes.find((n) => n.name === name);
  if (node && node.name === name) choose(pane, node, true);
  else tell("there is no node " + name);
}

function boxAt(pane, x, y) {
  const gx = (x - pane.x) / pane.scale, gy = (y - pane.y) / pane.scale, boxes = pane.scene.boxes;
  for (let k = boxes.length - 1; k >= 0; k--) {
    const b = boxes[k];
    if (gx >= b.x && gx <= b.x + b.w && gy >= b.y && gy <= b.y + b.h) return b;
  }
  return null;
}

function lineAt(pane, x, y) {
  const gx = (x - pane.x) / pane.scale, gy = (y - pane.y) / pane.scale, near = 5 / pane.scale;
  return pane.scene.lines.find((l) => {
    const b = l.bounds;
    if (gx < b[0] || gx > b[2] || gy < b[1] || gy > b[3]) return false;
    for (let k = 1; k < l.points.length; k++) {
      const [x0, y0] = l.points[k - 1], [x1, y1] = l.points[k];
      if (gy < Math.min(y0, y1) || gy > Math.max(y0, y1)) continue;
      const t = y1 === y0 ? 0 : (gy - y0) / (y1 - y0), s = t * t * (3 - 2 * t);
      if (Math.abs(x0 + (x1 - x0) * s - gx) < near) return true;
    }
    return false;
  }) || null;
}

function listen(pane) {
  const c = pane.canvas;
  let from = null;
  c.addEventListener("wheel", (e) => {
    e.preventDefault();
    if (e.ctrlKey || e.metaKey) zoom(pane, Math.exp(-e.deltaY * 0.01), e.offsetX, e.offsetY);
    else if (e.shiftKey) { pane.x -= e.deltaY || e.deltaX; redraw(); }
    else { pane.x -= e.deltaX; pane.y -= e.deltaY; redraw(); }
    hideHover();
  }, { passive: false });
  c.addEventListener("pointerdown", (e) => { from = { x: e.clientX, y: e.clientY, px: pane.x, py: pane.y, moved: false }; c.setPointerCapture(e.pointerId); });
  c.addEventListener("pointermove", (e) => {
    if (!from) return look(pane, e);
    from.moved = from.moved || Math.hypot(e.clientX - from.x, e.clientY - from.y) > 4;
    if (!from.moved) return;
    c.classList.add("dragged");
    pane.x = from.px + e.clientX - from.x;
    pane.y = from.py + e.clientY - from.y;
    redraw();
  });
  c.addEventListener("pointerup", (e) => {
    const clicked = from && !from.moved;
    from = null;
    c.classList.remove("dragged");
    if (clicked) click(pane, e);
  });
  c.addEventListener("pointerleave", hideHover);
}

function click(pane, e) {
  const box = boxAt(pane, e.offsetX, e.offsetY);
  if (box && box.what.children) toggle(pane, box.what);
  choose(pane, box ? box.what : null, false);
}

function look(pane, e) {
  const box = boxAt(pane, e.offsetX, e.offsetY);
  pane.canvas.classList.toggle("over", !!box);
  if (box && !box.open) return showHover(e, hoverParts(box.what, pane));
  const found = lineAt(pane, e.offsetX, e.offsetY);
  if (found) showHover(e, found.values.slice(0, 6).flatMap(hoverLine));
  else hideHover();
}

function step(pane, key) {
  const node = pane.chosen;
  if (!node || node.children) return node ? null : choose(pane, firstBox(pane), true);
  const above = node.inputs.find((x) => x && x.from && !x.from.row) || node.inputs.find((x) => x && x.from);
  const next = key === "ArrowUp" ? above && above.from
    : key === "ArrowDown" ? node.readers[0] && node.readers[0].node : sideways(pane, node, key === "ArrowRight" ? 1 : -1);
  if (next) choose(pane, next, true);
}

function firstBox(pane) {
  const boxes = pane.scene.boxes.filter((b) => !b.open);
  return boxes.length ? boxes.reduce((a, b) => (b.y < a.y || (b.y === a.y && b.x < a.x) ? b : a)).what : null;
}

function sideways(pane, node, way) {
  const here = pane.scene.at.get(node);
  if (!here) return null;
  const row = pane.scene.boxes.filter((b) => b.what !== node && !b.open && b.y < here.y + here.h && b.y + b.h > here.y && (b.x - here.x) * way > 0);
  return row.length ? row.reduce((a, b) => (Math.abs(b.x - here.x) < Math.abs(a.x - here.x) ? b : a)).what : null;
}

function enter(pane) {
  const what = pane.chosen;
  if (!what) return;
  if (what.children) return toggle(pane, what);
  const group = pane.graph.groups[what.group];
  if (group && group.id > 0) { toggle(pane, group); choose(pane, group, true); }
}

function press(e) {
  const pane = view.active || view.panes[0];
  if (e.target.id === "search") return searchKey(e);
  if (e.ctrlKey || e.metaKey || e.altKey || get("keys").open || e.target.tagName === "SELECT" || e.target.type === "range") return;
  const acts = {
    "/": () => get("search").focus(), Escape: () => choose(pane, null), Enter: () => enter(pane), "?": showKeys,
    "+": () => zoomMiddle(pane, 1.25), "=": () => zoomMiddle(pane, 1.25), "-": () => zoomMiddle(pane, 0.8),
    "0": () => view.panes.forEach(fit), "[": () => showGraphs(view.at - 1), "]": () => showGraphs(view.at + 1),
  };
  const arrow = e.key.startsWith("Arrow");
  if (!arrow && !acts[e.key]) return;
  if (e.key === "Enter" && e.target.tagName === "BUTTON") return;
  e.preventDefault();
  if (arrow) step(pane, e.key);
  else acts[e.key]();
}

function search() {
  const words = get("search").value.toLowerCase().split(/\s+/).filter((w) => w);
  const g = (view.active || view.panes[0]).graph;
  view.here = 0;
  view.found = words.length === 0 ? [] : g.nodes.filter((n) => {
    n.sought = n.sought || (n.name + " " + n.opText + " " + n.types.join(" ")).toLowerCase();
    return words.every((w) => n.sought.includes(w));
  });
  showFound(words.length > 0);
}

function showFound(asked) {
  const list = get("found");
  list.hidden = !asked;
  list.replaceChildren(...view.found.slice(0, 50).map((n, k) => {
    const row = element("div", n.name, k === view.here ? "here" : "");
    row.append(" ", element("small", n.opText + "  " + (n.types[0] || "")));
    row.addEventListener("mousedown", (e) => { e.preventDefault(); view.here = k; goToFound(); });
    return row;
  }));
  if (asked && view.found.length !== 1) list.append(element("div", view.found.length + " nodes" + (view.found.length > 50 ? ", of which 50 are listed" : "")));
}

function goToFound() {
  const node = view.found[view.here];
  if (!node) return;
  choose(view.active || view.panes[0], node, true);
  get("found").hidden = true;
}

function searchKey(e) {
  if (e.key === "Enter") { e.preventDefault(); goToFound(); get("search").blur(); }
  if (e.key === "Escape") { get("search").value = ""; search(); get("search").blur(); }
  if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
  e.preventDefault();
  const n = Math.min(50, view.found.length) || 1;
  view.here = (view.here + (e.key === "ArrowDown" ? 1 : n - 1)) % n;
  showFound(true);
  const row = get("found").children[view.here];
  if (row) row.scrollIntoView({ block: "nearest" });
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  readColours();
  redraw();
  if (view.active) showPanel(view.active);
}

function tell(said) {
  get("told").textContent = said;
}

// One graph, or graph AT and the one before it beside each other.
function showGraphs(at) {
  if (at < 0 || at >= data.graphs.length) return;
  const compared = data.graphs.length > 1, name = view.active && view.active.chosen && view.active.chosen.name;
  view.at = compared ? Math.max(1, at) : 0;
  view.pair = compared ? pairGraphs(view.at) : null;
  const shown = compared ? [view.pair.before, view.pair.after] : [graphAt(0)];
  if (view.panes.length === 0) view.panes = shown.map(newPane);
  shown.forEach((g, k) => {
    const pane = view.panes[k];
    pane.graph = g;
    pane.changes = compared ? (k === 0 ? view.pair.gone : view.pair.changes) : null;
    pane.of.textContent = g.title;
    pane.of.hidden = !compared;
    pane.chosen = null;
    if (!g.opened) { openSome(g); g.opened = true; }
    if (compared) openChanged(pane);
    rebuild(pane);
    fit(pane);
  });
  if (compared) tellPair();
  const kept = name && view.panes[1] && view.panes[1].graph.nodes.find((n) => n.name === name);
  if (kept) choose(view.panes[1], kept, true);
  else showPanel(view.panes[0]);
  get("step").value = view.at;
}

// What has changed is seen, if it is not too much.
function openChanged(pane) {
  if (pane.changes.size > 40) return;
  for (const id of pane.changes.keys()) if (!pane.graph.nodes[id].row) reveal(pane.graph.nodes[id], pane.graph);
  const first = [...pane.changes.keys()].find((id) => !pane.graph.nodes[id].row);
  pane.first = first === undefined ? null : pane.graph.nodes[first];
}

function tellPair() {
  const counts = new Map();
  for (const bits of view.pair.changes.values()) if (!(bits & 2)) counts.set("changed", (counts.get("changed") || 0) + 1);
  for (const bits of view.pair.changes.values()) if (bits & 2) counts.set("added", (counts.get("added") || 0) + 1);
  for (const bits of view.pair.gone.values()) if (bits & 1) counts.set("removed", (counts.get("removed") || 0) + 1);
  const said = [...counts].map(([word, n]) => n + " " + word).join(", ") || "no difference";
  tell((data.graphs.length > 2 ? "step " + view.at + " of " + (data.graphs.length - 1) + ": " : "") + said);
}

function fillOverlays() {
  const names = new Set(["", ...data.graphs.flatMap((g) => g.overlays.map((o) => o.name)), "bytes"]);
  for (const name of names) {
    const option = element("option", name || "none");
    option.value = name;
    get("overlay").append(option);
  }
  const measured = data.graphs.flatMap((g) => g.overlays)[0];
  if (measured) get("overlay").value = view.overlay = measured.name;
}

function listenToBar() {
  const on = (id, event, f) => get(id).addEventListener(event, f);
  on("fit", "click", () => view.panes.forEach(fit));
  on("open-all", "click", () => openAll(true));
  on("close-all", "click", () => openAll(false));
  on("help", "click", showKeys);
  on("theme", "click", () => setTheme(colours.dark ? "light" : "dark"));
  on("overlay", "change", (e) => { view.overlay = e.target.value; redraw(); });
  on("places", "change", (e) => { view.places = e.target.checked; redraw(); });
  on("memory", "change", (e) => showMemory(e.target.checked));
  on("search", "input", search);
  on("search", "blur", () => { get("found").hidden = true; });
  on("step", "input", (e) => showGraphs(+e.target.value));
  on("earlier", "click", () => showGraphs(view.at - 1));
  on("later", "click", () => showGraphs(view.at + 1));
}

function showMemory(shown) {
  view.memory = shown;
  get("memory-view").hidden = !shown;
  view.panes.forEach(fit);
}

function begin() {
  const started = performance.now(), n = data.graphs.length;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  setThemeFirst(dark.matches);
  dark.addEventListener("change", (e) => setTheme(e.matches ? "dark" : "light"));
  get("title").textContent = data.title.replace(/.*[/\\]/, "");
  get("title").title = data.title;
  get("steps").hidden = n < 3;
  get("step").min = 1;
  get("step").max = n - 1;
  get("memory-choice").hidden = !data.graphs[0].plan;
  fillOverlays();
  listenToBar();
  listenToMemory();
  tell(graphAt(0).nodes.filter((x) => !x.row).length + " nodes; laid out " + (data.dot ? "by dot" : "by the page" + (data.why ? ": " + data.why : "")));
  showGraphs(n - 1 > 1 ? 1 : n - 1);
  followAddress();
  window.addEventListener("hashchange", followAddress);
  window.addEventListener("keydown", press);
  new ResizeObserver(redraw).observe(get("panes"));
  view.ready = performance.now() - started;
}

function setThemeFirst(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  readColours();
}

begin();
window.inlay = { view, data, graphAt, choose, fit, rebuild, boxAt, linesOf, widthOf, sizeOfNode, outTypes, memory };
