// Draws the part of a scene that is in the window. Colours for buffers are Okabe and Ito's, which the
// colour-blind can tell; a letter says the same.

const BUFFER_COLOURS = ["#E69F00", "#56B4E9", "#009E73", "#CC79A7", "#0072B2", "#F0E442"];
const FAR = 0.32; // below this scale texts are left out
let colours = {};

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const names = ["ground", "box", "text", "faint", "line", "edge", "group", "group-line", "mark", "copy", "on-copy", "io", "added", "removed", "changed"];
  colours = Object.fromEntries(names.map((n) => [n, style.getPropertyValue("--" + n).trim()]));
  colours.dark = document.documentElement.dataset.theme === "dark";
}

function bufferColour(buffer) {
  return BUFFER_COLOURS[buffer.index % BUFFER_COLOURS.length];
}

// From white to blue, of equal steps in lightness; in the dark from grey to yellow.
function heat(part) {
  const p = Math.sqrt(Math.min(1, Math.max(0, part)));
  const [a, b] = colours.dark ? [[35, 40, 47], [240, 196, 60]] : [[255, 255, 255], [60, 130, 190]];
  return `rgb(${a.map((x, k) => Math.round(x + (b[k] - x) * p)).join(" ")})`;
}

function drawPane(pane) {
  keepMiddle(pane);
  const { canvas, scene } = pane, ratio = window.devicePixelRatio || 1;
  const [w, h] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = colours.ground;
  c.fillRect(0, 0, w, h);
  if (!scene) return;
  c.translate(pane.x, pane.y);
  c.scale(pane.scale, pane.scale);
  const part = [-pane.x / pane.scale, -pane.y / pane.scale, (w - pane.x) / pane.scale, (h - pane.y) / pane.scale];
  const boxes = scene.boxes.filter((b) => b.x < part[2] && b.x + b.w > part[0] && b.y < part[3] && b.y + b.h > part[1]);
  pane.drawn = boxes.length;
  for (const box of boxes) if (box.open) drawOpenGroup(c, box, pane);
  drawLines(c, pane, part);
  drawBacks(c, pane, part);
  if (view.places) drawPlaces(c, pane, part);
  for (const box of boxes) if (!box.open) (box.what.children ? drawClosedGroup : drawNode)(c, box, pane);
}

function roundBox(c, x, y, w, h, r) {
  c.beginPath();
  c.roundRect(x, y, w, h, r);
}

function write(c, text, x, y, font, colour) {
  c.font = font;
  c.fillStyle = colour;
  c.fillText(text, x, y);
}

function outline(c, box, pane, usual) {
  const chosen = pane.chosen && pane.chosen === box.what;
  c.lineWidth = chosen ? 3 : 1;
  c.strokeStyle = chosen ? colours.mark : usual;
  c.stroke();
}

function drawOpenGroup(c, box, pane) {
  roundBox(c, box.x, box.y, box.w, box.h, 8);
  c.fillStyle = box.depth % 2 ? colours.ground : colours.group;
  c.fill();
  outline(c, box, pane, colours["group-line"]);
  if (pane.scale > FAR) write(c, "▾ " + titleOf(box.what, pane.graph), box.x + 10, box.y + 17, OP_FONT, colours.faint);
}

function drawClosedGroup(c, box, pane) {
  const overlay = pane.graph.overlays.get(view.overlay);
  c.globalAlpha = 0.7;
  roundBox(c, box.x + 3, box.y + 3, box.w, box.h, 8);
  c.strokeStyle = colours["group-line"];
  c.lineWidth = 1;
  c.stroke();
  c.globalAlpha = 1;
  roundBox(c, box.x, box.y, box.w, box.h, 8);
  c.fillStyle = overlay ? heat(sumOf(box.what, overlay) / totalOf(pane.graph, overlay)) : colours.group;
  c.fill();
  const change = changeOfGroup(box.what, pane);
  outline(c, box, pane, change ? colours.changed : colours["group-line"]);
  if (pane.scale <= FAR) return;
  const ink = overlay ? inkOn(sumOf(box.what, overlay) / totalOf(pane.graph, overlay)) : [colours.text, colours.faint];
  write(c, "▸ " + titleOf(box.what, pane.graph), box.x + 12, box.y + 20, OP_FONT, ink[0]);
  const rows = [...summaryOf(box.what, pane.graph)];
  if (overlay) rows[0] = describeNumber(sumOf(box.what, overlay), overlay.unit);
  else if (change) rows[0] = change + " of " + box.what.count + " changed";
  else if (marksOf(box.what).copied) rows[0] = "copies " + describeBytes(marksOf(box.what).copied);
  rows.forEach((t, k) => write(c, t, box.x + 14, box.y + 37 + LINE * k, TEXT_FONT,
    k === 0 && !overlay && !change && marksOf(box.what).copied ? colours.copy : ink[1]));
}

