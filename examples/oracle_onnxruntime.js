// An oracle for `inlay run --test-data FOLDER --oracle "node examples/oracle_onnxruntime.js"`: runs a model by ONNX
// Runtime on the inputs of a data set, and writes its outputs beside them. It needs `npm install onnxruntime-node`.
// usage: node oracle_onnxruntime.js MODEL FOLDER
const fs = require('fs')
const path = require('path')
const ort = require('onnxruntime-node')

const [model, folder] = process.argv.slice(2)
// Of each type that both sides know: its name in Inlay, in ONNX Runtime and in numpy's files, and the array of JavaScript.
const TYPES = [
  ['boolean', 'bool', '|b1', Uint8Array], ['u8', 'uint8', '|u1', Uint8Array], ['i8', 'int8', '|i1', Int8Array],
  ['u16', 'uint16', '<u2', Uint16Array], ['i16', 'int16', '<i2', Int16Array], ['u32', 'uint32', '<u4', Uint32Array],
  ['i32', 'int32', '<i4', Int32Array], ['u64', 'uint64', '<u8', BigUint64Array], ['i64', 'int64', '<i8', BigInt64Array],
  ['f16', 'float16', '<f2', Uint16Array], ['f32', 'float32', '<f4', Float32Array], ['f64', 'float64', '<f8', Float64Array]
]

function leave (why) { // the model is not for this runtime
  console.log(why)
  process.exit(4)
}

// The elements of a .npy file stand behind a header whose length it says.
function read ({ file, type, shape }) {
  const row = TYPES.find(t => t[0] === type)
  if (!row) leave(`it has no elements of type ${type}`)
  const bytes = fs.readFileSync(path.join(folder, file))
  const at = bytes[6] === 1 ? 10 + bytes.readUInt16LE(8) : 12 + bytes.readUInt32LE(8)
  const copy = new Uint8Array(bytes.subarray(at))
  return new ort.Tensor(row[1], new row[3](copy.buffer), shape)
}

function write (i, tensor) {
  const row = TYPES.find(t => t[1] === tensor.type)
  if (!row) leave(`it writes no elements of type ${tensor.type}`)
  const shape = tensor.dims.length === 1 ? `${tensor.dims[0]},` : tensor.dims.join(', ')
  const text = `{'descr': '${row[2]}', 'fortran_order': False, 'shape': (${shape}), }\n`
  const header = Buffer.alloc(10 + text.length)
  header.write('\x93NUMPY\x01\x00', 0, 'latin1')
  header.writeUInt16LE(text.length, 8)
  header.write(text, 10, 'latin1')
  const { buffer, byteOffset, byteLength } = tensor.data
  fs.writeFileSync(path.join(folder, `output_${i}.npy`), Buffer.concat([header, Buffer.from(buffer, byteOffset, byteLength)]))
}

async function main () {
  const session = await ort.InferenceSession.create(model, { logSeverityLevel: 4 })
  const inputs = JSON.parse(fs.readFileSync(path.join(folder, 'inputs.json')))
  const feeds = {}
  inputs.forEach((input, i) => { feeds[session.inputNames[i]] = read(input) })
  const results = await session.run(feeds)
  session.outputNames.forEach((name, i) => write(i, results[name]))
}

main().catch(e => {
  const why = String(e.message).split('\n')[0]
  if (/not implemented|NOT_IMPLEMENTED|not a registered|ONNX Runtime only .guarantees|Unsupported model/i.test(why)) leave(why)
  console.log(why)
  process.exit(1)
})
