// What the passes gain where ONNX Runtime serves what they made: the processor's time for a run of two files of one
// model, in turn, on one thread, all of its own optimisations on.
// usage: node served.js PACKAGE SECONDS NAME=BEFORE.onnx,AFTER.onnx...
// PACKAGE is the folder of the npm package onnxruntime-node. Prints a row of Markdown for each pair: the smallest times,
// and the second by the first.
'use strict';

const OPEN = 8; // the size of a dimension that the model leaves open
const KINDS = {
  float32: [Float32Array, (i) => (i % 17) / 17 - 0.5], float64: [Float64Array, (i) => (i % 17) / 17 - 0.5],
  int64: [BigInt64Array, (i) => BigInt(i % 3)], int32: [Int32Array, (i) => i % 3],
  uint8: [Uint8Array, (i) => i % 251], int8: [Int8Array, (i) => (i % 251) - 125], bool: [Uint8Array, () => 1],
};

async function open(ort, file) {
  const session = await ort.InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1,
    graphOptimizationLevel: 'all', logSeverityLevel: 4 });
  const feeds = {};
  for (const input of session.inputMetadata) {
    const [Kind, fill] = KINDS[input.type];
    const dims = input.shape.map((d) => (typeof d === 'number' && d >= 0 ? d : OPEN));
    const n = dims.reduce((a, b) => a * b, 1);
    feeds[input.name] = new ort.Tensor(input.type, Kind.from({ length: n }, (_, i) => fill(i)), dims);
  }
  return { session, feeds, best: Infinity };
}

async function run(side) {
  const begin = process.cpuUsage();
  await side.session.run(side.feeds);
  const used = process.cpuUsage(begin);
  side.best = Math.min(side.best, (used.user + used.system) / 1e3);
}

async function main() {
  const [packageFolder, seconds, ...pairs] = process.argv.slice(2);
  const ort = require(packageFolder);
  console.log('| model | as exported | after `inlay opt` | after : before |\n| --- | ---: | ---: | ---: |');
  for (const pair of pairs) {
    const [name, files] = pair.split('='), sides = [];
    for (const file of files.split(','))
      sides.push(await open(ort, file));
    for (const until = Date.now() + 1000 * seconds; Date.now() < until;)
      for (const side of sides)
        await run(side);
    const [before, after] = sides.map((s) => s.best);
    console.log(`| ${name} | ${before.toFixed(3)} ms | ${after.toFixed(3)} ms | ${(after / before).toFixed(2)} |`);
    for (const side of sides)
      await side.session.release();
  }
}

main();