// What a closed group hides: bytes that are copied in it.
function marksOf(group) {
  if (!group.marks) {
    group.marks = { copied: 0 };
    for (const child of group.children) {
      group.marks.copied += child.group ? marksOf(child.group).copied : child.node.copied;
    }
  }
  return group.marks;
}

function inkOn(part) {
  const strong = Math.sqrt(Math.min(1, part)) > 0.55;
  return strong ? (colours.dark ? ["#14171b", "#333a44"] : ["#0b1a26", "#1d3347"]) : [colours.text, colours.faint];
}

function sumOf(group, overlay) {
  overlay.sums = overlay.sums || new Map();
  if (!overlay.sums.has(group)) {
    let sum = group.owner >= 0 ? overlay.numbers.get(group.owner) || 0 : 0;
    for (const child of group.children) {
      const x = child.group ? sumOf(child.group, overlay) : overlay.numbers.get(child.node.id) || 0;
      sum = overlay.name === "error" ? Math.max(sum, x) : sum + x;
    }
    overlay.sums.set(group, sum);
  }
  return overlay.sums.get(group);
}

function totalOf(g, overlay) {
  return Math.max(sumOf(g.groups[0], overlay), 1e-300);
}

function changeOfGroup(group, pane) {
  if (!pane.changes) return 0;
  let n = group.owner >= 0 && pane.changes.has(group.owner) ? 1 : 0;
  for (const child of group.children) n += child.group ? changeOfGroup(child.group, pane) : pane.changes.has(child.node.id);
  return n;
}

function changeColour(bits) {
  return bits & 1 ? colours.removed : bits & 2 ? colours.added : colours.changed;
}

function changeWord(bits) {
  const words = ["removed", "added", "changed", "reconnected", "retyped"];
  return words.filter((w, k) => bits & (1 << k)).join(", ");
}

function drawNode(c, box, pane) {
  const node = box.what, overlay = pane.graph.overlays.get(view.overlay);
  const number = overlay ? overlay.numbers.get(node.id) : undefined;
  const part = number === undefined ? 0 : number / (overlay.most || 1);
  const bits = pane.changes ? pane.changes.get(node.id) || 0 : 0;
  roundBox(c, box.x, box.y, box.w, box.h, node.kind ? 14 : 5);
  c.fillStyle = overlay ? heat(part) : node.kind ? colours.io : colours.box;
  c.fill();
  outline(c, box, pane, bits ? changeColour(bits) : colours.line);
  if (bits) drawChange(c, box, bits);
  if (view.places) drawBuffers(c, box, node);
  if (pane.scale <= FAR) return;
  const ink = overlay ? inkOn(part) : [colours.text, colours.faint];
  const lines = linesOf(node);
  write(c, lines.op, box.x + 13, box.y + 19, OP_FONT, ink[0]);
  if (number !== undefined) drawNumber(c, box, describeNumber(number, overlay.unit), ink[0]);
  write(c, lines.name, box.x + 13, box.y + 34, TEXT_FONT, ink[1]);
  lines.rows.forEach((row, k) => drawRow(c, box, row, box.y + 50 + LINE * k, rowColour(row, pane) || ink[1]));
  if (node.badge && view.places) drawBadge(c, box, node.badge);
}

// A constant that has changed is told in the box of its reader.
function rowColour(row, pane) {
  const bits = row.node && pane.changes ? pane.changes.get(row.node.id) : 0;
  return bits ? changeColour(bits) : "";
}

function drawNumber(c, box, text, colour) {
  c.textAlign = "right";
  if (widthOf(text, TEXT_FONT) + widthOf(linesOf(box.what).op, OP_FONT) + 30 < box.w) write(c, text, box.x + box.w - 9, box.y + 18, TEXT_FONT, colour);
  c.textAlign = "left";
}

function drawChange(c, box, bits) {
  c.lineWidth = 2.5;
  c.setLineDash(bits & 1 ? [6, 4] : []);
  c.strokeStyle = changeColour(bits);
  c.stroke();
  c.setLineDash([]);
}

