// What is seen of a graph when some groups are open: boxes and lines with positions.

const HEAD = 24, PAD = 14, LINE = 16, MOST_TEXT = 34;
const NOTE_WORDS = ["", "view of", "overwrites", "into"];
const OP_FONT = "600 13px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
const TEXT_FONT = "11px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();

// The sum of what the characters take: a name is measured once in 10,000 nodes, its characters are few.
function widthOf(text, font) {
  let sum = 0;
  for (const c of text) {
    const key = font[0] + c;
    let width = widths.get(key);
    if (width === undefined) {
      pen.font = font;
      widths.set(key, (width = pen.measureText(c).width));
    }
    sum += width;
  }
  return sum;
}

function shorten(text, most = MOST_TEXT) {
  if (text.length <= most) return text;
  const tail = Math.floor(most * 0.6);
  return text.slice(0, most - tail - 1) + "…" + text.slice(-tail);
}

// The texts of a node's box: operation, name, a row for each constant, and what it copies.
function linesOf(node) {
  if (node.lines) return node.lines;
  const rows = [];
  node.inputs.forEach((x, k) => {
    if (!x || !x.from || !x.from.row || rows.length > 5) return;
    const name = node.operands[Math.min(k, node.operands.length - 1)] || "";
    const said = x.from.few !== null ? x.from.few : x.from.types[0];
    rows.push({ text: shorten(name + "  " + said), node: x.from, bars: x.from.record.h || "" });
  });
  rows.push(...placeRows(node));
  node.lines = { op: node.kind === "in" ? "input" : node.kind === "out" ? "output" : shorten(node.op), name: shorten(node.name), rows };
  return node.lines;
}

function placeRows(node) {
  const rows = node.notes.map((note) => ({
    buffer: node.buffers[note.out], bars: "", text: NOTE_WORDS[note.kind] + " " + shorten(note.target.name, 24),
  }));
  const own = (node.buffers || []).findIndex((b, out) => b && !node.notes.some((n) => n.out === out));
  if (own >= 0) rows.push({ buffer: node.buffers[own], bars: "", text: "is the buffer" });
  return rows;
}

function outTypes(node) {
  const types = [...new Set(node.types)];
  return types.length === 0 ? "" : shorten(types[0]) + (types.length > 1 ? " …" : node.types.length > 1 ? " ×" + node.types.length : "");
}

function sizeOfNode(node) {
  if (node.size) return node.size;
  const lines = linesOf(node);
  let w = Math.max(widthOf(lines.op, OP_FONT), widthOf(lines.name, TEXT_FONT), 2 * (widthOf(outTypes(node), TEXT_FONT) - 18), 60);
  for (const row of lines.rows) w = Math.max(w, widthOf(row.text, TEXT_FONT) + (row.bars ? 58 : 0) + (row.buffer ? 24 : 0));
  let h = 44 + LINE * lines.rows.length;
  node.badge = badgeOf(node);
  if (node.badge) { w = Math.max(w, widthOf(node.badge, TEXT_FONT) + 14); h += 18; }
  node.size = { w: Math.ceil(w) + 26, h };
  return node.size;
}

// Each copy with its bytes.
function badgeOf(node) {
  const said = Math.max(node.copied, ...node.remarks.map((r) => r.bytes), 0);
  if (said > 0) return "copies " + describeBytes(said);
  return node.remarks.some((r) => r.refused) ? "not in place" : "";
}

function titleOf(group, g) {
  if (group.kind === "node") return g.nodes[group.owner].op + "  " + shorten(group.name, 24);
  return shorten(group.name);
}

function summaryOf(group, g) {
  if (group.summary === undefined) {
    const counts = new Map();
    countOps(group, counts);
    const sorted = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
    group.summary = [group.count + " nodes", ...sorted.map(([op, n]) => shorten(op, 20) + " ×" + n)];
  }
  return group.summary;
}

function countOps(group, counts) {
  for (const child of group.children) {
    if (child.group) countOps(child.group, counts);
    else if (!child.node.kind) counts.set(child.node.op, (counts.get(child.node.op) || 0) + 1);
  }
}

function sizeOfClosed(group, g) {
  if (!group.size) {
    const rows = summaryOf(group, g);
    const w = Math.max(widthOf("▸ " + titleOf(group, g), OP_FONT), ...rows.map((t) => widthOf(t, TEXT_FONT)));
    group.size = { w: Math.ceil(w) + 30, h: 30 + LINE * rows.length };
  }
  return group.size;
}

