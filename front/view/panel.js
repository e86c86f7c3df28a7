// What is said of a node: at the side of the chosen one, and where the mouse is. All texts of the model are set
// as text, never as HTML.

function element(tag, said, kind) {
  const e = document.createElement(tag);
  if (said !== undefined) e.textContent = said;
  if (kind) e.className = kind;
  return e;
}

const line = (said, kind) => element("p", said, kind);

function showPanel(pane) {
  const panel = document.getElementById("panel"), what = pane.chosen;
  panel.hidden = !what;
  panel.replaceChildren();
  if (!what) return;
  if (what.children) groupPanel(panel, what, pane);
  else nodePanel(panel, what, pane);
  panel.scrollTop = 0;
}

function groupPanel(panel, group, pane) {
  panel.append(element("h2", titleOf(group, pane.graph)), line(group.kind + ", " + group.count + " nodes", "name"));
  const button = element("button", group.open ? "Close" : "Open");
  button.addEventListener("click", () => toggle(pane, group));
  panel.append(button, element("h3", "holds"));
  for (const child of group.children.slice(0, 200)) {
    const p = line();
    const name = child.group ? titleOf(child.group, pane.graph) : child.node.name;
    p.append(link(name, () => choose(pane, child.group || child.node, true)));
    if (child.node) p.append(" ", element("span", child.node.op, "type"));
    panel.append(p);
  }
}

function link(said, follow) {
  const a = element("a", said);
  a.tabIndex = 0;
  a.setAttribute("role", "button");
  a.addEventListener("click", follow);
  a.addEventListener("keydown", (e) => { if (e.key === "Enter") { e.stopPropagation(); follow(); } });
  return a;
}

function nodePanel(panel, node, pane) {
  panel.append(element("h2", node.opText), line(node.name, "name"));
  if (pane.changes && pane.changes.has(node.id)) panel.append(line(changeWord(pane.changes.get(node.id))));
  if (node.origin) panel.append(line(node.origin));
  if (node.record.l && pane.graph.file) panel.append(line(pane.graph.file + ", line " + node.record.l, "name"));
  if (node.source) panel.append(element("pre", node.source));
  constantPanel(panel, node);
  section(panel, "operands", node.inputs.map((x, k) => x && x.from && operandLine(node, x, k, pane)).filter((x) => x));
  if (node.given) section(panel, "is given", [nodeLine(node.given.from, pane)]);
  if (node.becomes) section(panel, "is given to", [nodeLine(node.becomes, pane)]);
  section(panel, "in the next iteration", (node.next || []).map((n) => nodeLine(n, pane)));
  section(panel, "results", node.types.map((t, k) => resultLine(node, t, k)));
  section(panel, "read by", node.readers.map((r) => nodeLine(r.node, pane)));
  section(panel, "runs after, by an order edge", node.after.map((n) => nodeLine(n, pane)));
  section(panel, "runs before, by an order edge", node.before.map((n) => nodeLine(n, pane)));
  section(panel, "in place", node.notes.map((note) => noteLine(node, note, pane)));
  section(panel, "decisions", node.remarks.map((r) => element("pre", r.text, r.refused ? "refused" : "")));
  section(panel, "in a run", stepLines(node));
  const numbers = [...pane.graph.overlays.values()].filter((o) => o.numbers.has(node.id) && o.name !== "bytes");
  section(panel, "measured", numbers.map((o) => line(o.name + ": " + describeNumber(o.numbers.get(node.id), o.unit))));
}

function section(panel, title, lines) {
  if (lines.length > 0) panel.append(element("h3", title), ...lines.slice(0, 100));
  if (lines.length > 100) panel.append(line("and " + (lines.length - 100) + " more", "name"));
}

function nodeLine(node, pane) {
  const p = line();
  p.append(link(node.name, () => choose(pane, node, true)), " ", element("span", node.op, "type"));
  return p;
}

function operandLine(node, x, k, pane) {
  const p = line();
  const name = node.operands[Math.min(k, node.operands.length - 1)];
  if (name) p.append(name + ": ");
  p.append(link(x.from.name + (x.out ? "." + x.out : ""), () => choose(pane, x.from, true)), " ", element("span", x.from.types[x.out], "type"));
  return p;
}

function resultLine(node, type, k) {
  return line(type + (node.bytes[k] ? ", " + describeBytes(node.bytes[k]) : ""), "type");
}

function noteLine(node, note, pane) {
  const p = line(), buffer = node.buffers[note.out];
  const swatch = element("span", undefined, "swatch");
  swatch.style.background = bufferColour(buffer);
  p.append(swatch, " " + letterOf(buffer) + ": " + NOTE_WORDS[note.kind] + " ", link(note.target.name, () => choose(pane, note.target, true)));
  return p;
}

