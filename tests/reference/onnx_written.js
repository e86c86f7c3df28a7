// Runs random graphs that were written as ONNX in ONNX Runtime, and compares what it gives with what we computed.
// usage: node onnx_written.js PACKAGE RUN_GRAPHS FIRST COUNT FOLDER
// PACKAGE is the folder of the npm package onnxruntime-node. Integers, booleans and moves must be the same, floats within
// the tolerance of ONNX's node tests. Prints what differs, and at the end a line of counts; the status is 1 when
// something differs.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');

const KINDS = { // by our word: ONNX Runtime's, the array, the relative and the absolute tolerance
  f64: ['float64', Float64Array, 1e-7, 1e-10],
  f32: ['float32', Float32Array, 1e-3, 1e-6],
  f16: ['float16', Uint16Array, 1e-2, 1e-3],
  i64: ['int64', BigInt64Array], i32: ['int32', Int32Array], i16: ['int16', Int16Array], i8: ['int8', Int8Array],
  u64: ['uint64', BigUint64Array], u32: ['uint32', Uint32Array], u16: ['uint16', Uint16Array], u8: ['uint8', Uint8Array],
  boolean: ['bool', Uint8Array],
};

// What ONNX says, and ONNX Runtime does not do on processors.
const LACKING = new RegExp(['Could not find an implementation', 'Failed to find kernel', 'type is not supported',
  'not support double', 'Pad should be smaller than kernel', 'zero effective input extent',
  "'Cubic' mode only supports", 'Only 4-D or 5-D tensor is supported',
  'Invalid dimension'].join('|'));

// Looked into: ONNX Runtime folds an empty axis to nothing, in place of one element; a Gather out of range gives 0 here,
// and is an error there.
const KNOWN = ['rows-639', 'sizes-446'];

function parse(text) { // `f32 [2,3] HEX`, or null: a type that the package does not have
  const [type, shape, hex] = text.split(' ');
  if (!KINDS[type])
    return null;
  const bytes = new Uint8Array(Buffer.from(hex || '', 'hex'));
  const dims = shape.slice(1, -1).split(',').filter((d) => d).map(Number);
  return { type, dims, data: new KINDS[type][1](bytes.buffer) };
}

function ofHalf(bits) {
  const exponent = (bits >> 10) & 31, part = bits & 1023, sign = bits >> 15 ? -1 : 1;
  if (exponent === 31)
    return part ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + part / 1024) * 2 ** (exponent - 15) : part * 2 ** -24);
}

function numbers(type, data) { // a Float16Array, of newer versions of node, holds numbers already
  const bits = type === 'f16' && data instanceof Uint16Array;
  return Array.from(data, (x) => (bits ? ofHalf(x) : x));
}

function differs(ours, theirs) { // words, or nothing
  const [word, , rtol, atol] = KINDS[ours.type];
  if (theirs.type !== word || ours.dims.join() !== theirs.dims.join())
    return `is ${theirs.type} [${theirs.dims}], not ${word} [${ours.dims}]`;
  const a = numbers(ours.type, ours.data), b = numbers(ours.type, theirs.data);
  const large = rtol ? Math.max(1, ...a.filter(Number.isFinite).map(Math.abs)) : 0; // what a sum that cancels is off by
  for (let i = 0; i < a.length; i++) {
    if (ours.type === 'f16' && !Number.isFinite(a[i]))
      continue; // it computes chains of f16 as f32, where less overflows
    const near = rtol && Math.abs(a[i] - b[i]) <= atol * large + rtol * Math.abs(a[i]);
    if (!near && a[i] !== b[i] && !(a[i] !== a[i] && b[i] !== b[i]))
      return `element ${i} is ${b[i]}, not ${a[i]}`;
  }
  return null;
}