// The open groups from the outermost to the box that stands for NODE, which is the last. Kept until groups open
// or close.
function chainOf(node, g) {
  if (node.stamp !== g.stamp) {
    const group = node.owns >= 0 ? node.owns : node.group, chain = chainOfGroup(g.groups[group], g);
    const hidden = chain[chain.length - 1].id !== 0 && !chain[chain.length - 1].open;
    node.chain = node.owns >= 0 || hidden ? chain : [...chain, node];
    node.stamp = g.stamp;
  }
  return node.chain;
}

function chainOfGroup(group, g) {
  if (group.stamp !== g.stamp) {
    const above = group.parent < 0 ? [] : chainOfGroup(g.groups[group.parent], g), last = above[above.length - 1];
    group.chain = last && last.id !== 0 && !last.open ? above : [...above, group];
    group.stamp = g.stamp;
  }
  return group.chain;
}

function boxOf(node, g) {
  const chain = chainOf(node, g);
  return chain[chain.length - 1];
}

// For each open group its items, with ports for what comes from outside and leaves, and arrows.
function collect(g) {
  const levels = new Map();
  g.stamp = (g.stamp || 0) + 1;
  const visit = (group) => {
    const level = { group, items: new Map(), arrows: new Map() };
    levels.set(group, level);
    group.children.forEach((child, k) => {
      const what = child.group || child.node;
      level.items.set(what, { what, order: child.group ? child.group.first : child.node.id, place: placeIn(group, k) });
      if (child.group && child.group.open) visit(child.group);
    });
  };
  visit(g.groups[0]);
  for (const node of g.nodes) {
    const to = node.row || node.group < 0 ? null : chainOf(node, g);
    if (!to) continue;
    node.inputs.forEach((x, k) => { if (!(isOpen(node, g) && node.enters && node.enters.has(k))) connectValue(levels, x, to, g); });
    if (node.given) connectValue(levels, node.given, to, g);
  }
  return levels;
}

function isOpen(node, g) {
  return node.owns >= 0 && g.groups[node.owns].open && chainOf(node, g).at(-1) === g.groups[node.owns];
}

// Lines from what makes X: of an open node with bodies, from the Results that give it.
function connectValue(levels, x, to, g) {
  if (!x || !x.from || x.from.row) return;
  const gives = isOpen(x.from, g) && x.from.gives ? x.from.gives[x.out] : null;
  for (const from of gives || [x.from]) connectBoxes(levels, chainOf(from, g), to, x.from, x.out);
}

function placeIn(group, k) {
  return group.places ? { x: group.places[2 * k], y: group.places[2 * k + 1] } : null;
}

function connectBoxes(levels, from, to, source, out) {
  let k = 0;
  while (k < from.length && k < to.length && from[k] === to[k]) k++;
  if (k >= from.length || k >= to.length || k === 0) return;
  const level = levels.get(from[k - 1]);
  const key = source.id + "." + out;
  const inside = from.length > k + 1 || to.length > k + 1;
  addArrow(level, from[k], to[k], inside ? key : "", source, out, from.length > k + 1, to.length > k + 1);
  for (let i = k; i + 1 < from.length; i++) addArrow(levels.get(from[i]), from[i + 1], port(levels.get(from[i]), "bottom", key, source), key, source, out, i + 2 < from.length, false);
  for (let i = k; i + 1 < to.length; i++) addArrow(levels.get(to[i]), port(levels.get(to[i]), "top", key, source), to[i + 1], key, source, out, false, i + 2 < to.length);
}

function port(level, side, key, source) {
  const name = side + key;
  if (!level.items.has(name)) {
    level.items.set(name, { what: name, w: 2, h: 0, port: key, [side]: true, order: side === "top" ? -1 : Infinity, source });
  }
  return name;
}

function addArrow(level, from, to, key, source, out, fromPort, toPort) {
  const name = idOf(from) + ">" + idOf(to) + ">" + key;
  const old = level.arrows.get(name);
  if (old) {
    if (!old.values.some((v) => v.source === source && v.out === out)) old.values.push({ source, out });
    return;
  }
  level.arrows.set(name, {
    from: level.items.get(from), to: level.items.get(to), values: [{ source, out }],
    fromPort: fromPort ? "bottom" + source.id + "." + out : null, toPort: toPort ? "top" + source.id + "." + out : null,
  });
}