function drawRow(c, box, row, y, colour) {
  if (row.buffer) {
    if (view.places) drawPlace(c, box, row, y, colour);
    return;
  }
  write(c, row.text, box.x + 13, y, TEXT_FONT, colour);
  if (!row.bars) return;
  c.fillStyle = colour;
  const left = box.x + box.w - 57;
  [...row.bars].forEach((digit, k) => c.fillRect(left + 3 * k, y - (+digit * 10) / 9, 2.2, (+digit * 10) / 9 + 0.6));
}

// "A view of rows", the letter on the colour of its buffer.
function drawPlace(c, box, row, y, colour) {
  const letter = letterOf(row.buffer), w = widthOf(letter, TEXT_FONT) + 8;
  roundBox(c, box.x + 13, y - 10, w, 13, 3);
  c.fillStyle = bufferColour(row.buffer);
  c.fill();
  write(c, letter, box.x + 17, y, TEXT_FONT, row.buffer.index % 6 === 4 ? "#ffffff" : "#101418");
  write(c, row.text, box.x + 18 + w, y, TEXT_FONT, colour);
}

function drawBadge(c, box, text) {
  const w = widthOf(text, TEXT_FONT) + 14;
  roundBox(c, box.x + 11, box.y + box.h - 21, w, 16, 8);
  c.fillStyle = colours.copy;
  c.fill();
  write(c, text, box.x + 18, box.y + box.h - 9, TEXT_FONT, colours["on-copy"]);
}

// A band at the left for each buffer of the node's outputs, with its letter.
function drawBuffers(c, box, node) {
  const buffer = (node.buffers || []).find((b) => b);
  if (!buffer) return;
  c.fillStyle = bufferColour(buffer);
  c.beginPath();
  c.roundRect(box.x, box.y, 8, box.h, [5, 0, 0, 5]);
  c.fill();
}

function drawLines(c, pane, part) {
  const strong = [];
  c.lineWidth = Math.max(1, 0.8 / pane.scale);
  c.strokeStyle = colours.edge;
  c.beginPath();
  for (const line of pane.scene.lines) {
    const b = line.bounds;
    if (b[0] > part[2] || b[2] < part[0] || b[1] > part[3] || b[3] < part[1]) continue;
    if (isStrong(line, pane)) { strong.push(line); continue; }
    trace(c, line.points);
    if (line.ends && pane.scale > FAR) tip(c, line.points);
  }
  c.stroke();
  for (const line of strong) drawStrong(c, line, pane);
  if (pane.scale > 0.5) drawTypes(c, pane, part);
}

function isStrong(line, pane) {
  const chosen = pane.chosen && !pane.chosen.children ? pane.chosen : null;
  return (chosen && line.values.some((v) => v.source === chosen || chosen.inputs.some((x) => x && x.from === v.source && x.out === v.out) && leadsTo(line, chosen, pane))) ||
    (view.places && line.values.some((v) => v.source.buffers && v.source.buffers[v.out]));
}

function leadsTo(line, node, pane) {
  const box = pane.scene.at.get(node), end = line.points[line.points.length - 1];
  return !box || (Math.abs(end[1] - box.y) < 1 && end[0] >= box.x && end[0] <= box.x + box.w);
}

function drawStrong(c, line, pane) {
  const buffer = view.places && line.values.map((v) => v.source.buffers && v.source.buffers[v.out]).find((b) => b);
  c.beginPath();
  trace(c, line.points);
  c.lineWidth = buffer ? 3.5 : 2.2;
  c.strokeStyle = buffer ? bufferColour(buffer) : colours.mark;
  c.stroke();
  if (!line.ends) return;
  c.beginPath();
  tip(c, line.points);
  c.lineWidth = 1.5;
  c.stroke();
}

// A curve that leaves and enters boxes upright.
function trace(c, points) {
  c.moveTo(...points[0]);
  for (let k = 1; k < points.length; k++) {
    const [x0, y0] = points[k - 1], [x1, y1] = points[k];
    if (x0 === x1) c.lineTo(x1, y1);
    else {
      const bend = (y1 - y0) / 2;
      c.bezierCurveTo(x0, y0 + bend, x1, y1 - bend, x1, y1);
    }
  }
}

function tip(c, points) {
  const [x, y] = points[points.length - 1];
  const up = points[points.length - 2][1] > y ? -1 : 1;
  c.moveTo(x - 3.5, y - 6 * up);
  c.lineTo(x, y);
  c.lineTo(x + 3.5, y - 6 * up);
}

