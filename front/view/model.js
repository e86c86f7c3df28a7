// The document of the page, made into graphs: nodes that know their operands and readers, groups that know
// their children, buffers, steps.

const data = JSON.parse(document.getElementById("data").textContent);
const graphs = [];

function graphAt(k) {
  graphs[k] = graphs[k] || makeGraph(data.graphs[k], k);
  return graphs[k];
}

function makeGraph(raw, index) {
  const g = { index, title: raw.title, file: raw.file, raw, nodes: [], groups: [], overlays: new Map() };
  g.groups = raw.groups.map((r, id) => ({
    id, name: data.texts[r.n], kind: r.k, parent: r.p, owner: r.o ?? -1, places: r.d || null,
    children: [], open: false, count: 0, first: Infinity,
  }));
  for (let i = 0; 2 * i < raw.nodes.length; i++) g.nodes.push(makeNode(i, raw.nodes[2 * i], raw.nodes[2 * i + 1]));
  fillGroups(g);
  connect(g);
  addRemarks(g);
  addPlan(g);
  addBuffers(g);
  addOverlays(g);
  return g;
}

function makeNode(id, record, group) {
  const r = data.records[record];
  const types = r.t.map((t) => data.texts[t]);
  return {
    id, group, record: r, name: data.texts[r.n], op: data.ops[r.o].n.replace(/-\d+$/, ""), opText: data.ops[r.o].n,
    operands: data.ops[r.o].in, types, bytes: r.b, row: r.k === "row", kind: r.k || "", owns: -1,
    inputs: [], readers: [], remarks: [], notes: [], before: [], after: [], step: null, copied: 0, change: 0,
    origin: r.f === undefined ? "" : data.texts[r.f], source: r.x === undefined ? "" : data.texts[r.x],
    few: r.v === undefined ? null : data.texts[r.v],
  };
}

function fillGroups(g) {
  for (const group of g.groups) {
    if (group.parent >= 0) g.groups[group.parent].children.push({ group });
    if (group.owner >= 0) g.nodes[group.owner].owns = group.id;
  }
  for (const node of g.nodes) {
    if (node.group < 0) continue;
    if (!node.row && node.owns < 0) g.groups[node.group].children.push({ node });
    for (let k = node.group; k >= 0; k = g.groups[k].parent) {
      g.groups[k].count++;
      g.groups[k].first = Math.min(g.groups[k].first, node.id);
    }
  }
}

// Names are unique in a graph or body: the innermost group of one of these kinds.
function scopeOf(g, group) {
  while (group > 0 && g.groups[group].kind !== "body") group = g.groups[group].parent;
  return Math.max(group, 0);
}

function connect(g) {
  const names = new Map();
  const scopes = g.nodes.map((n) => scopeOf(g, n.owns < 0 ? n.group : g.groups[n.owns].parent));
  const find = (i, name) => names.get(scopes[i] + " " + name);
  g.nodes.forEach((n, i) => names.set(scopes[i] + " " + n.record.n, i));
  g.nodes.forEach((n, i) => {
    n.inputs = n.record.i.map((x) => {
      if (x === -1) return null;
      const [name, out] = Array.isArray(x) ? x : [x, 0];
      return { from: g.nodes[find(i, name)], out };
    });
    n.inputs.forEach((x, k) => x && x.from && x.from.readers.push({ node: n, index: k, out: x.out }));
    n.notes = (n.record.w || []).map(([out, kind, name, at]) => ({ out, kind, target: g.nodes[find(i, name)], at }))
      .filter((note) => note.target);
  });
  eachPair(g.raw.order, (a, b) => { g.nodes[a].before.push(g.nodes[b]); g.nodes[b].after.push(g.nodes[a]); });
  joinBodies(g);
}

// A body is joined to its node: `given` is what a Parameter is, `gives` the Results that an output is by number,
// `next` the Parameters that a Result is in the next iteration.
function joinBodies(g) {
  const list = g.raw.ports;
  for (let i = 0; i + 3 < list.length; i += 4) {
    const inner = g.nodes[list[i + 1]], owner = g.nodes[list[i + 2]], k = list[i + 3];
    if (k < 0) continue;
    if (list[i] === 0 && owner.inputs[k]) {
      inner.given = owner.inputs[k];
      (owner.enters = owner.enters || new Set()).add(k);
    } else if (list[i] === 1) {
      owner.gives = owner.gives || [];
      (owner.gives[k] = owner.gives[k] || []).push(inner);
      inner.becomes = owner;
    } else if (list[i] === 2) (inner.next = inner.next || []).push(g.nodes[k]);
  }
}