function stepLines(node) {
  if (!node.step) return [];
  const s = node.step, lines = [line("made by: " + s.made + (s.fused ? ", in fusion group " + s.fused : ""))];
  if (s.times > 1) lines.push(line("in each of " + s.times + " iterations"));
  if (s.copied) lines.push(line("copies " + describeBytes(s.copied)));
  s.places.forEach((p) => p.root && lines.push(line("in " + p.root + (p.offset >= 0 ? " at byte " + p.offset : ""))));
  return lines;
}

function constantPanel(panel, node) {
  const r = node.record;
  if (node.few !== null) panel.append(element("pre", node.few));
  if (r.h) panel.append(histogram(r));
}

// The numbers of a constant: how many lie in each sixteenth of their range.
function histogram(r) {
  const canvas = document.createElement("canvas"), ratio = window.devicePixelRatio || 1;
  canvas.width = 300 * ratio;
  canvas.height = 76 * ratio;
  canvas.style.cssText = "width:300px;height:76px;display:block;margin:8px 0";
  canvas.setAttribute("aria-label", "histogram");
  const c = canvas.getContext("2d");
  c.scale(ratio, ratio);
  c.fillStyle = colours.mark;
  [...r.h].forEach((digit, k) => c.fillRect(k * 18.6, 58 - digit * 6.3, 17, digit * 6.3 + (digit > 0 ? 0 : 0.5)));
  write(c, "" + r.r[0], 0, 73, TEXT_FONT, colours.faint);
  c.textAlign = "right";
  write(c, "" + r.r[1], 298, 73, TEXT_FONT, colours.faint);
  return canvas;
}

function showHover(e, parts) {
  const hover = document.getElementById("hover");
  hover.replaceChildren(...parts);
  hover.hidden = false;
  const w = hover.offsetWidth, h = hover.offsetHeight;
  hover.style.left = Math.max(4, Math.min(e.clientX + 14, innerWidth - w - 6)) + "px";
  hover.style.top = (e.clientY + 18 + h > innerHeight ? Math.max(4, e.clientY - h - 10) : e.clientY + 18) + "px";
}

function hideHover() {
  document.getElementById("hover").hidden = true;
}

function hoverParts(what, pane) {
  if (what.children) return [line(titleOf(what, pane.graph)), line(summaryOf(what, pane.graph).join(", "), "name")];
  const parts = [line(what.opText), line(what.name, "name"), ...what.types.map((t) => line(t, "type"))];
  if (pane.changes && pane.changes.has(what.id)) parts.push(line(changeWord(pane.changes.get(what.id))));
  parts.push(...what.remarks.map((r) => element("pre", r.text, r.refused ? "refused" : "")));
  if (what.copied && what.remarks.length === 0) parts.push(line("copies " + describeBytes(what.copied) + " in a run"));
  return parts;
}

function hoverLine(value) {
  return [line(value.source.name + (value.out ? "." + value.out : "")), line(value.source.types[value.out], "type")];
}

function showKeys() {
  const dialog = document.getElementById("keys"), table = element("table");
  const rows = [["/", "search; Enter goes to what is found"], ["↑ ↓", "the operand, the reader of the chosen node"],
    ["← →", "the neighbour in its row"], ["Enter", "opens and closes a group; of a node, the group it is in"],
    ["+ −", "larger, smaller"], ["0", "all of the graph"], ["[ ]", "the graph before, after"], ["Esc", "nothing is chosen"]];
  for (const [key, said] of rows) {
    const row = element("tr"), cell = element("td");
    cell.append(element("kbd", key));
    row.append(cell, element("td", said));
    table.append(row);
  }
  dialog.replaceChildren(element("h2", "Keys"), table, element("h2", "Signs"), signs(), element("p", "Esc closes this.", "name"));
  dialog.showModal();
}

function signs() {
  const table = element("table");
  const add = (colour, said) => {
    const row = element("tr"), cell = element("td"), swatch = element("span", undefined, "swatch");
    swatch.style.background = colour;
    cell.append(swatch);
    row.append(cell, element("td", said));
    table.append(row);
  };
  add(BUFFER_COLOURS[0], "a buffer that several values share: the band of a box, its letter, the arrows that carry it. Dashed arrows lead to the value in whose bytes a value stands");
  add(colours.copy, "bytes are copied here; a decision against writing in place is told where the mouse is");
  add(colours.faint, "dotted: an order edge, what must run before");
  add(colours.edge, "along the right edge of a body: what the next iteration takes");
  add(colours.added, "added");
  add(colours.removed, "removed (dashed)");
  add(colours.changed, "changed");
  return table;
}
