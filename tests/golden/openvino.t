# OpenVINO IR on the command line: read, written, refused.

$ cp "$ROOT/models/digits/digits.xml" "$ROOT/models/digits/digits.bin" .

# Writing what was read again and again gives the same bytes, also by way of the other formats.
$ inlay convert digits.xml a.xml && inlay convert a.xml b.xml && cmp a.xml b.xml && cmp a.bin b.bin

$ inlay convert a.xml c.json && inlay convert c.json d.xml && cmp a.xml d.xml && cmp a.bin d.bin

$ inlay convert a.xml e.inlay && inlay convert e.inlay f.xml && cmp a.xml f.xml && cmp a.bin f.bin

# The format is told by the content, standard input and output are models too.
$ mv c.json c.data && inlay convert - g.xml <c.data; ls c.data g.*
c.data
g.bin
g.xml
$ inlay convert a.xml - | inlay convert - h.xml && cmp a.xml h.xml

# Weights somewhere else.
$ mv a.bin weights && inlay convert a.xml i.xml
a.xml:34: error: layer 2 "pixel_scale" (Const-1): the model has a constant, but no weights: there is no a.bin
[2]
$ inlay convert --weights weights a.xml i.xml && cmp b.xml i.xml

$ inlay convert b.xml j.xml --ir-version 10 && head -2 j.xml
<?xml version="1.0"?>
<net name="digits" version="10">
$ inlay convert b.xml j.xml --ir-version 9
inlay convert: error: option --ir-version is "9", it must be 10 or 11 (see `inlay convert --help`)
[2]

# Errors name file, line, layer and operation.
$ sed 's/type="ReLU"/type="RLU"/' a.xml >k.xml; inlay convert --weights weights k.xml l.xml
k.xml:142: error: layer 8 "conv1_relu" (RLU): unknown operation RLU of version opset1, did you mean "Elu"?
k.xml: error: Inlay does not know these operations: RLU of opset1 (3 times, first on line 142); `inlay info --allow-unknown` shows the rest of the model
[2]
$ sed 's/offset="[0-9]*" size/offset="99999999" size/' a.xml >k.xml; inlay convert --weights weights k.xml l.xml
k.xml:34: error: layer 2 "pixel_scale" (Const-1): offset 99999999 and size 4 reach beyond the weights file, which has 106816 bytes
[2]
$ printf '<net version="7"><layers/></net>' >k.xml; inlay info k.xml
k.xml:1: error: OpenVINO IR version 7 is not supported, only 10 and 11 are
[2]
$ printf '<!DOCTYPE net><net version="11"/>' | inlay info -
<stdin>:1: error: a DOCTYPE is not allowed in a model
[2]
$ inlay info nothing.xml
nothing.xml: error: cannot open: No such file or directory
[2]
$ inlay info .
.: error: cannot read: Is a directory
[2]
$ ls l.*
ls: cannot access 'l.*': No such file or directory
[2]

# What cannot be written.
$ inlay convert b.xml m.pt
m.pt: error: a model's name ends in .xml, .json, .onnx, .inlay or .txt
[2]
$ inlay convert b.xml no/where.xml
no/where.xml: error: cannot write: No such file or directory
[3]
$ inlay convert b.xml - >/dev/full
<stdout>: error: cannot write: No space left on device
[3]
$ ln -s /dev/full full.txt; inlay convert b.xml full.txt
full.txt: error: cannot write: No space left on device
[3]
$ mkdir dir.txt; inlay convert b.xml dir.txt
dir.txt: error: cannot write: Is a directory
[3]

# An unknown operation, and weights that are missing, can still be shown.
$ sed 's/type="MatMul" version="opset1"/type="MyMatMul" version="extension"/' b.xml >n.xml; inlay print --weights b.bin n.xml | head -1
n.xml:325: error: layer 19 "dense1" (MyMatMul): operation MyMatMul is of unknown version "extension"
n.xml: error: Inlay does not know these operations: MyMatMul of extension (2 times, first on line 325); `inlay info --allow-unknown` shows the rest of the model
$ inlay print --weights b.bin --allow-unknown n.xml | grep -c MyMatMul
2
$ inlay info n.xml
n.xml:34: error: layer 2 "pixel_scale" (Const-1): the model has a constant, but no weights: there is no n.bin
n.xml: error: Inlay does not know these operations: MyMatMul of extension (2 times, first on line 325); `inlay info --allow-unknown` shows the rest of the model
[2]
$ inlay info --allow-unknown n.xml | sed -n '/^nodes/,$p'
nodes: 29
  Parameter-1                      1
  Result-1                         1
  ReLU-1                           3
  Add-1                            4
  Multiply-1                       1
  Convert-1                        1
  SoftMax-8                        1
  Convolution-1                    2
  MaxPool-1                        2
  Reshape-1                        1
  Const of opset1                  10  weights are missing, first on line 34
  MyMatMul of extension            2  not known to Inlay, first on line 325
