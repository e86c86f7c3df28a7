# in-place-windows, condition by condition. The expected lines follow from the catalogue of conditions, not from a run:
# overwrite, view and into are what the pure graph allows, the refusals name the condition each model was written for.

# The other reader does not need the result: it is made to run before the write.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/yes_O3_moved.inlay" --explain
$ROOT/tests/passes/in-place/yes_O3_moved.inlay:9: "r" (SliceScatter-15):
  overwrite: yes

# A later reader that looks only at rows which are not written.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/yes_O3_outside.inlay" --explain
$ROOT/tests/passes/in-place/yes_O3_outside.inlay:10: "r" (SliceScatter-15):
  overwrite: yes; unless the caller donates the input, it is copied once

# Four windows of one tensor, each read from the original: the windows do not meet, one buffer serves all.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/yes_chain.inlay" --explain
$ROOT/tests/passes/in-place/yes_chain.inlay:24: "r3" (SliceScatter-15), window of "x3" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
$ROOT/tests/passes/in-place/yes_chain.inlay:21: "r2" (SliceScatter-15), window of "x2" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
$ROOT/tests/passes/in-place/yes_chain.inlay:18: "r1" (SliceScatter-15), window of "x1" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
$ROOT/tests/passes/in-place/yes_chain.inlay:15: "r0" (SliceScatter-15), window of "x0" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes

# Start and stop are known only at run time, but they are the same values.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/yes_dynamic.inlay" --explain
$ROOT/tests/passes/in-place/yes_dynamic.inlay:9: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes

# Even rows, then odd rows: the ranges overlap, the windows do not meet.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/yes_interleaved.inlay" --explain
$ROOT/tests/passes/in-place/yes_interleaved.inlay:13: "r1" (SliceScatter-15), window of "x1" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
$ROOT/tests/passes/in-place/yes_interleaved.inlay:10: "r0" (SliceScatter-15), window of "x0" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes

# The chain reads exactly the positions it writes, twice.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/yes_same_operand.inlay" --explain
$ROOT/tests/passes/in-place/yes_same_operand.inlay:9: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes

# Rows by index over data that dies.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/yes_scatter_update.inlay" --explain
$ROOT/tests/passes/in-place/yes_scatter_update.inlay:8: "r" (ScatterUpdate-3):
  overwrite: yes

# A variable is updated where it stands.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/yes_variable.inlay" --explain
$ROOT/tests/passes/in-place/yes_variable.inlay:8: "r" (SliceScatter-15):
  overwrite: yes

# A window is read, computed on and written back: overwrite, view and into.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/yes_window.inlay" --explain
$ROOT/tests/passes/in-place/yes_window.inlay:11: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes

# I1 same-window: the same rows in the opposite order.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_I1.inlay" --explain
$ROOT/tests/passes/in-place/no_I1.inlay:12: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: no (O6 no-self-read): "r" (SliceScatter-15); copies 96 bytes
  into: no (I1 same-window): "x" (Slice-8); copies 96 bytes

# I2 pointwise: a softmax reads the whole row for each element.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_I2.inlay" --explain
$ROOT/tests/passes/in-place/no_I2.inlay:9: "r" (SliceScatter-15):
  overwrite: yes; unless the caller donates the input, it is copied once
  into: no (I2 pointwise): "y" (SoftMax-8); copies 32 bytes

# I3 other-operands: the other operand is a shifted window of the same tensor.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_I3.inlay" --explain
$ROOT/tests/passes/in-place/no_I3.inlay:14: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: no (I3 other-operands): "y" (Add-1); copies 32 bytes

# I4 broadcast-others: the first row of the window is read for every row.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_I4.inlay" --explain
$ROOT/tests/passes/in-place/no_I4.inlay:13: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: no (I4 broadcast-others): "y" (Subtract-1); copies 32 bytes

# I5 sole-consumer: a link of the chain is an output.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_I5.inlay" --explain
$ROOT/tests/passes/in-place/no_I5.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes; the links before are computed outside (I5 sole-consumer: "result_y1")