// The type of what leaves a box, once under it.
function drawTypes(c, pane, part) {
  const done = new Set();
  for (const line of pane.scene.lines) {
    const [x, y] = line.points[0], source = line.values[0].source;
    if (!line.begins || x < part[0] - 200 || x > part[2] || y < part[1] - 20 || y > part[3]) continue;
    const box = pane.scene.at.get(source);
    if (!box || done.has(source)) continue;
    done.add(source);
    c.lineWidth = 4; // on the ground, not on the line
    c.lineJoin = "round";
    c.strokeStyle = groundOf(box);
    c.font = TEXT_FONT;
    c.strokeText(outTypes(source), x + 6, y + 14);
    write(c, outTypes(source), x + 6, y + 14, TEXT_FONT, colours.faint);
  }
}

function groundOf(box) {
  return box.depth > 0 && box.depth % 2 ? colours.group : colours.ground;
}

// What the next iteration of a loop takes.
function drawBacks(c, pane, part) {
  c.lineWidth = 1.4;
  c.strokeStyle = colours.edge;
  pane.scene.backs = [];
  for (const n of pane.graph.nodes) {
    const from = n.next && pane.scene.at.get(n), body = from && pane.scene.at.get(pane.graph.groups[scopeOf(pane.graph, n.group)]);
    if (!body || body.x > part[2] || body.x + body.w < part[0] || body.y > part[3] || body.y + body.h < part[1]) continue;
    for (const p of n.next) if (pane.scene.at.get(p)) drawBack(c, pane.scene, from, pane.scene.at.get(p), body);
  }
}

// Between rows and along the right edge of the body, where no box is.
function drawBack(c, scene, from, to, body) {
  const x0 = from.x + from.w * 0.75, x1 = to.x + to.w * 0.75, right = body.x + body.w - 4 - 3 * (scene.backs.length % 3);
  const points = [[x0, from.y + from.h], [x0, from.end + 9], [right, from.end + 9], [right, to.y - 13], [x1, to.y - 13], [x1, to.y]];
  scene.backs.push(points);
  c.beginPath();
  c.moveTo(...points[0]);
  for (let k = 1; k < 5; k++) c.arcTo(...points[k], ...points[k + 1], 6);
  c.lineTo(...points[5]);
  tip(c, points);
  c.stroke();
}

// Storage notes, and order edges as dots: arrows beside the boxes.
function drawPlaces(c, pane, part) {
  const g = pane.graph;
  c.lineWidth = 1.6;
  for (const n of g.nodes) {
    if (n.notes.length === 0 && n.after.length === 0) continue;
    const from = pane.scene.at.get(n);
    if (!from) continue;
    n.notes.forEach((note) => {
      const to = pane.scene.at.get(note.target) || pane.scene.at.get(boxOf(note.target, g));
      if (to) besideArrow(c, from, to, bufferColour(n.buffers[note.out]), [7, 3], part);
    });
    n.after.forEach((earlier) => {
      const to = pane.scene.at.get(earlier) || pane.scene.at.get(boxOf(earlier, g));
      if (to) besideArrow(c, to, from, colours.faint, [2, 4], part);
    });
  }
}

function besideArrow(c, a, b, colour, dash, part) {
  if (a.y < b.y + b.h && b.y < a.y + a.h) return overArrow(c, a, b, colour, dash);
  const x0 = a.x + a.w, y0 = a.y + a.h / 2, x1 = b.x + b.w, y1 = b.y + b.h / 2;
  const far = Math.max(x0, x1) + 22 + Math.min(60, Math.abs(y1 - y0) / 8);
  if (Math.min(x0, x1) > part[2] || far < part[0] || Math.max(y0, y1) < part[1] || Math.min(y0, y1) > part[3]) return;
  c.setLineDash(dash);
  c.strokeStyle = colour;
  c.beginPath();
  c.moveTo(x0, y0);
  c.bezierCurveTo(far, y0, far, y1, x1, y1);
  c.stroke();
  c.setLineDash([]);
  c.beginPath();
  c.moveTo(x1 + 7, y1 - 4);
  c.lineTo(x1, y1);
  c.lineTo(x1 + 7, y1 + 4);
  c.stroke();
}

// Between boxes of one row: above them.
function overArrow(c, a, b, colour, dash) {
  const right = b.x > a.x, x0 = a.x + a.w * (right ? 0.8 : 0.2), x1 = b.x + b.w * (right ? 0.2 : 0.8);
  const top = Math.min(a.y, b.y) - 20;
  c.setLineDash(dash);
  c.strokeStyle = colour;
  c.beginPath();
  c.moveTo(x0, a.y);
  c.bezierCurveTo(x0, top, x1, top, x1, b.y);
  c.stroke();
  c.setLineDash([]);
  c.beginPath();
  tip(c, [[x1, top], [x1, b.y]]);
  c.stroke();
}
