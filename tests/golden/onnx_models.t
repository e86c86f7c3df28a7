# Models as exporters write them give what PyTorch gives, in both executors, before and after the passes.

$ for m in loop_cache lstm mobilenet slice_scatter_concat slice_scatter_elements slice_scatter_nd transformer; do
>     for e in planned reference; do
>         for p in default none; do
>             d=$ROOT/models/onnx/$m
>             inlay run "$d/model.onnx" --test-data "$d" --exec $e --passes $p --quiet || echo "$m $e $p"
>         done
>     done
> done

# What is decided, and what is copied.
$ inlay opt "$ROOT/models/onnx/loop_cache/model.onnx" --explain
"/ScatterND" (ScatterNDUpdate-15), window of "/Gather_1" (Gather-8):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  into: yes
  order edges: 1
"/Unsqueeze" (Unsqueeze-1):
  view: yes
"/Gather" (Gather-8):
  view: yes
"/Gather_1" (Gather-8):
  view: no (O6 no-overlapping-operand): "/Add" (Add-1) reads positions that it writes; copies 16 bytes in each of 6 iterations, 96 bytes in all
    what helps: read positions that are not written, or give both windows the same sizes and the same positive steps
"/Reshape" (Reshape-1):
  view: yes
"/Loop" (Loop-5), input 2:
  overwrite: yes; unless the caller donates the input, it is copied once

$ inlay opt "$ROOT/models/onnx/mobilenet/model.onnx" --explain
nothing to explain: there is no scatter, and nothing else is copied

$ inlay opt "$ROOT/models/onnx/slice_scatter_concat/model.onnx" --explain
"before" (Slice-8):
  view: yes
"w" (Slice-8):
  view: yes
"behind" (Slice-8):
  view: yes
"y" (Concat-1), its part "u" (Add-1):
  into: yes
"y" (Concat-1): copied, 64 bytes
    what helps: write what is new into the input by a scatter, and let the caller donate the input

$ inlay opt "$ROOT/models/onnx/slice_scatter_elements/model.onnx" --explain
"y" (SliceScatter-15), window of "w" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes
    I3 operands-in-step: "m" (Multiply-1) is read at the very positions that are written
    N1 content-made-first: "x" (Parameter-1) makes the rest of the data before
    I1 same-window of "m": "w" (Slice-8) has the same window

$ inlay opt "$ROOT/models/onnx/slice_scatter_nd/model.onnx" --explain
"/ScatterND" (SliceScatter-15), window of "/Slice" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes
    I3 operands-in-step: "/Mul" (Multiply-1) is read at the very positions that are written
    N1 content-made-first: "x" (Parameter-1) makes the rest of the data before
    I1 same-window of "/Mul": "/Slice" (Slice-8) has the same window

$ inlay opt "$ROOT/models/onnx/transformer/model.onnx" --explain
"Slice" (Slice-8):
  view: yes
"Slice_3" (Slice-8):
  view: yes
"/Concat" (Concat-1): copied, 40 bytes
    what helps: let the run compute each part for this alone; what is given, constant or shown by a view stands in a buffer of its own
"/Reshape" (Reshape-1):
  view: yes
"/Transpose" (Transpose-1):
  view: yes
"/Split" (VariadicSplit-1):
  view: yes
"/Squeeze" (Squeeze-15):
  view: yes
"/Squeeze_1" (Squeeze-15):
  view: yes
"/Squeeze_2" (Squeeze-15):
  view: yes
"/Transpose_2" (Transpose-1):
  view: yes
"/Concat_1" (Concat-1): copied, 24 bytes
    what helps: let the run compute each part for this alone; what is given, constant or shown by a view stands in a buffer of its own
"/Reshape_1" (Reshape-1):
  view: no (V2 strided-readers): "/Reshape_1" (Reshape-1) reads only elements that follow each other
    what helps: cut along the first axis, where elements follow each other, or accept the copy of the slice, which is small
