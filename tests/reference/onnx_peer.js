// Runs ONNX models with inlay and with ONNX Runtime on the same numbers, and compares.
// usage: node onnx_peer.js PACKAGE INLAY FOLDER MODEL.onnx...
// PACKAGE is the folder of the npm package onnxruntime-node, FOLDER one for files that go again.
// Prints a line for each model: "ok NAME" or "not ok NAME: why"; the status is 1 when one differs.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawnSync } = require('child_process');

// ATOL is of the largest element, which a sum of many of its size may miss; OPEN: the size of a dimension that the model
// leaves open.
const RTOL = 1e-3, ATOL = 1e-4, OPEN = 2;
const KINDS = { // of ONNX Runtime: numpy's word, the array, how it is filled from numbers in [-0.5, 0.5)
  float32: ['<f4', Float32Array, (x) => x],
  float64: ['<f8', Float64Array, (x) => x],
  int64: ['<i8', BigInt64Array, () => 2n], // places in a cache: all are in range
  int32: ['<i4', Int32Array, () => 2],
  uint8: ['|u1', Uint8Array, (x) => Math.floor((x + 0.5) * 256)],
  bool: ['|b1', Uint8Array, (x) => (x < 0 ? 0 : 1)],
};

function* numbers(seed) { // the generator of Numerical Recipes, the high bits
  for (let x = seed >>> 0; ;) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    yield (x >>> 8) / 16777216 - 0.5;
  }
}

function writeArray(file, word, dims, data) {
  const shape = dims.join(', ') + (dims.length === 1 ? ',' : '');
  let head = `{'descr': '${word}', 'fortran_order': False, 'shape': (${shape}), }`;
  head += ' '.repeat(63 - ((10 + head.length) % 64)) + '\n';
  const start = Buffer.alloc(10);
  start.write('\x93NUMPY\x01\x00', 'latin1');
  start.writeUInt16LE(head.length, 8);
  fs.writeFileSync(file, Buffer.concat(
    [start, Buffer.from(head), Buffer.from(data.buffer, data.byteOffset, data.byteLength)]));
}

function readArray(file) {
  const b = fs.readFileSync(file);
  const begin = 10 + b.readUInt16LE(8), head = b.toString('latin1', 10, begin);
  const word = /'descr': '([^']*)'/.exec(head)[1];
  const kind = Object.values(KINDS).find((k) => k[0] === word);
  const dims = /\(([^)]*)\)/.exec(head)[1].split(',').filter((d) => d.trim()).map(Number);
  const copy = new Uint8Array(b.subarray(begin));
  return { dims, data: new kind[1](copy.buffer) };
}

function makeInputs(session, ort, folder) {
  const feeds = {}, given = [], draw = numbers(1);
  session.inputMetadata.forEach((input, i) => {
    const [word, Kind, fill] = KINDS[input.type];
    const dims = input.shape.map((d) => (typeof d === 'number' && d >= 0 ? d : OPEN));
    const data = new Kind(dims.reduce((a, b) => a * b, 1));
    for (let k = 0; k < data.length; k++)
      data[k] = fill(draw.next().value);
    writeArray(path.join(folder, `in${i}.npy`), word, dims, data);
    feeds[input.name] = new ort.Tensor(input.type, data, dims);
    given.push('-i', `${input.name}=${path.join(folder, `in${i}.npy`)}`);
  });
  return { feeds, given };
}

function differs(ours, theirs) { // words, or nothing
  if (ours.dims.join() !== theirs.dims.join())
    return `the shape is [${ours.dims}], not [${theirs.dims}]`;
  let largest = 1;
  for (const x of theirs.data)
    if (Number.isFinite(Number(x)))
      largest = Math.max(largest, Math.abs(Number(x)));
  for (let i = 0; i < ours.data.length; i++) {
    const a = Number(ours.data[i]), b = Number(theirs.data[i]);
    if (!(Math.abs(a - b) <= ATOL * largest + RTOL * Math.abs(b)) && !(a === b) && !(a !== a && b !== b))
      return `element ${i} is ${a}, not ${b}, beside up to ${largest}`;
  }
  return null;
}

async function compare(ort, inlay, folder, model) {
  const session = await ort.InferenceSession.create(model, { logSeverityLevel: 3 });
  const { feeds, given } = makeInputs(session, ort, folder);
  const out = path.join(folder, 'out');
  fs.rmSync(out, { recursive: true, force: true });
  const run = spawnSync(inlay, ['run', model, ...given, '-o', out, '--quiet'], { encoding: 'utf8' });
  if (run.status !== 0)
    return run.stderr.split('\n')[0];
  const wanted = await session.run(feeds);
  const outputs = JSON.parse(fs.readFileSync(path.join(out, 'outputs.json')));
  for (const o of outputs) {
    const why = differs(readArray(path.join(out, o.file)), wanted[o.name]);
    if (why)
      return `${o.name}: ${why}`;
  }
  await session.release();
  return outputs.length === Object.keys(wanted).length ? null : 'other outputs';
}

async function main() {
  const [packageFolder, inlay, folder, ...models] = process.argv.slice(2);
  const ort = require(packageFolder);
  for (const model of models) {
    let why;
    try {
      why = await compare(ort, inlay, folder, model);
    } catch (e) {
      why = String(e).split('\n')[0];
    }
    const name = model.split('/').slice(-2).join('/');
    console.log(why ? `not ok ${name}: ${why}` : `ok ${name}`);
    process.exitCode ||= why ? 1 : 0;
  }
}

main();