async function run(ort, file, graph) { // [what became of it, why]
  const session = await ort.InferenceSession.create(file, { logSeverityLevel: 4, intraOpNumThreads: 1 });
  try {
    const feeds = {};
    session.inputNames.forEach((name, i) => {
      const t = graph.inputs[i];
      feeds[name] = new ort.Tensor(KINDS[t.type][0], t.data, t.dims);
    });
    const made = await session.run(feeds);
    for (const [name, tensor] of graph.outputs) {
      const key = name in made ? name : Object.keys(made).find((k) => k.startsWith(`${name}_`)); // the name was taken
      const why = key ? differs(tensor, made[key]) : `is not among ${Object.keys(made)}`;
      if (why && why.includes('NaN') && fs.readFileSync(file).includes('TopK'))
        return ['order NaN', why]; // which ONNX leaves open
      if (why)
        return [graph.truncates ? 'differ where floats are truncated' : 'differ', `${name} ${why}`];
    }
    return ['agree'];
  } finally {
    await session.release();
  }
}

async function judge(ort, folder, graph) {
  if (graph.refused)
    return ['refused', graph.refused];
  if (graph.error)
    return ['fail here', graph.error];
  if (graph.lacks)
    return ['of types that the package lacks'];
  try {
    return await run(ort, path.join(folder, `${graph.name}.onnx`), graph);
  } catch (e) {
    const why = String(e.message || e).replace(/\s+/g, ' ');
    return [LACKING.test(why) ? 'without a kernel there' : 'not run', why];
  }
}

function* graphs(text) {
  let graph;
  for (const line of text.split('\n')) {
    const [word] = line.split(' ', 1), rest = line.slice(word.length + 1);
    if (word === 'graph') {
      graph = { name: rest, inputs: [], outputs: [] };
    } else if (word === 'refused' || word === 'error') {
      graph[word] = rest;
    } else if (word === 'truncates') {
      graph.truncates = true;
    } else if (word === 'in') {
      graph.inputs.push(parse(rest));
      graph.lacks ||= !graph.inputs.at(-1);
    } else if (word === 'out') {
      const [name] = rest.split(' ', 1), tensor = parse(rest.slice(name.length + 1));
      graph.outputs.push([name, tensor]);
      graph.lacks ||= !tensor;
    } else if (word === 'end') {
      yield graph;
    }
  }
}

// A graph may end ONNX Runtime as a whole, so that it runs in a process of its own, which is begun again behind it.
async function child(packageFolder, folder, from) {
  const ort = require(packageFolder), text = fs.readFileSync(path.join(folder, 'graphs'), 'utf8');
  let i = 0;
  for (const graph of graphs(text)) {
    if (i++ < from)
      continue;
    const [word, why] = await judge(ort, folder, graph);
    fs.writeSync(1, `${graph.name}\t${word}\t${(why || '').slice(0, 900)}\n`);
    if (word === 'agree')
      fs.unlinkSync(path.join(folder, `${graph.name}.onnx`));
  }
}

function main() {
  const [packageFolder, runGraphs, first, count, folder] = process.argv.slice(2), counts = {}, lines = [];
  const made = spawnSync(runGraphs, ['onnx', first, count, folder], { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (made.status !== 0)
    throw new Error(made.stderr || `run_graphs ended with ${made.status}`);
  fs.writeFileSync(path.join(folder, 'graphs'), made.stdout);
  const names = made.stdout.match(/^graph .*$/gm).map((line) => line.slice(6));
  while (lines.length < names.length) {
    const part = spawnSync(process.execPath, [__filename, 'child', packageFolder, folder, String(lines.length)],
      { encoding: 'utf8', maxBuffer: 1 << 30 });
    lines.push(...part.stdout.split('\n').slice(0, -1).map((line) => line.split('\t')));
    if (lines.length < names.length)
      lines.push([names[lines.length], 'end it', part.signal || String(part.status)]);
  }
  for (const [name, became, why] of lines) {
    const word = KNOWN.includes(name) && became !== 'agree' ? 'differ for a known reason' : became;
    counts[word] = (counts[word] || 0) + 1;
    if (why)
      console.log(`# ${name}: ${word}: ${why}`);
  }
  console.log(`counts: ${Object.entries(counts).map(([word, n]) => `${n} ${word}`).join(', ')}`);
  process.exitCode = counts.differ || counts['not run'] ? 1 : 0;
}

if (process.argv[2] === 'child')
  child(...process.argv.slice(3));
else
  main();