# I8 no-trap-between: a division by zero would leave the variable half written.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_I8.inlay" --explain
$ROOT/tests/passes/in-place/no_I8.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: no (I8 no-trap-between): "y" (Divide-1); copies 8 bytes

# O1 same-storage: a rank that is not known cannot be proven the same.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_O1.inlay" --explain
$ROOT/tests/passes/in-place/no_O1.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O1 same-storage): "data" (Parameter-1)

# O13 result-survives: something else is assigned to the variable.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_O13.inlay" --explain
$ROOT/tests/passes/in-place/no_O13.inlay:9: "r" (SliceScatter-15):
  overwrite: no (O13 result-survives): "store" (Assign-6); copies 32 bytes; something else is assigned to the variable

# O2 writable-root: a constant would be spoiled for the next run.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_O2_constant.inlay" --explain
$ROOT/tests/passes/in-place/no_O2_constant.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O2 writable-root): "data" (Const-1); copies 32 bytes; a constant is copied once, the copy is then written in place

# O2 writable-root: nothing is assigned to the variable, so it must stay as it is.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_O2_variable.inlay" --explain
$ROOT/tests/passes/in-place/no_O2_variable.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O2 writable-root): "state" (ReadValue-6); copies 32 bytes; the variable keeps its value: nothing is assigned to it

# O3 last-read: the old data is read after the write, by something that needs the result.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_O3.inlay" --explain
$ROOT/tests/passes/in-place/no_O3.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O3 last-read): "z" (Add-1); copies 128 bytes

# O4 not-observed: the old version is an output too.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_O4.inlay" --explain
$ROOT/tests/passes/in-place/no_O4.inlay:9: "r" (SliceScatter-15):
  overwrite: no (O4 not-observed): "result_d" (Result-1); copies 128 bytes

# O4 not-observed: an output would change with the next run.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_O4_variable.inlay" --explain
$ROOT/tests/passes/in-place/no_O4_variable.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O4 not-observed): "result_r" (Result-1); copies 32 bytes

# O5 one-heir: two scatters of one tensor, only one can have the buffer.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_O5.inlay" --explain
$ROOT/tests/passes/in-place/no_O5.inlay:11: "r2" (SliceScatter-15):
  overwrite: yes
$ROOT/tests/passes/in-place/no_O5.inlay:10: "r1" (SliceScatter-15):
  overwrite: no (O5 one-heir): "r2" (SliceScatter-15); copies 128 bytes

# O6 no-self-read: the rows are moved by one, a view of them would be smeared; the slice is copied.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_O6.inlay" --explain
$ROOT/tests/passes/in-place/no_O6.inlay:11: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: no (O6 no-self-read): "r" (SliceScatter-15); copies 48 bytes
  into: no (I1 same-window): "x" (Slice-8); copies 48 bytes

# O7 same-value-twice: the tensor is written over itself, backwards.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_O7.inlay" --explain
$ROOT/tests/passes/in-place/no_O7.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O7 same-value-twice): "r" (SliceScatter-15); copies 128 bytes
  into: no (O overwrite is refused); copies 128 bytes

# V1 read-before-write: the slice is read again after its window was written.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_V1.inlay" --explain
$ROOT/tests/passes/in-place/no_V1.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: no (V1 read-before-write): "z" (Add-1); copies 32 bytes
  into: yes

# V3 does-not-outlive: the slice is an output.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_V3.inlay" --explain
$ROOT/tests/passes/in-place/no_V3.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: no (V3 does-not-outlive): "result_x" (Result-1); copies 32 bytes
  into: yes

# V4 whole-bytes: the window begins in the middle of a byte.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_V4.inlay" --explain
$ROOT/tests/passes/in-place/no_V4.inlay:9: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: no (V4 whole-bytes): "x" (Slice-8); copies 3 bytes
  into: no (O12 bytes): "r" (SliceScatter-15); copies 3 bytes

# I1 same-window: two starts that may differ.
$ inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place/no_dynamic.inlay" --explain
$ROOT/tests/passes/in-place/no_dynamic.inlay:11: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: no (I1 same-window): "y" (ReLU-1)
