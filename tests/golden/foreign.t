# Formats that are not read are called by their names. The beginnings are those of the formats' descriptions.

$ printf '\034\0\0\0TFL3\024\0\0\0' >lite; inlay info lite
lite: error: this is a TensorFlow Lite model, which is not read yet
[2]

$ printf '\010\001\022\310\001\012' >saved; inlay info saved
saved: error: this is a TensorFlow SavedModel, which is not read yet
[2]

$ printf '\n.\n\001x\022\013Placeholder' >frozen.pb; inlay info frozen.pb
frozen.pb: error: this is a TensorFlow graph, which is not read yet
[2]

$ printf 'PK\003\004\0\0\0\0\0\0archive/data.pklFB\002\0' >zipped; inlay info zipped
zipped: error: this is a PyTorch file, which is not read yet
[2]

$ printf '\200\002\212\012l\374\234' >pickled; inlay info pickled
pickled: error: this is a pickle of Python, as PyTorch writes them, which is not read yet
[2]

$ printf 'GGUF\003\0\0\0\0\0\0\0' >gguf; inlay convert gguf a.xml
gguf: error: this is a GGUF model, which is not read yet
[2]

$ printf '\020\0\0\0\0\0\0\0{"x":{"y":null}}' >safe; inlay info safe
safe: error: this is a safetensors file: weights, which is not read yet
[2]

$ printf '\211HDF\r\n\032\n\0\0' >keras.h5; inlay info keras.h5
keras.h5: error: this is an HDF5 file, as Keras writes them, which is not read yet
[2]

# What is not a model at all.

$ inlay info "$ROOT/models/window/data.npy"
$ROOT/models/window/data.npy: error: this is an array of numpy: an input (`-i NAME=FILE`), and no model
[2]

$ inlay info "$ROOT/models/digits/digits.bin"
$ROOT/models/digits/digits.bin: error: this is a file of weights; name the model (.xml or .json) beside it
[2]

$ gzip -c "$ROOT/models/window/window.inlay" >packed; inlay info packed
packed: error: this is a file that gzip has packed; unpack it first
[2]

$ printf 'PK\003\004' >zip; inlay info zip
zip: error: this is a zip archive, and no model
[2]

$ : >empty.onnx; inlay info empty.onnx
empty.onnx: error: the file is empty
[2]

# The text form may have any other name, and what is XML or JSON any.

$ for n in model.onnx model.odd model; do cp "$ROOT/models/digits/digits.xml" $n; inlay info --allow-unknown $n | sed -n 1p; done
model.onnx: digits
model.odd: digits
model: digits

$ cp "$ROOT/models/window/window.inlay" window.odd; inlay info window.odd | sed -n 1p
window.odd: window