constants: 0 elements, 0 bytes
memory plan: none, layer 2 "pixel_scale" (Const of opset1): the weights of this constant are missing, so it cannot be run
$ inlay info --allow-unknown n.xml --json | sed -n '/unknown_ops/,$p'
  "unknown_ops": [{"type": "MyMatMul", "version": "extension", "count": 2, "line": 325, "node": "dense1"}],
  "missing_weights": 10,
  "constant_elements": 0,
  "constant_bytes": 0,
  "memory_plan": null
}
$ inlay convert --allow-unknown n.xml o.xml && grep -c 'type="MyMatMul" version="extension"' o.xml
2

# A boolean that is neither true nor false keeps its default, as OpenVINO reads it, but not silently.
$ sed 's/transpose_b="[a-z]*"/transpose_b="yes"/' b.xml >p.xml; inlay info --weights b.bin p.xml 2>&1 >/dev/null | head -1
p.xml:*: warning: layer * "*" (MatMul-1): attribute "transpose_b" is "yes", which is no boolean: ignored (glob)

# The rewrite leaves a variable that is assigned but not read, which no OpenVINO reader opens: the
# file reads it all the same, and says the same function.

$ cat >unread.inlay <<'END'
> graph "unread" {
>   variable "v" : f32[2]
>   %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
>   %b = Const-1 {value = i64[1] [0]}
>   %e = Const-1 {value = i64[1] [2]}
>   %one = Const-1 {value = i64[1] [1]}
>   %old = ReadValue-6 {variable_id = "v", variable_type = f32, variable_shape = [2]}
>   %all = SliceScatter-15(%old, %x, %b, %e, %one)
>   %new = Slice-8(%all, %b, %e, %one)
>   %save = Assign-6(%new) {variable_id = "v"}
> }
> END
$ inlay opt unread.inlay
graph "unread" {
  variable "v" : f32[2]
  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %save = Assign-6(%x) {variable_id = "v"} : f32[2]
}

$ inlay opt unread.inlay -o read.xml && inlay print read.xml && inlay verify unread.inlay read.xml
graph "unread" {
  variable "v" : f32[2]
  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %ShapeOf_2 = ShapeOf-3(%x) : i64[1]
  %read_before_assign = ReadValue-6(%x) {variable_id = "v", variable_type = f32, variable_shape = [2]} : f32[2]
  %ShapeOf = ShapeOf-3(%read_before_assign) : i64[1]
  %Const = Const-1 {value = i64[1] [0]}
  %ReduceProd = ReduceProd-1(%ShapeOf, %Const) {keep_dims = true} : i64[1]
  %Multiply = Multiply-1(%ReduceProd, %Const) : i64[1]
  %Add = Add-1(%ShapeOf_2, %Multiply) : i64[1]
  %Reshape = Reshape-1(%x, %Add) {special_zero = false} : f32[2]
  %save = Assign-6(%Reshape) {variable_id = "v"} : f32[2]
}
same: 64 of 64 trials counted
  not covered: states after step 6

$ inlay opt read.xml -o again.xml && inlay verify unread.inlay again.xml
same: 64 of 64 trials counted
  not covered: states after step 6

# The page of BatchNormInference-1 shows data first, files have it third: both are read, one is written,
# in bodies too.

$ cat >norm.inlay <<'END'
> graph "norm" {
>   %x = Parameter-1 {element_type = f32, shape = [?,2,3]} : f32[?,2,3]
>   %g = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
>   %b = Const-1 {value = f32[2] [0.5, -1]}
>   %m = Const-1 {value = f32[2] [1, 2]}
>   %v = Const-1 {value = f32[2] [4, 9]}
>   %y = BatchNormInference-1(%x, %g, %b, %m, %v) {epsilon = 0.5}
>   %yes = Const-1 {value = boolean[] true}
>   %z:1 = If-8(%yes, %y, %g)
>   then_body "then" {
>     %x = Parameter-1 {element_type = f32, shape = [?,2,3]}
>     %g = Parameter-1 {element_type = f32, shape = [2]}
>     %y = BatchNormInference-1(%x, %g, %g, %g, %g) {epsilon = 1}
>     %r = Result-1(%y)
>   }
>   in 1 -> %x
>   in 2 -> %g
>   out %r -> 0
>   else_body "else" {
>     %x = Parameter-1 {element_type = f32, shape = [?,2,3]}
>     %r = Result-1(%x)
>   }
>   in 1 -> %x
>   out %r -> 0
>   %out = Result-1(%z)
> }
> END
$ inlay convert norm.inlay norm.xml && inlay print norm.xml | grep BatchNorm
  %y = BatchNormInference-1(%g, %b, %x, %m, %v) {epsilon = 0.5} : f32[?#1,2,3]
      %y = BatchNormInference-1(%g, %g, %x, %g, %g) {epsilon = 1} : f32[?#1,2,3]
$ inlay convert norm.xml again.xml && cmp norm.xml again.xml && inlay verify norm.inlay norm.xml
same: 64 of 64 trials counted
  not covered: open sizes above 257
