# Runs of ONNX models: inputs that have a value of their own, data sets under a limit of memory.
$ cat > m.onnxtxt <<'END'
> <ir_version: 8, opset_import: ["" : 17]>
> scaled (float[n] x, float[2] "a=b" = {10, 100}) => (float[n] y) { y = Mul(x, "a=b") }
> END

$ inlay info m.onnxtxt | sed -n 2,3p
inputs:
  x                    f32[?#n]  names: x

$ inlay run m.onnxtxt -i x=ones --dim n=2
y: f32[2]
  [10, 100]

$ inlay run m.onnxtxt -i x=ones -i a=b=ones --dim n=2
y: f32[2]
  [1, 1]

$ inlay run m.onnxtxt -i x=ones -i c=ones --dim n=2
inlay: error: there is no input "c"; the model has "x"
[2]

# A TensorProto of 25000 floats.
$ mkdir -p test_data_set_0 && { printf '\010\250\303\001\020\001\112\240\215\006'; head -c 100000 /dev/zero; } >test_data_set_0/input_0.pb

$ cp test_data_set_0/input_0.pb test_data_set_0/output_0.pb

$ printf '<ir_version: 8, opset_import: ["" : 17]>\ng (float[n] x) => (float[n] y) { y = Abs(x) }' >abs.onnxtxt

$ inlay run abs.onnxtxt --test-data . --max-memory 2M
y agrees with test_data_set_0/output_0.pb: bit for bit

$ inlay run abs.onnxtxt --test-data . --max-memory 180K 2>&1 | grep -o 'output_0.pb: error: reading it takes more than the memory limit'
output_0.pb: error: reading it takes more than the memory limit

# A category that an encoder does not know is an error of the run, where zeros may not stand for it.
$ cat > encoder.onnxtxt <<'END'
> <ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 3]>
> g (int64[2] x) => (float[2, 3] y)
> {
>   y = ai.onnx.ml.OneHotEncoder <zeros = 0, cats_int64s = [5, 7, 9]> (x)
> }
> END
$ inlay run encoder.onnxtxt -i 'x=[9,5]'
y: f32[2,3]
  [[0, 0, 1],
   [1, 0, 0]]
$ inlay run encoder.onnxtxt -i 'x=[9,6]'
encoder.onnxtxt:4: error: node 0 "GatherElements" (GatherElements-6): indices[1,0] is 3, axis 1 has 3 elements
[2]
