// Boxes in rows, arrows downwards. Knows nothing of graphs: items have a size, an `order` along which arrows
// lead, and perhaps a place that dot gave; arrows join items at an offset from their middle.

const ROW_GAP = 46, BOX_GAP = 26, LINE_GAP = 12;

// Sets x and y of each item (its upper left corner) and the points of each arrow; returns the size.
function layered(items, arrows) {
  if (items.length === 0) return { w: 0, h: 0 };
  items.forEach((item) => { item.up = []; item.down = []; });
  for (const a of arrows) a.back = a.from.order > a.to.order;
  const placed = items.some((item) => item.place);
  (placed ? ranksByPlace : ranksByPath)(items, arrows);
  const rows = rowsOf(items, arrows);
  if (placed) orderByPlace(rows); else orderByCrossings(rows);
  spread(rows);
  return settle(rows, items, arrows);
}

const upper = (a) => (a.back ? a.to : a.from);
const lower = (a) => (a.back ? a.from : a.to);

// The longest path from a source; sources stand right above what they lead to.
function ranksByPath(items, arrows) {
  const sorted = [...items].sort((a, b) => a.order - b.order);
  const below = new Map(sorted.map((item) => [item, []]));
  for (const a of arrows) below.get(upper(a)).push(lower(a));
  for (const item of sorted) item.rank = item.top ? 0 : Math.max(item.rank || 0, 0);
  const base = items.some((item) => item.top) ? 1 : 0;
  for (const item of sorted) if (!item.top) item.rank = base;
  for (const item of sorted) for (const to of below.get(item)) to.rank = Math.max(to.rank, item.rank + 1);
  const fed = new Set(arrows.map(lower));
  for (const item of [...sorted].reverse()) {
    if (fed.has(item) || item.top) continue;
    const next = Math.min(...below.get(item).map((to) => to.rank));
    if (next < Infinity) item.rank = Math.max(item.rank, next - 1);
  }
  const last = Math.max(...items.map((item) => item.rank));
  for (const item of items) if (item.bottom) item.rank = Math.max(item.rank, last);
}

function ranksByPlace(items, arrows) {
  const heights = [...new Set(items.filter((i) => i.place).map((i) => i.place.y))].sort((a, b) => b - a);
  const base = items.some((item) => item.top) ? 1 : 0;
  const rank = new Map(heights.map((y, k) => [y, k + base]));
  for (const item of items) item.rank = item.place ? rank.get(item.place.y) : item.top ? 0 : heights.length + base;
  for (const a of arrows) a.back = a.from.rank > a.to.rank;
  for (const item of items) {
    if (item.place) continue;
    const near = arrows.filter((a) => a.from === item || a.to === item)
      .map((a) => (a.from === item ? a.to : a.from)).filter((i) => i.place);
    item.guess = near.reduce((sum, i) => sum + i.place.x, 0) / (near.length || 1);
  }
}

// Rows of items and of bends, which arrows have in the rows that they pass through.
function rowsOf(items, arrows) {
  const rows = [];
  const put = (item) => { (rows[item.rank] = rows[item.rank] || []).push(item); };
  [...items].sort((a, b) => a.order - b.order).forEach(put);
  for (const a of arrows) {
    const [from, to] = [upper(a), lower(a)];
    let last = from;
    a.bends = [];
    for (let rank = from.rank + 1; rank < to.rank; rank++) {
      const bend = { w: 0, h: 0, rank, bend: true, up: [], down: [], order: from.order };
      const part = (rank - from.rank) / (to.rank - from.rank);
      bend.guess = placeOf(from) * (1 - part) + placeOf(to) * part;
      join(last, bend, last === from ? offsetOf(a, from) : 0, 0);
      a.bends.push(bend);
      put(bend);
      last = bend;
    }
    if (from.rank < to.rank) join(last, to, last === from ? offsetOf(a, from) : 0, offsetOf(a, to));
  }
  for (let k = 0; k < rows.length; k++) rows[k] = rows[k] || [];
  return rows;
}

function placeOf(item) {
  return item.place ? item.place.x : item.guess || 0;
}

function offsetOf(arrow, item) {
  return (item === arrow.from ? arrow.out : arrow.in) || 0;
}

function join(a, b, atA, atB) {
  a.down.push({ to: b, here: atA, there: atB });
  b.up.push({ to: a, here: atB, there: atA });
}

function orderByPlace(rows) {
  for (const row of rows) row.sort((a, b) => placeOf(a) - placeOf(b));
}

function number(row) {
  row.forEach((item, k) => { item.at = k; });
}