function eachPair(list, f) {
  for (let i = 0; i + 1 < list.length; i += 2) if (list[i] >= 0 && list[i + 1] >= 0) f(list[i], list[i + 1]);
}

function addRemarks(g) {
  for (const [node, bytes, refused, t] of g.raw.remarks) {
    if (node >= 0) g.nodes[node].remarks.push({ bytes, refused: refused === 1, text: data.texts[t].trim() });
  }
}

function addPlan(g) {
  if (!g.raw.plan) return;
  g.plan = { ...g.raw.plan, steps: [] };
  for (const [id, made, group, copied, places, depth, times] of g.raw.plan.steps) {
    if (id < 0) continue;
    const step = {
      node: g.nodes[id], made: data.texts[made], fused: group, copied, depth, times, index: g.plan.steps.length,
      places: places.map(([root, offset, bytes]) => ({ root: data.texts[root], offset, bytes })),
    };
    g.nodes[id].step = step;
    g.nodes[id].copied += copied;
    g.plan.steps.push(step);
  }
}

// Values that share bytes have one buffer, which has a letter and a colour.
function addBuffers(g) {
  const up = new Map();
  const root = (key) => { while (up.has(key)) key = up.get(key); return key; };
  const key = (node, out) => node.id + ":" + out;
  for (const n of g.nodes) {
    for (const note of n.notes) {
      const a = root(key(n, note.out)), b = root(key(note.target, note.at));
      if (a !== b) up.set(a, b);
    }
  }
  const letters = new Map();
  g.buffers = [];
  const join = (node, out) => {
    const top = root(key(node, out));
    if (!letters.has(top)) {
      letters.set(top, g.buffers.length);
      g.buffers.push({ index: g.buffers.length, nodes: new Set() });
    }
    const buffer = g.buffers[letters.get(top)];
    buffer.nodes.add(node);
    node.buffers = node.buffers || [];
    node.buffers[out] = buffer;
  };
  for (const n of g.nodes) for (const note of n.notes) { join(n, note.out); join(note.target, note.at); }
}

function letterOf(buffer) {
  return buffer.index < 26 ? String.fromCharCode(65 + buffer.index) : "" + (buffer.index + 1);
}

// What colours the boxes: a number for each node.
function addOverlays(g) {
  const add = (name, unit, numbers) => {
    let most = 0;
    for (const x of numbers.values()) if (x > most && x < 1e300) most = x;
    if (numbers.size > 0) g.overlays.set(name, { name, unit, numbers, most });
  };
  for (const o of g.raw.overlays) {
    const numbers = new Map();
    for (let i = 0; i < o.list.length; i += 2) {
      if (o.list[i] >= 0) numbers.set(o.list[i], (numbers.get(o.list[i]) || 0) + o.list[i + 1]);
    }
    add(o.name, o.unit, numbers);
  }
  const bytes = new Map();
  for (const n of g.nodes) if (!n.row) bytes.set(n.id, n.bytes.reduce((a, b) => a + b, 0));
  add("bytes", "B", bytes);
}

// How graph K differs from the one before: marks the nodes of both. 1 removed, 2 added, other bits: changed.
function pairGraphs(k) {
  const after = graphAt(k), before = graphAt(k - 1);
  const partner = new Map(), back = new Map(), changes = new Map(), gone = new Map();
  const list = after.raw.pairs || [];
  for (let i = 0; i + 2 < list.length; i += 3) {
    const [a, b, bits] = [list[i], list[i + 1], list[i + 2]];
    if (a >= 0 && b >= 0) { partner.set(b, before.nodes[a]); back.set(a, after.nodes[b]); }
    if (bits && b >= 0) changes.set(b, bits);
    if (bits && a >= 0) gone.set(a, bits);
  }
  return { before, after, partner, back, changes, gone };
}

function describeBytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let k = 0;
  for (; n >= 1024 && k < 4; k++) n /= 1024;
  return (k === 0 || n >= 100 ? Math.round(n) : n.toFixed(n >= 10 ? 1 : 2)) + " " + units[k];
}

function describeNumber(x, unit) {
  if (unit === "B") return describeBytes(x);
  if (x >= 1e300) return "not finite";
  if (unit === "us") return x >= 1000 ? (x / 1000).toPrecision(3) + " ms" : x.toPrecision(3) + " µs";
  return Number(x.toPrecision(3)) + (unit ? " " + unit : "");
}
