// The memory plan: addresses from left to right, steps downwards, a rectangle for each buffer in the arena,
// from the step that makes it to the last that reads it. The step that holds the most is marked.

const memory = { rects: [], hovered: null };

function makeRects(g) {
  if (g.rects) return g.rects;
  const last = new Map(), rects = [];
  const steps = g.plan.steps.filter((s) => s.depth === 0);
  steps.forEach((s, k) => {
    s.row = k;
    for (const x of s.node.inputs) if (x && x.from) last.set(x.from.id + ":" + x.out, k);
  });
  steps.forEach((s, k) => s.places.forEach((p, out) => {
    if (p.root !== "arena" || p.offset < 0 || p.bytes === 0) return;
    const end = last.get(s.node.id + ":" + out) ?? k;
    rects.push({ node: s.node, out, at: p.offset, bytes: p.bytes, begin: k, end, buffer: (s.node.buffers || [])[out] });
  }));
  g.rects = joinRects(rects);
  g.rowsOfPlan = steps;
  findPeak(g);
  return g.rects;
}

// Values of one buffer that lie in each other are one rectangle, which lasts as long as any of them.
function joinRects(rects) {
  const kept = [];
  for (const r of [...rects].sort((a, b) => b.bytes - a.bytes)) {
    const home = r.buffer && kept.find((o) => o.buffer === r.buffer && r.at >= o.at && r.at + r.bytes <= o.at + o.bytes);
    if (!home) { kept.push({ ...r, values: [r] }); continue; }
    home.values.push(r);
    home.begin = Math.min(home.begin, r.begin);
    home.end = Math.max(home.end, r.end);
  }
  return kept;
}

function findPeak(g) {
  const change = new Array(g.rowsOfPlan.length + 1).fill(0);
  for (const r of g.rects) { change[r.begin] += r.bytes; change[r.end + 1] -= r.bytes; }
  let now = 0;
  g.peak = { row: -1, bytes: 0 };
  change.forEach((x, k) => {
    now += x;
    if (now > g.peak.bytes) g.peak = { row: k, bytes: now };
  });
}

function drawMemory() {
  const canvas = document.getElementById("memory-canvas"), g = view.panes[0].graph;
  if (view.memory === false || !g.plan) return;
  const rects = makeRects(g), ratio = window.devicePixelRatio || 1;
  const [w, h] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = w * ratio;
  canvas.height = h * ratio;
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.fillStyle = colours.ground;
  c.fillRect(0, 0, w, h);
  memory.area = { x: 54, y: 58, w: w - 74, h: h - 84 };
  memory.xOf = (at) => memory.area.x + (at / Math.max(1, g.plan.arena)) * memory.area.w;
  memory.yOf = (row) => memory.area.y + (row / Math.max(1, g.rowsOfPlan.length)) * memory.area.h;
  write(c, "Memory of a run", 14, 22, OP_FONT, colours.text);
  write(c, memoryWords(g), 14, 39, TEXT_FONT, colours.faint);
  drawAxes(c, g);
  if (rects.length === 0) write(c, "nothing lies in the arena: all values are inputs, outputs or views", 64, 90, TEXT_FONT, colours.faint);
  for (const r of rects) drawRect(c, r, g);
  drawPeak(c, g);
}

function memoryWords(g) {
  const p = g.plan;
  return `arena ${describeBytes(p.arena)}; peak of a run ` +
    `${p.about ? "about " : ""}${describeBytes(p.peak)}; copies ${describeBytes(p.copied)}`;
}

function drawAxes(c, g) {
  const a = memory.area;
  c.strokeStyle = colours.line;
  c.lineWidth = 1;
  c.strokeRect(a.x + 0.5, a.y + 0.5, a.w, a.h);
  for (let k = 0; k <= 4; k++) {
    c.textAlign = k === 0 ? "left" : k === 4 ? "right" : "center";
    write(c, describeBytes((g.plan.arena * k) / 4), a.x + (a.w * k) / 4, a.y + a.h + 16, TEXT_FONT, colours.faint);
  }
  c.textAlign = "right";
  const rows = g.rowsOfPlan.length, every = Math.max(1, Math.ceil(rows / Math.max(1, Math.floor(a.h / 22))));
  for (let k = 0; k < rows; k += every) write(c, "" + (k + 1), a.x - 7, memory.yOf(k) + 11, TEXT_FONT, colours.faint);
  c.textAlign = "left";
}

function rectArea(r) {
  const x = memory.xOf(r.at), y = memory.yOf(r.begin);
  return [x, y, Math.max(1.5, memory.xOf(r.at + r.bytes) - x), Math.max(1.5, memory.yOf(r.end + 1) - y)];
}

function drawRect(c, r, g) {
  const [x, y, w, h] = rectArea(r), chosen = view.panes[0].chosen;
  c.fillStyle = r.buffer ? bufferColour(r.buffer) : colours.dark ? "#41607a" : "#a9c4da";
  c.fillRect(x + 0.5, y + 0.5, Math.max(1, w - 1), Math.max(1, h - 1));
  if (r.values.some((v) => v.node === chosen)) {
    c.strokeStyle = colours.mark;
    c.lineWidth = 3;
    c.strokeRect(x + 1, y + 1, Math.max(1, w - 2), Math.max(1, h - 2));
  }
  const text = shorten(r.node.name, 24);
  if (h > 15 && widthOf(text, TEXT_FONT) + 10 < w) {
    const light = r.buffer ? r.buffer.index % 6 === 4 : colours.dark;
    write(c, text, x + 6, y + 13, TEXT_FONT, light ? "#ffffff" : "#101418");
  }
}

function drawPeak(c, g) {
  if (g.peak.row < 0) return;
  const a = memory.area, y = (memory.yOf(g.peak.row) + memory.yOf(g.peak.row + 1)) / 2;
  c.strokeStyle = colours.copy;
  c.lineWidth = 1.5;
  c.setLineDash([6, 4]);
  c.beginPath();
  c.moveTo(a.x, y);
  c.lineTo(a.x + a.w, y);
  c.stroke();
  c.setLineDash([]);
  const text = `values take most at step ${g.peak.row + 1}: ${describeBytes(g.peak.bytes)}`;
  c.textAlign = "right";
  write(c, text, a.x + a.w, a.y - 5, TEXT_FONT, colours.copy);
  c.textAlign = "left";
  c.fillStyle = colours.copy;
  c.beginPath();
  c.moveTo(a.x + a.w + 12, y - 5);
  c.lineTo(a.x + a.w + 2, y);
  c.lineTo(a.x + a.w + 12, y + 5);
  c.fill();
}

function rectAt(x, y) {
  const g = view.panes[0].graph;
  if (!g.rects || !memory.area) return null;
  return g.rects.find((r) => {
    const [rx, ry, w, h] = rectArea(r);
    return x >= rx && x <= rx + w && y >= ry && y <= ry + h;
  }) || null;
}

function listenToMemory() {
  const canvas = document.getElementById("memory-canvas");
  canvas.addEventListener("mousemove", (e) => {
    const r = rectAt(e.offsetX, e.offsetY);
    if (r) showHover(e, r.values.map((v) => line(`${v.node.name}: ${describeBytes(v.bytes)} at ${v.at}, steps ${v.begin + 1} to ${v.end + 1}`)));
    else hideHover();
  });
  canvas.addEventListener("mouseleave", hideHover);
  canvas.addEventListener("click", (e) => {
    const r = rectAt(e.offsetX, e.offsetY);
    if (r) choose(view.panes[0], r.node, true);
  });
}
