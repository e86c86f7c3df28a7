# Sequences are tensors of items: as inputs and outputs, in files and on the terminal.

$ printf '<ir_version: 8, opset_import: ["" : 17]>\ng (float[n,m] x, int64 at) => (seq(float[a,m]) parts, float[a,m] one, int64 count) {\n two = Constant <value_int = 2> ()\n parts = SplitToSequence <axis = 0> (x, two)\n one = SequenceAt (parts, at)\n count = SequenceLength (parts)\n}' >split.onnxtxt

$ inlay run split.onnxtxt -i x='[[1,2],[3,4],[5,6]]' -i at=-1 -o out
parts: item[2]
  0: f32[2,2]
    [[1, 2],
     [3, 4]]
  1: f32[1,2]
    [[5, 6]]
one: f32[1,2]
  [[5, 6]]
count: i64[]
  2

$ inlay run split.onnxtxt -i x='[[1,2],[3,4],[5,6]]' -i at=2
split.onnxtxt:5: error: node 2 "one" (SequenceAt-11): position is 2, the sequence has 2 items
[2]

# A folder holds the items of a sequence.
$ printf '<ir_version: 8, opset_import: ["" : 17]>\ng (seq(float[a,m]) parts, float[1,m] x) => (float[n,m] y, seq(float[a,m]) more) {\n more = SequenceInsert (parts, x)\n y = ConcatFromSequence <axis = 0> (more)\n}' >join.onnxtxt

$ inlay run join.onnxtxt -i parts=out/0 -i x='[[7,8]]' -o more
y: f32[4,2]
  [[1, 2],
   [3, 4],
   [5, 6],
   [7, 8]]
more: item[3]
  0: f32[2,2]
    [[1, 2],
     [3, 4]]
  1: f32[1,2]
    [[5, 6]]
  2: f32[1,2]
    [[7, 8]]

$ inlay run join.onnxtxt -i parts=out/0 -i x='[[7,8]]' --expect more=more/1 --quiet

$ inlay run join.onnxtxt -i parts=more/1 -i x='[[7,8]]' --expect more=more/1 --quiet
inlay: output "more" differs from more/1: the shape is [4], it must be [3]
[1]

# What an earlier, longer sequence left in the folder goes.
$ inlay run split.onnxtxt -i x='[[1,2]]' -i at=0 -o out --quiet && ls out/0
0.npy

# Other formats have no items.
$ inlay convert join.onnxtxt join.xml
join.onnxtxt:2: error: node "parts" (Parameter-1): OpenVINO IR has no type item
[2]

# What the items of an input are of is kept.
$ for f in inlay json; do inlay convert join.onnxtxt join.$f && inlay print --full join.$f | grep item_type; done
  %parts = Parameter-1 {element_type = item, shape = [?], item_type = f32} : item[?] as "parts" port_info { attribute(name = "onnx", version = "0", item_shape = "[a,m]") }
  %parts = Parameter-1 {element_type = item, shape = [?], item_type = f32} : item[?] as "parts" port_info { attribute(name = "onnx", version = "0", item_shape = "[a,m]") }
