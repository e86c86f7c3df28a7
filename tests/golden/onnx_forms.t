# The three forms of ONNX are told by content, whatever a file is called.
$ for f in onnx json onnxtxt; do cp "$ROOT/tests/onnx_forms/functions.$f" "m.$f"; inlay info m.$f | sed -n 1,5p; done
m.onnx: calls
inputs:
  a                    f32[2]  names: a
outputs:
  out                  f32[2]
m.json: calls
inputs:
  a                    f32[2]  names: a
outputs:
  out                  f32[2]
m.onnxtxt: calls
inputs:
  a                    f32[2]  names: a
outputs:
  out                  f32[2]

$ cp m.onnxtxt m.txt

$ inlay verify m.txt m.onnx
same: 64 of 64 trials counted

# A JSON graph has none of ONNX's members, though its first one may be called alike.
$ inlay convert "$ROOT/tests/onnx_forms/dims.onnxtxt" v10.xml --ir-version 10
inlay: warning: names of dimensions are not written: IR version 10 cannot hold them, 11 can (--ir-version 11)

$ inlay convert v10.xml graph.json && sed 's/"format": "inlay-graph", //' graph.json | inlay info - | sed -n 1p
<stdin>:1: error: the member "format" is missing

# Elements of the text form may stand in a file beside it, from an offset on.
$ printf '\000\000\200\077\000\000\000\100\000\000\100\100' >w.bin
$ printf '<ir_version: 8, opset_import: ["" : 17]>\nbeside () => (float[2] y) <float[2] w = ["location": "w.bin", "offset": "4"]> { y = Identity (w) }\n' >beside.onnxtxt
$ inlay run beside.onnxtxt
y: f32[2]
  [2, 3]

$ sed 's/w.bin/v.bin/' beside.onnxtxt >away.onnxtxt; inlay info away.onnxtxt 2>&1 | grep -o 'external_data: .*'
external_data: "v.bin" cannot be opened: No such file or directory

# A node may have no outputs.
$ printf '<ir_version: 8, opset_import: ["" : 17]>\nidle (float[1] x) => (float[1] y) { = Concat <axis = 0> (x, x, x, x, x, x, x, x) y = Abs (x) }\n' >idle.onnxtxt; inlay info idle.onnxtxt | grep -c Concat
1

# What is wrong stands on its line, in the text as in what it means.
$ sed 's/once = Elu/once = Ely/' m.onnxtxt >wrong.onnxtxt

$ inlay print wrong.onnxtxt
wrong.onnxtxt:10: error: graph.node[0] (local.ops.twice-1).node[0] (Ely-17): is an operation that this build does not have, did you mean "Elu"?; --allow-unknown shows the graph
wrong.onnxtxt: error: Inlay does not know these operations: Ely of onnx17 (2 times, first on line 10); `inlay info --allow-unknown` shows the rest of the model
[2]

# A file without lines names the node.
$ LC_ALL=C sed 's/Elu/Ely/' m.onnx >wrong.onnx; inlay info wrong.onnx
wrong.onnx: error: graph.node[0] (local.ops.twice-1).node[0] (Ely-17): is an operation that this build does not have, did you mean "Elu"?; --allow-unknown shows the graph
wrong.onnx: error: Inlay does not know these operations: Ely of onnx17 (4 times, first on node "once"); `inlay info --allow-unknown` shows the rest of the model
[2]

$ inlay info wrong.onnx --allow-unknown | grep "not known to Inlay, f"
  Ely of onnx17                    4  not known to Inlay, first on node "once"

$ sed 's/(once, again, x)/(once again, x)/' m.onnxtxt | inlay print -
<stdin>:12: error: found `again`, expected `)`
[2]

# The domain of an operator is told from its version, in every format.
$ printf '%s\n' '<ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>' \
>     'g (float[2] x) => (float[2] y) { y = com.microsoft.BeamSearch (x) }' >other.onnxtxt

$ inlay print other.onnxtxt
other.onnxtxt:2: error: graph.node[0] (com.microsoft.BeamSearch-1): runs a decoder in a loop of its own to generate text, and is not read; export the decoder alone
other.onnxtxt: error: Inlay does not know these operations: BeamSearch of com.microsoft-1 (line 2); `inlay info --allow-unknown` shows the rest of the model
[2]

$ for f in xml json inlay; do
>     inlay convert --allow-unknown other.onnxtxt other.$f && inlay print --allow-unknown other.$f | grep BeamSearch
> done
  %y = ?BeamSearch@"com.microsoft-1"(%x) : dynamic[...] as "y"
  %y = ?BeamSearch@"com.microsoft-1"(%x) : dynamic[...] as "y"
  %y = ?BeamSearch@"com.microsoft-1"(%x) : dynamic[...] as "y"