// Sweeps down and up, each row sorted by where its neighbours stand; the best order is kept.
function orderByCrossings(rows) {
  rows.forEach(number);
  let best = rows.map((row) => [...row]), least = crossings(rows);
  for (let round = 0; round < 12 && least > 0; round++) {
    const down = round % 2 === 0;
    for (let k = 0; k < rows.length; k++) sortRow(rows[down ? k : rows.length - 1 - k], down ? "up" : "down");
    const now = crossings(rows);
    if (now < least) { least = now; best = rows.map((row) => [...row]); }
  }
  best.forEach((row, k) => { rows[k].splice(0, row.length, ...row); number(rows[k]); });
}

function sortRow(row, side) {
  for (const item of row) {
    const near = item[side];
    item.key = near.length ? near.reduce((sum, n) => sum + n.to.at + n.there / 1e4, 0) / near.length : item.at;
  }
  row.sort((a, b) => a.key - b.key || a.at - b.at);
  number(row);
}

function crossings(rows) {
  let n = 0;
  for (const row of rows) {
    const ends = row.flatMap((item) => item.down.map((d) => d.to.at).sort((a, b) => a - b));
    if (ends.length > 400) return Infinity; // counting would take long: the last order is kept
    for (let i = 0; i < ends.length; i++) for (let k = i + 1; k < ends.length; k++) n += ends[i] > ends[k];
  }
  return n;
}

function distance(a, b) {
  return (a.w + b.w) / 2 + (a.bend || b.bend ? (a.bend && b.bend ? LINE_GAP : (LINE_GAP + BOX_GAP) / 2) : BOX_GAP);
}

// Moves items to where their neighbours are, as far as the distances in a row allow: x is the middle.
function spread(rows) {
  for (const row of rows) {
    let x = 0;
    row.forEach((item, k) => { x += k ? distance(row[k - 1], item) : 0; item.x = x; });
    row.forEach((item) => { item.x -= x / 2; });
  }
  for (let round = 0, moved = 1; round < 10 && moved > 0.5; round++) {
    const down = round % 2 === 0;
    moved = round > 7 ? 1 : 0;
    for (let k = 0; k < rows.length; k++) {
      const row = rows[down ? k : rows.length - 1 - k];
      moved = Math.max(moved, align(row, (item) => wish(item, round > 7 ? null : down ? "up" : "down")));
    }
  }
}

function wish(item, side) {
  const near = side ? item[side] : [...item.up, ...item.down];
  if (near.length === 0) return item.x;
  return near.reduce((sum, n) => sum + n.to.x + n.there - n.here, 0) / near.length;
}

// The least squares of what is wished, in the order of the row: runs that would overlap move as one. Returns how
// far an item has moved.
function align(row, wished) {
  const runs = [];
  let offset = 0;
  row.forEach((item, k) => {
    offset += k ? distance(row[k - 1], item) : 0;
    item.offset = offset;
    const weight = item.bend ? 3 : 1;
    let run = { sum: weight * (wished(item) - offset), weight, items: [item] };
    while (runs.length && runs[runs.length - 1].sum / runs[runs.length - 1].weight > run.sum / run.weight) {
      const left = runs.pop();
      run = { sum: left.sum + run.sum, weight: left.weight + run.weight, items: left.items.concat(run.items) };
    }
    runs.push(run);
  });
  let moved = 0;
  for (const run of runs) {
    for (const item of run.items) {
      const x = run.sum / run.weight + item.offset;
      moved = Math.max(moved, Math.abs(x - item.x));
      item.x = x;
    }
  }
  return moved;
}

function settle(rows, items, arrows) {
  const left = Math.min(...rows.flat().map((item) => item.x - item.w / 2));
  const right = Math.max(...rows.flat().map((item) => item.x + item.w / 2));
  const edges = items.some((item) => item.top || item.bottom);
  let y = 0;
  rows.forEach((row, k) => {
    const h = Math.max(0, ...row.map((item) => item.h));
    for (const item of row) { item.mid = item.x - left; item.rowTop = y; item.rowEnd = y + h; item.y = y; }
    y += h + (k + 1 < rows.length ? (edges && (k === 0 || k + 2 === rows.length) ? ROW_GAP * 0.6 : ROW_GAP) : 0);
  });
  for (const a of arrows) a.points = route(a);
  for (const item of items) item.x = item.mid - item.w / 2;
  return { w: right - left, h: y };
}

function route(a) {
  const from = upper(a), to = lower(a);
  const points = [[from.mid + offsetOf(a, from), from.y + from.h]];
  for (const bend of a.bends) points.push([bend.mid, bend.rowTop], [bend.mid, bend.rowEnd]);
  points.push([to.mid + offsetOf(a, to), to.y]);
  if (from.rank === to.rank) return [[from.mid, from.y + from.h], [to.mid, to.y + to.h]];
  return a.back ? points.reverse() : points;
}