function idOf(x) {
  return typeof x === "string" ? x : x.children ? "g" + x.id : "n" + x.id;
}

// Lays the level of GROUP out, its open groups first; what has not changed is taken as it was.
function layOut(group, levels, g) {
  const level = levels.get(group), items = [...level.items.values()], arrows = [...level.arrows.values()];
  for (const item of items) {
    if (item.port) continue;
    const what = item.what;
    const size = !what.children ? sizeOfNode(what) : what.open ? layOut(what, levels, g) : sizeOfClosed(what, g);
    item.w = size.w;
    item.h = size.h;
  }
  for (const a of arrows) {
    a.out = a.fromPort ? portOffset(levels.get(a.from.what), a.fromPort, a.from.w) : 0;
    a.in = a.toPort ? portOffset(levels.get(a.to.what), a.toPort, a.to.w) : 0;
  }
  const size = layered(items, arrows);
  const title = group.id === 0 ? 0 : widthOf("▾ " + titleOf(group, g), OP_FONT) + 24;
  level.shift = Math.max(0, (title - size.w) / 2);
  return { w: Math.max(size.w, title) + 2 * PAD, h: size.h + HEAD + 2 * PAD };
}

function portOffset(level, name, width) {
  const item = level.items.get(name);
  return PAD + level.shift + item.mid - width / 2;
}

function buildScene(g) {
  const levels = collect(g), size = layOut(g.groups[0], levels, g);
  const scene = { w: size.w, h: size.h, boxes: [], lines: [], at: new Map() };
  place(g.groups[0], levels, 0, 0, 0, scene, g);
  scene.boxes.sort((a, b) => a.depth - b.depth);
  for (const line of scene.lines) line.bounds = boundsOf(line.points);
  return scene;
}

function place(group, levels, x, y, depth, scene, g) {
  const level = levels.get(group);
  const left = x + PAD + level.shift, top = y + PAD + HEAD, title = x + 16 + widthOf("▾ " + titleOf(group, g), OP_FONT);
  for (const item of level.items.values()) {
    if (item.port) continue;
    const box = { x: left + item.x, y: top + item.y, w: item.w, h: item.h, end: top + item.rowEnd, what: item.what, depth, open: !!item.what.open };
    scene.boxes.push(box);
    scene.at.set(item.what, box);
    if (box.open) place(item.what, levels, box.x, box.y, depth + 1, scene, g);
  }
  for (const a of level.arrows.values()) {
    const points = a.points.map(([px, py]) => [left + px, top + py]);
    if (a.from.top) points[0][1] = group.id !== 0 && points[0][0] > title ? y : y + HEAD;
    if (a.to.bottom) points[points.length - 1][1] = y + (level.h = bottomOf(level)) + HEAD + 2 * PAD;
    scene.lines.push({ points, values: a.values, ends: !a.to.bottom && !a.toPort, begins: !a.from.top && !a.fromPort });
  }
}

function bottomOf(level) {
  return Math.max(...[...level.items.values()].map((item) => item.y + item.h));
}

function boundsOf(points) {
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  return [Math.min(...xs) - 40, Math.min(...ys), Math.max(...xs) + 40, Math.max(...ys)];
}

// Opens groups, the smallest first, as long as few boxes are seen.
function openSome(g, most = 80) {
  for (const group of g.groups) group.open = group.id === 0;
  let seen = g.groups[0].children.length;
  const waiting = g.groups[0].children.filter((c) => c.group).map((c) => c.group);
  while (waiting.length > 0) {
    waiting.sort((a, b) => a.children.length - b.children.length);
    const group = waiting.shift();
    if (seen + group.children.length > most) return;
    group.open = true;
    seen += group.children.length;
    waiting.push(...group.children.filter((c) => c.group).map((c) => c.group));
  }
}

function reveal(node, g) {
  let opened = false;
  for (let k = node.owns >= 0 ? g.groups[node.owns].parent : node.group; k > 0; k = g.groups[k].parent) {
    opened = opened || !g.groups[k].open;
    g.groups[k].open = true;
  }
  return opened;
}
