# in-place-windows, condition by condition. The expected lines follow from the conditions (passes/inplace/CONDITIONS.md), not from a run:
# overwrite, view and into are what the pure graph allows, the refusals name the condition each model was written for.
# What is copied beside that follows from the shapes, and is what a run counts (unit/test_in_place_counted.c).

# ./decide FILE: what is decided on it, the notes and order edges that are made.
$ cat > decide <<'END'
> inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place-windows/$1.inlay" --explain -o noted.inlay | sed "s|^/.*/||"
> sed -n "s/^ *\(%[^ ]*\) = .* \(view of\|overwrites\|into\) \(%[^ ]*\( {[^}]*}\)\?\).*/\1 \2 \3/p; s/^ *\(order .*\)/\1/p" noted.inlay
> END

# I1 same-window: the same rows, said in other words.
$ sh decide yes_I1_spelling
yes_I1_spelling.inlay:14: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
%x view of %d
%y into %r {I1 %x, N1 %d}
%r overwrites %d {}

# I3 operands-in-step: two slices of the very positions that are written.
$ sh decide yes_I3
yes_I3.inlay:12: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    I1 same-window: "z" (Slice-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
yes_I3.inlay:10: "z" (Slice-8):
  view: yes
%x view of %d
%z view of %d
%y into %r {I1 %x, I1 %z, N1 %d}
%r overwrites %d {}

# A product with other axes, in rows that follow each other: what shows it there is a view of it.
$ sh decide yes_I_reshaped
yes_I_reshaped.inlay:14: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
  order edges: 1
yes_I_reshaped.inlay:13: "u" (Reshape-1):
  view: yes
%y into %r {N1 %d}
%u view of %y
%r overwrites %d {}
order %d before %y

# I3 operands-in-step: the window itself with other axes, which is read where it is written, whatever gaps its rows have.
$ sh decide yes_I3_reshaped
yes_I3_reshaped.inlay:15: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
yes_I3_reshaped.inlay:12: "q" (Reshape-1):
  view: yes
yes_I3_reshaped.inlay:14: "u" (Reshape-1):
  view: yes
%x view of %d
%q view of %x
%y into %r {I3 %q, N1 %d}
%u view of %y
%r overwrites %d {}

# The same from the last row to the first: the slice is copied to be reshaped.
$ sh decide yes_I1_reshaped
yes_I1_reshaped.inlay:18: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
yes_I1_reshaped.inlay:14: "x" (Slice-8):
  view: yes
yes_I1_reshaped.inlay:15: "q" (Reshape-1):
  view: no (O6 no-overlapping-operand): "y" (Exp-1) reads positions that it writes; copies 128 bytes
    what helps: read positions that are not written, or give both windows the same sizes and the same positive steps
yes_I1_reshaped.inlay:17: "u" (Reshape-1):
  view: yes
%x view of %d
%y into %r {N1 %d, I5 %q}
%u view of %y
%r overwrites %d {}

# V2 strided-readers: rows with gaps between them are no single row.
$ sh decide yes_V2_window_reshaped
yes_V2_window_reshaped.inlay:13: "r" (SliceScatter-15):
  overwrite: yes
  into: no (V2 strided-readers): "u" (Reshape-1) reads only elements that follow each other; copies 16 KiB
    what helps: cut along the first axis, where elements follow each other, or accept the copy of the slice, which is small
yes_V2_window_reshaped.inlay:12: "u" (Reshape-1):
  view: yes
%u view of %y
%r overwrites %d {}

# V2 strided-readers: where the window begins is not known before the run.
$ sh decide yes_V2_window_open
yes_V2_window_open.inlay:13: "r" (SliceScatter-15):
  overwrite: yes
  into: no (V2 strided-readers): "u" (Reshape-1) reads only elements that follow each other; copies 4 KiB
    what helps: cut along the first axis, where elements follow each other, or accept the copy of the slice, which is small
yes_V2_window_open.inlay:12: "u" (Reshape-1):
  view: yes
%u view of %y
%r overwrites %d {}

# I4 no-broadcast-of-window: the row that is broadcast lies outside of the window.
$ sh decide yes_I4
yes_I4.inlay:13: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
yes_I4.inlay:11: "z" (Slice-8):
  view: yes
%x view of %d
%z view of %d
%y into %r {I1 %x, N1 %d}
%r overwrites %d {}

# I5 sole-consumer: the updates are read after the write, where they stand in the result.
$ sh decide yes_I5_updates
yes_I5_updates.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
%x view of %d
%y into %r {I1 %x, N1 %d}
%r overwrites %d {}

# The first row of the updates is a view of them, and is read when they stand in the window, where others stood before.
# "p" may not write over what "q" reads later.
$ sh decide yes_I5_view_of_updates
yes_I5_view_of_updates.inlay:17: "p" (SliceScatter-15), window of "part" (Slice-8):
  overwrite: no (O3 no-later-read): "q" (Add-1) reads the old data after the write; copies 32 bytes
    what helps: let the reader take the result, or only positions that are not written, or make it independent of the result so that it can come first
  view: yes
  into: no (O overwrite is refused); copies 16 bytes
    what helps: let it overwrite its data first
yes_I5_view_of_updates.inlay:14: "r2" (SliceScatter-15), window of "x2" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x2" (Slice-8) has the same window
    I9 same-version: "r" (SliceScatter-15) writes the rest of the data before
yes_I5_view_of_updates.inlay:11: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
%x view of %d
%y into %r {I1 %x, N1 %d}
%r overwrites %d {}
%x2 view of %r
%y2 into %r2 {I1 %x2, I9 %r}
%r2 overwrites %r {}
%part view of %y2

# I5 permits: who reads a part of one row is not in the way of what is computed in the next one.
$ sh decide yes_I5_other_row
yes_I5_other_row.inlay:15: "w" (ScatterNDUpdate-15), window of "g" (Gather-8):
  overwrite: yes
  view: yes
  into: yes
    N1 content-made-first: "d" (Exp-1) makes the rest of the data before
    N2 checks-first: "at" (Unsqueeze-1) says before where the window is, by an order edge
  order edges: 1
yes_I5_other_row.inlay:10: "s" (Slice-8):
  view: yes
yes_I5_other_row.inlay:11: "re" (Reshape-1):
  view: no (V3 does-not-outlive): "result_re" (Result-1) looks at the slice when the run is over; copies 4 bytes
    what helps: give out the whole value and cut it outside of the model
yes_I5_other_row.inlay:13: "at" (Unsqueeze-1):
  view: yes
%g view of %d
%s view of %g
%at view of %next
%a into %w {N1 %d, N2 %at}
%w overwrites %d {}
order %at before %a

# I6 element-width: a link of half the width is computed outside, the last one stores into the window.
$ sh decide yes_I6
yes_I6.inlay:11: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes; the links before are computed outside (I6 element-width: "h")
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    I5 sole-consumer: "h" (Convert-1) reads the elements before
%x view of %d
%y into %r {N1 %d, I5 %h}
%r overwrites %d {}

# I8 no-failure-midway: nobody can look at the tensor after an error.
$ sh decide yes_I8
yes_I8.inlay:11: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "d" (Abs-1) makes the rest of the data before
%x view of %d
%y into %r {I1 %x, N1 %d}
%r overwrites %d {}

# I9 same-version: the scatter in between wrote elsewhere.
$ sh decide yes_I9_outside
yes_I9_outside.inlay:14: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    I9 same-version: "r1" (SliceScatter-15) writes the rest of the data before, by an order edge
  order edges: 1
yes_I9_outside.inlay:12: "r1" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%r1 overwrites %d {}
%x view of %d
%y into %r {I1 %x, I9 %r1}
%r overwrites %r1 {}
order %r1 before %y

# O13 result-survives: what is assigned would stand backwards in the buffer of the variable; the slice is copied.
$ sh decide yes_O13_mirrored
yes_O13_mirrored.inlay:13: "r" (SliceScatter-15):
  overwrite: yes
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O13_mirrored.inlay:12: "x" (Slice-8):
  view: no (O2 writable-buffer): "state" (ReadValue-6) may not be written; copies 32 bytes
    what helps: give the input away (-i NAME=FILE,donate), store the result in its variable (--carry), or let a node make the data; a constant is copied once
%r overwrites %x {}

# O13 result-survives: a row of one layer and a window of another; what is assigned is the result of the last write.
$ sh decide yes_O13_two_writes
yes_O13_two_writes.inlay:12: "second" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O13_two_writes.inlay:9: "first" (SliceScatter-15):
  overwrite: yes; what is written over is kept until the run has succeeded
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%first overwrites %state {}
%second overwrites %first {}

# O13 result-survives: a cache of three layers in one variable; the first is read when it was written.
$ sh decide yes_O13_layers
yes_O13_layers.inlay:20: "l2" (SliceScatter-15):
  overwrite: yes
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O13_layers.inlay:19: "l1" (SliceScatter-15):
  overwrite: yes
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O13_layers.inlay:14: "l0" (SliceScatter-15):
  overwrite: yes; what is written over is kept until the run has succeeded
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O13_layers.inlay:18: "seen0" (Slice-8):
  view: yes
%l0 overwrites %state {}
%l1 overwrites %l0 {}
%l2 overwrites %l1 {}
%seen0 view of %l0

# O2 writable-buffer: the slice of a constant is no view, for it is written; it is copied.
$ sh decide yes_O2_view_of_constant
yes_O2_view_of_constant.inlay:10: "r" (SliceScatter-15):
  overwrite: yes
  updates: copied, 4 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O2_view_of_constant.inlay:9: "x" (Slice-8):
  view: no (O2 writable-buffer): "k" (Const-1) may not be written; copies 8 bytes
    what helps: give the input away (-i NAME=FILE,donate), store the result in its variable (--carry), or let a node make the data; a constant is copied once
%r overwrites %x {}

# O2 writable-buffer: the slice of a state is no view, for it is written; it is copied.
$ sh decide yes_O2_view_of_state
yes_O2_view_of_state.inlay:9: "r" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 4 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O2_view_of_state.inlay:8: "x" (Slice-8):
  view: no (O2 writable-buffer): "state" (ReadValue-6) may not be written; copies 8 bytes
    what helps: give the input away (-i NAME=FILE,donate), store the result in its variable (--carry), or let a node make the data; a constant is copied once
%r overwrites %x {}

# An input is written over twice, each time through a Reshape: it is told of the first of them that this is so.
$ sh decide yes_O2_view_of_input
yes_O2_view_of_input.inlay:14: "r2" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O2_view_of_input.inlay:12: "r1" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O2_view_of_input.inlay:11: "f" (Reshape-1):
  view: yes; unless the caller donates the input, it is copied once
yes_O2_view_of_input.inlay:13: "g" (Reshape-1):
  view: yes
%f view of %data
%r1 overwrites %f {}
%g view of %r1
%r2 overwrites %g {}

# The first of two results is read where the second writes: that reader is made to run before.
$ sh decide yes_O3_chain_moved
yes_O3_chain_moved.inlay:12: "r2" (SliceScatter-15):
  overwrite: yes
    O3 no-later-read: "z" (Exp-1) reads the old data before, by an order edge
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
yes_O3_chain_moved.inlay:11: "r1" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%r1 overwrites %d {}
%r2 overwrites %r1 {O3 %z}
order %z before %r2

# O3 no-later-read: nobody knows which rows the indices name, so the slice that is read later is copied.
$ sh decide yes_O3_indices
yes_O3_indices.inlay:12: "r" (ScatterUpdate-3):
  overwrite: yes
    O3 no-later-read: "x" (Slice-8) reads the old data before, by an order edge
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
yes_O3_indices.inlay:11: "x" (Slice-8):
  view: no (V1 read-before-write): "z" (Add-1) reads the slice after the write; copies 32 bytes
    what helps: let the reader come before the write: make it independent of the result
%r overwrites %d {O3 %x}
order %x before %r

# A cache that ONNX's TensorScatter writes, each batch at a place of its own: one row of a head is copied.
$ sh decide yes_O_tensor_scatter
yes_O_tensor_scatter.inlay:7: "r" (TensorScatter-24):
  overwrite: yes
  updates: copied, 96 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%r overwrites %d {}

# The other reader does not need the result: it is made to run before the write.
$ sh decide yes_O3_inner_open
yes_O3_inner_open.inlay:18: "out" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "e" (Exp-1) makes the rest of the data before, by an order edge
  order edges: 1
yes_O3_inner_open.inlay:14: "row" (Slice-8):
  view: yes
yes_O3_inner_open.inlay:15: "part" (Slice-8):
  view: yes
%row view of %e
%part view of %row
%v into %out {N1 %e}
%out overwrites %e {}
order %e before %v

$ sh decide yes_O3_moved
yes_O3_moved.inlay:9: "r" (SliceScatter-15):
  overwrite: yes
    O3 no-later-read: "z" (Exp-1) reads the old data before, by an order edge
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
%r overwrites %d {O3 %z}
order %z before %r

# A later reader that looks only at rows which are not written.
$ sh decide yes_O3_outside
yes_O3_outside.inlay:10: "r" (SliceScatter-15):
  overwrite: yes; unless the caller donates the input, it is copied once
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O3_outside.inlay:11: "x" (Slice-8):
  view: yes
%r overwrites %data {}
%x view of %data

# Whoever asks for the shape of the old data reads none of it.
$ sh decide yes_O3_shape
yes_O3_shape.inlay:9: "r" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%r overwrites %d {}

# O6 no-overlapping-operand: the indices are rows of the tensor that is written, so they are copied.
$ sh decide yes_O6_indices
yes_O6_indices.inlay:11: "r" (ScatterUpdate-3):
  overwrite: yes
    O3 no-later-read: "i" (Slice-8) reads the old data before
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O6_indices.inlay:10: "i" (Slice-8):
  view: no (O6 no-overlapping-operand): "r" (ScatterUpdate-3) reads positions that it writes; copies 16 bytes
    what helps: read positions that are not written, or give both windows the same sizes and the same positive steps
%r overwrites %d {O3 %i}

# O8 distinct-elements: a Broadcast that is written over is made in full, and is no view of one element.
$ sh decide no_O8
no_O8.inlay:12: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "d" (Broadcast-3) makes the rest of the data before
no_O8.inlay:9: "d" (Broadcast-3):
  view: no (O8 distinct-elements): "d" (Broadcast-3) has one element of memory for several of its own; copies 128 bytes
    what helps: write before the value is broadcast, or make the copies by a Tile
%x view of %d
%y into %r {I1 %x, N1 %d}
%r overwrites %d {}

# O8 distinct-elements: what is computed in the Broadcast stands there, and is copied beside itself: the second row.
$ sh decide yes_O8_held
yes_O8_held.inlay:13: "r" (ScatterElementsUpdate-12):
  overwrite: yes; unless the caller donates the input, it is copied once
  updates: copied, 32 bytes
    what helps: say the places by a window or a Range; what is computed for those that a list names is copied there
yes_O8_held.inlay:11: "s" (Reshape-1):
  view: yes
yes_O8_held.inlay:12: "b" (Broadcast-3), its part "s" (Reshape-1):
  into: yes
yes_O8_held.inlay:12: "b" (Broadcast-3): copied, 16 bytes
    what helps: let its readers broadcast, as elementwise operations and MatMul do; what repeats elements is no view
%a into %b {}
%s view of %a
%r overwrites %d {}

# O8 permits: indices that are only read may be one element in memory.
$ sh decide yes_O8_repeated
yes_O8_repeated.inlay:9: "r" (ScatterElementsUpdate-12):
  overwrite: yes; unless the caller donates the input, it is copied once
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_O8_repeated.inlay:8: "places" (Broadcast-3):
  view: yes
%places view of %at
%r overwrites %d {}

# A view runs through the rows backwards, by steps of two.
$ sh decide yes_V2_backward
yes_V2_backward.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
%x view of %d
%y into %r {I1 %x, N1 %d}
%r overwrites %d {}

# Four windows of one tensor, each read from the original: the windows do not meet, one buffer serves all.
$ sh decide yes_chain
yes_chain.inlay:24: "r3" (SliceScatter-15), window of "x3" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x3" (Slice-8) has the same window
    I9 same-version: "r2" (SliceScatter-15) writes the rest of the data before, by an order edge
  order edges: 1
yes_chain.inlay:21: "r2" (SliceScatter-15), window of "x2" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x2" (Slice-8) has the same window
    I9 same-version: "r1" (SliceScatter-15) writes the rest of the data before, by an order edge
  order edges: 1
yes_chain.inlay:18: "r1" (SliceScatter-15), window of "x1" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x1" (Slice-8) has the same window
    I9 same-version: "r0" (SliceScatter-15) writes the rest of the data before, by an order edge
  order edges: 1
yes_chain.inlay:15: "r0" (SliceScatter-15), window of "x0" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes
    I1 same-window: "x0" (Slice-8) has the same window
    N1 content-made-first: "data" (Parameter-1) makes the rest of the data before
%x0 view of %data
%y0 into %r0 {I1 %x0, N1 %data}
%r0 overwrites %data {}
%x1 view of %data
%y1 into %r1 {I1 %x1, I9 %r0}
%r1 overwrites %r0 {}
%x2 view of %data
%y2 into %r2 {I1 %x2, I9 %r1}
%r2 overwrites %r1 {}
%x3 view of %data
%y3 into %r3 {I1 %x3, I9 %r2}
%r3 overwrites %r2 {}
order %r2 before %y3
order %r1 before %y2
order %r0 before %y1

# The first of two results is read after the second write, outside of its window.
$ sh decide yes_chain_reader
yes_chain_reader.inlay:12: "r2" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_chain_reader.inlay:11: "r1" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_chain_reader.inlay:13: "x" (Slice-8):
  view: yes
%r1 overwrites %d {}
%r2 overwrites %r1 {}
%x view of %r1

# Start and stop are known only at run time, but they are the same values.
$ sh decide yes_dynamic
yes_dynamic.inlay:9: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "data" (Parameter-1) makes the rest of the data before
    N2 checks-first: "b" (Parameter-1) says before where the window is
    N2 checks-first: "e" (Parameter-1) says before where the window is
%x view of %data
%y into %r {I1 %x, N1 %data, N2 %b, N2 %e}
%r overwrites %data {}

# All of the data is written if the run goes well, and read without a slice.
$ sh decide yes_I1_all
yes_I1_all.inlay:8: "r" (SliceScatter-15):
  overwrite: yes; unless the caller donates the input, it is copied once
  into: yes
    I3 operands-in-step: "data" (Parameter-1) is read at the very positions that are written
    N1 content-made-first: "data" (Parameter-1) makes the rest of the data before
%y into %r {I3 %data, N1 %data}
%r overwrites %data {}

# I1 same-window: the same backwards.
$ sh decide no_I1_all
no_I1_all.inlay:8: "r" (SliceScatter-15):
  overwrite: yes; unless the caller donates the input, it is copied once
    O3 no-later-read: "y" (Tanh-1) reads the old data before
  into: no (I1 same-window): "y" (Tanh-1) has other positions, or the same in another order
    what helps: let the slice and the scatter have the same begin, end and step
%r overwrites %data {O3 %y}

# Rows in equal steps are a window.
$ sh decide yes_gather
yes_gather.inlay:9: "r" (ScatterUpdate-3), window of "x" (Gather-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Gather-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
%x view of %d
%y into %r {I1 %x, N1 %d}
%r overwrites %d {}

# One row is a window, wherever it is.
$ sh decide yes_gather_one
yes_gather_one.inlay:11: "r" (ScatterNDUpdate-15), window of "x" (Gather-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Gather-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    N2 checks-first: "tuples" (Unsqueeze-1) says before where the window is, by an order edge
  order edges: 1
yes_gather_one.inlay:7: "tuples" (Unsqueeze-1):
  view: yes
%tuples view of %at
%x view of %d
%y into %r {I1 %x, N1 %d, N2 %tuples}
%r overwrites %d {}
order %tuples before %y

# at and at + 1 are two rows.
$ sh decide yes_gather_beside
yes_gather_beside.inlay:11: "r" (ScatterUpdate-3), window of "x" (Gather-8):
  overwrite: yes
  view: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    N2 checks-first: "next" (Add-1) says before where the window is, by an order edge
  order edges: 1
%x view of %d
%y into %r {N1 %d, N2 %next}
%r overwrites %d {}
order %next before %y

# at and at + 8 may be one row of eight.
$ sh decide no_I1_rows
no_I1_rows.inlay:11: "r" (ScatterUpdate-3), window of "x" (Gather-8):
  overwrite: yes
    V1 read-before-write: "y" (Exp-1) reads the slice before
  view: yes
  into: no (I1 same-window): "y" (Exp-1) has other positions, or the same in another order; copies 16 bytes
    what helps: let the slice and the scatter have the same begin, end and step
  order edges: 1
%x view of %d
%r overwrites %d {V1 %y}
order %next before %y

# Rows in no equal steps, none of them twice.
$ sh decide yes_listed
yes_listed.inlay:10: "r" (ScatterUpdate-3), window of "x" (Gather-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Gather-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    I5 sole-consumer: "s" (Sigmoid-1) reads the elements before
%x view of %d
%y into %r {I1 %x, N1 %d, I5 %s}
%r overwrites %d {}

# Rows that are converted on the way, and rows of integers.
$ sh decide yes_listed_types
yes_listed_types.inlay:20: "left" (ScatterUpdate-3), window of "rows" (Gather-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "rows" (Gather-8) has the same window
    N1 content-made-first: "n" (Abs-1) makes the rest of the data before
    I5 sole-consumer: "some" (Greater-1) reads the elements before
    I5 sole-consumer: "less" (Subtract-1) reads the elements before
yes_listed_types.inlay:14: "r" (ScatterUpdate-3), window of "x" (Gather-8):
  overwrite: yes
  view: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    I5 sole-consumer: "wide" (Convert-1) reads the elements before
%x view of %d
%y into %r {N1 %d, I5 %wide}
%r overwrites %d {}
%rows view of %n
%chosen into %left {I1 %rows, N1 %n, I5 %some, I5 %less}
%left overwrites %n {}

# What is behind the positions that TopK finds.
$ sh decide yes_listed_found
yes_listed_found.inlay:16: "r" (ScatterNDUpdate-15), window of "x" (Gather-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Gather-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    N2 checks-first: "tuples" (Unsqueeze-1) says before where the window is, by an order edge
  order edges: 2
yes_listed_found.inlay:13: "tuples" (Unsqueeze-1):
  view: yes
%tuples view of %i
%x view of %d
%y into %r {I1 %x, N1 %d, N2 %tuples}
%r overwrites %d {}
order %tuples before %y
order %tuples before %x

# The positions that NonZero finds.
$ sh decide yes_listed_pairs
yes_listed_pairs.inlay:11: "r" (ScatterNDUpdate-15), window of "x" (GatherND-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (GatherND-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    N2 checks-first: "i" (Transpose-1) says before where the window is
yes_listed_pairs.inlay:8: "i" (Transpose-1):
  view: yes
%i view of %n
%x view of %d
%y into %r {I1 %x, N1 %d, N2 %i}
%r overwrites %d {}

# I5 sole-consumer: no strides show the rows to others.
$ sh decide no_I5_listed
no_I5_listed.inlay:9: "r" (ScatterUpdate-3), window of "x" (Gather-8):
  overwrite: yes
    O3 no-later-read: "x" (Gather-8) reads the old data before
  view: no (V2 strided-readers): "r" (ScatterUpdate-3) reads only elements that follow each other; copies 48 bytes
    what helps: cut along the first axis, where elements follow each other, or accept the copy of the slice, which is small
  into: no (I5 sole-consumer): "result_y" (Result-1) still needs the elements as they are; copies 48 bytes
    what helps: let the others read the result of the scatter, or come before the write
%r overwrites %d {O3 %x}

# V2 strided-readers: nor what stood there.
$ sh decide no_V2_listed
no_V2_listed.inlay:11: "r" (ScatterUpdate-3), window of "x" (Gather-8):
  overwrite: yes
  view: no (V2 strided-readers): "p" (MatMul-1) reads only elements that follow each other; copies 48 bytes
    what helps: cut along the first axis, where elements follow each other, or accept the copy of the slice, which is small
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    I5 sole-consumer: "x" (Gather-8) reads the elements before
%y into %r {N1 %d, I5 %x}
%r overwrites %d {}

# I11 distinct-rows: those of an input.
$ sh decide no_I11
no_I11.inlay:9: "r" (ScatterUpdate-3):
  overwrite: yes
    O3 no-later-read: "x" (Gather-8) reads the old data before
  into: no (I11 distinct-rows): "i" (Parameter-1) may name one row twice; copies 48 bytes
    what helps: name each row once: by a constant list, a Range, or the positions of a NonZero or a TopK
no_I11.inlay:7: "x" (Gather-8): copied, 48 bytes
    what helps: name the rows by a Slice, or by a Range or constants in equal steps, so that they can be a view
%r overwrites %d {O3 %x}

# Elements of lines, and I11 distinct-rows for them: lines along another axis.
$ sh decide yes_I11_elements
yes_I11_elements.inlay:11: "r" (ScatterElementsUpdate-12), window of "e" (GatherElements-6):
  overwrite: yes
  view: yes
  into: yes
    I3 operands-in-step: "a" (Negative-1) is read at the very positions that are written
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    N2 checks-first: "t" (TopK-11) says before where the window is
    I1 same-window of "a": "e" (GatherElements-6) has the same window
%e view of %d
%a into %r {I1 %e, N1 %d, N2 %t}
%y into %r {I3 %a, N1 %d, N2 %t}
%r overwrites %d {}

$ sh decide no_I11_elements
no_I11_elements.inlay:11: "r" (ScatterElementsUpdate-12):
  overwrite: yes
    O3 no-later-read: "e" (GatherElements-6) reads the old data before
  into: no (I11 distinct-rows): "t" (TopK-11) may name one row twice; copies 36 bytes
    what helps: name each row once: by a constant list, a Range, or the positions of a NonZero or a TopK
no_I11_elements.inlay:7: "e" (GatherElements-6): copied, 36 bytes
    what helps: name the rows by a Slice, or by a Range or constants in equal steps, so that they can be a view
%r overwrites %d {O3 %e}

# I11 distinct-rows: the last row, twice.
$ sh decide no_I11_from_end
no_I11_from_end.inlay:8: "r" (ScatterNDUpdate-15):
  overwrite: yes
    O3 no-later-read: "x" (GatherND-8) reads the old data before
  into: no (I11 distinct-rows): "i" (Const-1) may name one row twice; copies 48 bytes
    what helps: name each row once: by a constant list, a Range, or the positions of a NonZero or a TopK
no_I11_from_end.inlay:6: "x" (GatherND-8): copied, 48 bytes
    what helps: name the rows by a Slice, or by a Range or constants in equal steps, so that they can be a view
%r overwrites %d {O3 %x}

# I11 distinct-rows: what Unique gives, where a number below 0 is refused, and where it counts from the end.
$ sh decide yes_I11_unique
yes_I11_unique.inlay:10: "r" (ScatterUpdate-3), window of "x" (Gather-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Gather-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    N2 checks-first: "u" (Unique-10) says before where the window is
%x view of %d
%y into %r {I1 %x, N1 %d, N2 %u}
%r overwrites %d {}

$ sh decide no_I11_unique
no_I11_unique.inlay:13: "other" (ScatterUpdate-3):
  overwrite: yes; unless the caller donates the input, it is copied once
    O3 no-later-read: "d" (Tanh-1) reads the old data before
  updates: copied
    what helps: say the places by a window or a Range; what is computed for those that a list names is copied there
no_I11_unique.inlay:12: "r" (ScatterNDUpdate-15):
  overwrite: yes
    O3 no-later-read: "x" (Gather-8) reads the old data before
  into: no (I11 distinct-rows): "tuples" (Unsqueeze-1) may name one row twice
    what helps: name each row once: by a constant list, a Range, or the positions of a NonZero or a TopK
no_I11_unique.inlay:9: "tuples" (Unsqueeze-1):
  view: yes
no_I11_unique.inlay:10: "x" (Gather-8): copied
    what helps: name the rows by a Slice, or by a Range or constants in equal steps, so that they can be a view
%tuples view of %u:0
%r overwrites %d {O3 %x}
%other overwrites %data {O3 %d}

# I11 distinct-rows: a row that is named twice would be computed twice.
$ sh decide no_gather_repeated
no_gather_repeated.inlay:9: "r" (ScatterUpdate-3):
  overwrite: yes
    O3 no-later-read: "x" (Gather-8) reads the old data before
  into: no (I11 distinct-rows): "i" (Const-1) may name one row twice; copies 48 bytes
    what helps: name each row once: by a constant list, a Range, or the positions of a NonZero or a TopK
no_gather_repeated.inlay:7: "x" (Gather-8): copied, 48 bytes
    what helps: name the rows by a Slice, or by a Range or constants in equal steps, so that they can be a view
%r overwrites %d {O3 %x}

# Even rows, then odd rows: the ranges overlap, the windows do not meet.
$ sh decide yes_interleaved
yes_interleaved.inlay:13: "r1" (SliceScatter-15), window of "x1" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x1" (Slice-8) has the same window
    I9 same-version: "r0" (SliceScatter-15) writes the rest of the data before, by an order edge
  order edges: 1
yes_interleaved.inlay:10: "r0" (SliceScatter-15), window of "x0" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes
    I1 same-window: "x0" (Slice-8) has the same window
    N1 content-made-first: "data" (Parameter-1) makes the rest of the data before
%x0 view of %data
%y0 into %r0 {I1 %x0, N1 %data}
%r0 overwrites %data {}
%x1 view of %data
%y1 into %r1 {I1 %x1, I9 %r0}
%r1 overwrites %r0 {}
order %r0 before %y1

# The chain reads exactly the positions it writes, twice.
$ sh decide yes_same_operand
yes_same_operand.inlay:9: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "data" (Parameter-1) makes the rest of the data before
%x view of %data
%y into %r {I1 %x, N1 %data}
%r overwrites %data {}

# Rows by index over data that dies.
$ sh decide yes_scatter_update
yes_scatter_update.inlay:8: "r" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%r overwrites %d {}

# One output of a Split is written; the other is read afterwards.
$ sh decide yes_split
yes_split.inlay:11: "r" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_split.inlay:10: "part" (Split-1):
  view: yes
%part:2 view of %d
%r overwrites %part:0 {}

# V: a Squeeze without axes has no second operand.
$ sh decide yes_V_squeeze
yes_V_squeeze.inlay:5: "q" (Squeeze-1):
  view: yes
%q view of %d

# V: the row that a scalar picks, without its axis; a reshape of it, for a kernel that wants dense rows.
$ sh decide yes_V_scalar
yes_V_scalar.inlay:10: "x" (Gather-8):
  view: yes
yes_V_scalar.inlay:11: "y" (Reshape-1):
  view: yes
%x view of %d
%y view of %x

# V1 read-before-write: rows are written by index into one slice, and what lies beside it is read later.
$ sh decide yes_V1_beside
yes_V1_beside.inlay:13: "r" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_V1_beside.inlay:14: "z" (Slice-8):
  view: yes
yes_V1_beside.inlay:12: "x" (Slice-8):
  view: yes
%z view of %d
%x view of %d
%r overwrites %x {}

# The parts before it say where the third part of a VariadicSplit begins.
$ sh decide yes_third_part
yes_third_part.inlay:11: "r" (SliceScatter-15):
  overwrite: yes
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_third_part.inlay:10: "part" (VariadicSplit-1):
  view: yes
%part:3 view of %d
%r overwrites %part:2 {}

# A slice and a slice of it, which the decision moves in front of the write, are each asked once.
$ sh decide yes_V1_moved
yes_V1_moved.inlay:12: "out" (SliceScatter-15):
  overwrite: yes; unless the caller donates the input, it is copied once
    V1 read-before-write: "scalar" (Squeeze-15) reads the slice before, by an order edge
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
yes_V1_moved.inlay:17: "outer" (Slice-8):
  view: yes
yes_V1_moved.inlay:19: "inner" (Slice-8):
  view: yes
yes_V1_moved.inlay:20: "scalar" (Squeeze-15):
  view: no (V3 does-not-outlive): "result_2" (Result-1) looks at the slice when the run is over; copies 4 bytes
    what helps: give out the whole value and cut it outside of the model
yes_V1_moved.inlay:15: "read" (Slice-8):
  view: no (V3 does-not-outlive): "result" (Result-1) looks at the slice when the run is over
    what helps: give out the whole value and cut it outside of the model
%outer view of %data
%inner view of %outer
%out overwrites %data {V1 %scalar}
order %outer before %out
order %inner before %out
order %scalar before %out

# A variable is updated where it stands.
$ sh decide yes_variable
yes_variable.inlay:8: "r" (SliceScatter-15):
  overwrite: yes; what is written over is kept until the run has succeeded
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%r overwrites %state {}

# A window is read, computed on and written back: overwrite, view and into.
$ sh decide yes_window
yes_window.inlay:11: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes
    I3 operands-in-step: "y1" (ReLU-1) is read at the very positions that are written
    N1 content-made-first: "data" (Parameter-1) makes the rest of the data before
    I1 same-window of "y1": "x" (Slice-8) has the same window
%x view of %data
%y1 into %r {I1 %x, N1 %data}
%y into %r {I3 %y1, N1 %data}
%r overwrites %data {}

# I1 same-window: the same rows in the opposite order.
$ sh decide no_I1
no_I1.inlay:12: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    O3 no-later-read: "x" (Slice-8) reads the old data before
  view: no (O6 no-overlapping-operand): "r" (SliceScatter-15) reads positions that it writes; copies 96 bytes
    what helps: read positions that are not written, or give both windows the same sizes and the same positive steps
  into: no (I1 same-window): "x" (Slice-8) has other positions, or the same in another order; copies 96 bytes
    what helps: let the slice and the scatter have the same begin, end and step
%r overwrites %d {O3 %x}

# I10 no-effects: a link that stores a variable is no elementwise node, the chain ends there.
$ sh decide no_I10
no_I10.inlay:10: "r" (SliceScatter-15):
  overwrite: yes; unless the caller donates the input, it is copied once
    O3 no-later-read: "x" (Slice-8) reads the old data before
  into: no (I10 no-effects): "store" (Assign-6) has an effect; copies 8 bytes
    what helps: take the effect out of what lies between the slice and the scatter
no_I10.inlay:8: "x" (Slice-8):
  view: no (V3 does-not-outlive): "store" (Assign-6) looks at the slice when the run is over; copies 8 bytes
    what helps: give out the whole value and cut it outside of the model
%r overwrites %data {O3 %x}

# I1 same-window: a link between, and the window the same rows in the opposite order.
$ sh decide no_I1_chain
no_I1_chain.inlay:13: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    V1 read-before-write: "y" (ReLU-1) reads the slice before
  view: yes
  into: no (I1 same-window): "y" (ReLU-1) has other positions, or the same in another order; copies 96 bytes
    what helps: let the slice and the scatter have the same begin, end and step
%x view of %d
%r overwrites %d {V1 %y}

# I2 pointwise: a softmax reads the whole row for each element.
$ sh decide no_I2
no_I2.inlay:9: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
    V1 read-before-write: "y" (SoftMax-8) reads the slice before
  view: yes
  into: no (I2 pointwise): "y" (SoftMax-8) does not compute each element of the window from the same one; copies 32 bytes
    what helps: compute each element of the window from the elements at its position, or from values outside of the window
%x view of %data
%r overwrites %data {V1 %y}

# I2 pointwise: a MatMul reads rows of which one is its own window.
$ sh decide no_I2_at_once
no_I2_at_once.inlay:13: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    V1 read-before-write: "y" (MatMul-1) reads the slice before
  view: yes
  into: no (I2 pointwise): "y" (MatMul-1) does not compute each element of the window from the same one; copies 32 bytes
    what helps: compute each element of the window from the elements at its position, or from values outside of the window
%x view of %d
%r overwrites %d {V1 %y}

# What is computed otherwise reads nothing of its window: the outputs of a TopK, an LSTM, and a MatMul stand there.
$ sh decide yes_I2_at_once
yes_I2_at_once.inlay:27: "last" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "cube" (Unsqueeze-1) makes the rest of the data before, by an order edge
  order edges: 1
yes_I2_at_once.inlay:23: "indices" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "i" (Convert-1) makes the rest of the data before, by an order edge
  order edges: 1
yes_I2_at_once.inlay:32: "r" (SliceScatter-15), window of "rows" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I9 same-version: "values" (SliceScatter-15) writes the rest of the data before
yes_I2_at_once.inlay:22: "values" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before, by an order edge
  order edges: 1
yes_I2_at_once.inlay:26: "cube" (Unsqueeze-1):
  view: yes
%top into %indices {N1 %i}
%values overwrites %d {}
%rows view of %values
%m into %r {I9 %values}
%r overwrites %values {}
%indices overwrites %i {}
%cube view of %states
%lstm into %last {N1 %cube}
%last overwrites %cube {}
order %cube before %lstm
order %i before %top
order %d before %top

# I2 pointwise: a link may have one row that the next one broadcasts over the window.
$ sh decide no_I2_dynamic
no_I2_dynamic.inlay:13: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes; the links before are computed outside (I2 pointwise: "y1")
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    N2 checks-first: "b" (Parameter-1) says before where the window is
    N2 checks-first: "e" (Parameter-1) says before where the window is
    I5 sole-consumer: "y1" (Add-1) reads the elements before
%x view of %d
%y into %r {N1 %d, N2 %b, N2 %e, I5 %y1}
%r overwrites %d {}

# I3 operands-in-step: the other operand is a shifted window of the same tensor.
$ sh decide no_I3
no_I3.inlay:14: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    V1 read-before-write: "y1" (ReLU-1) reads the slice before
    V1 read-before-write: "y" (Add-1) reads the slice before
  view: yes
  into: no (I3 operands-in-step): "y" (Add-1) reads other positions of the data than it writes; copies 32 bytes
    what helps: let the other operand be another tensor, or the window itself
no_I3.inlay:11: "z" (Slice-8):
  view: yes
%x view of %d
%z view of %d
%r overwrites %d {V1 %y1, V1 %y}

# I5 sole-consumer: the very positions that are written are read by a later link, too.
$ sh decide no_I5_later
no_I5_later.inlay:13: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes; the links before are computed outside (I5 sole-consumer: "y")
    I1 same-window: "z" (Slice-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    I5 sole-consumer: "y1" (ReLU-1) reads the elements before
no_I5_later.inlay:10: "z" (Slice-8):
  view: yes
%x view of %d
%z view of %d
%y into %r {I1 %z, N1 %d, I5 %y1}
%r overwrites %d {}

# I4 no-broadcast-of-window: the first row of the window is read for every row.
$ sh decide no_I4
no_I4.inlay:13: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    V1 read-before-write: "y1" (ReLU-1) reads the slice before
    V1 read-before-write: "y" (Subtract-1) reads the slice before
  view: yes
  into: no (I4 no-broadcast-of-window): "y" (Subtract-1) reads some positions of the window for many others; copies 32 bytes
    what helps: broadcast a tensor that is outside of the window
no_I4.inlay:10: "z" (Slice-8):
  view: yes
%x view of %d
%z view of %d
%r overwrites %d {V1 %y1, V1 %y}

# I5 sole-consumer: a link of the chain is an output.
$ sh decide no_I5
no_I5.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes; the links before are computed outside (I5 sole-consumer: "result_y1")
    N1 content-made-first: "data" (Parameter-1) makes the rest of the data before
    I5 sole-consumer: "y1" (ReLU-1) reads the elements before
%x view of %data
%y into %r {N1 %data, I5 %y1}
%r overwrites %data {}

# N10 one-place: the updates of two tensors can be computed in one window only.
$ sh decide no_N10
no_N10.inlay:12: "r2" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d2" (Exp-1) makes the rest of the data before, by an order edge
  order edges: 1
no_N10.inlay:11: "r1" (SliceScatter-15):
  overwrite: yes
  into: no (N10 one-place): "r2" (SliceScatter-15) has the value in its own result already; copies 32 bytes
    what helps: let one node hold the value; each further one takes a copy
%y into %r2 {N1 %d2}
%r1 overwrites %d1 {}
%r2 overwrites %d2 {}
order %d2 before %y

# I5 sole-consumer: the updates are an output, and the result is written again.
$ sh decide no_I5_updates
no_I5_updates.inlay:14: "r2" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_I5_updates.inlay:13: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    V1 read-before-write: "y" (ReLU-1) reads the slice before
  view: yes
  into: no (I5 sole-consumer): "result_y" (Result-1) still needs the elements as they are; copies 32 bytes
    what helps: let the others read the result of the scatter, or come before the write
%x view of %d
%r overwrites %d {V1 %y}
%r2 overwrites %r {}

# I8 no-failure-midway: a division by zero would leave the variable half written.
$ sh decide no_I8
no_I8.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; what is written over is kept until the run has succeeded
    V1 read-before-write: "y" (Divide-1) reads the slice before
  view: yes
  into: no (I8 no-failure-midway): "y" (Divide-1) may fail when part of the window is written; copies 8 bytes
    what helps: check what can fail before the slice, or let a node make the data: what it makes nobody sees after an error
%x view of %state
%r overwrites %state {V1 %y}

# I8 no-failure-midway: zero to a negative power is refused too.
$ sh decide no_I8_power
no_I8_power.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; what is written over is kept until the run has succeeded
    V1 read-before-write: "y" (Power-1) reads the slice before
  view: yes
  into: no (I8 no-failure-midway): "y" (Power-1) may fail when part of the window is written; copies 8 bytes
    what helps: check what can fail before the slice, or let a node make the data: what it makes nobody sees after an error
%x view of %state
%r overwrites %state {V1 %y}

# I8 no-failure-midway: a donated input would be left half written.
$ sh decide no_I8_parameter
no_I8_parameter.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
    V1 read-before-write: "y" (FloorMod-1) reads the slice before
  view: yes
  into: no (I8 no-failure-midway): "y" (FloorMod-1) may fail when part of the window is written; copies 8 bytes
    what helps: check what can fail before the slice, or let a node make the data: what it makes nobody sees after an error
%x view of %data
%r overwrites %data {V1 %y}

# I9 same-version: what the slice reads was written by the scatter in between.
$ sh decide no_I9
no_I9.inlay:14: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: no (I9 same-version): "r1" (SliceScatter-15) can only be made later; copies 32 bytes
    what helps: slice the result of the write in between
  order edges: 1
no_I9.inlay:12: "r1" (SliceScatter-15):
  overwrite: yes
    V1 read-before-write: "y" (Exp-1) reads the slice before, by an order edge
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
%x view of %d
%r1 overwrites %d {V1 %y}
%r overwrites %r1 {}
order %x before %r1
order %y before %r1

# N1 content-made-first: the data of the scatter are computed from its updates.
$ sh decide no_N1
no_N1.inlay:13: "r" (SliceScatter-15):
  overwrite: yes
  into: no (N1 content-made-first): "d" (Add-1) can only be made later, and would erase what is computed before; copies 32 bytes
    what helps: make all other content of the buffer independent of what is computed in it
no_N1.inlay:7: "x" (Slice-8):
  view: yes
%x view of %data
%r overwrites %d {}

# O1 same-type-and-shape: a rank that is not known cannot be proven the same.
$ sh decide no_O1
no_O1.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O1 same-type-and-shape): "data" (Parameter-1) is not proven to have the type and shape of the result
    what helps: give the scatter data of the type and shape of its result: --shape or --dim set sizes that are open
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# Where no rank is known no chain is looked for. A slice by itself is a view.
$ sh decide no_O1_rank
no_O1_rank.inlay:11: "r" (SliceScatter-15):
  overwrite: no (O1 same-type-and-shape): "d" (Tanh-1) is not proven to have the type and shape of the result
    what helps: give the scatter data of the type and shape of its result: --shape or --dim set sizes that are open
  into: no (O overwrite is refused)
    what helps: let it overwrite its data first
no_O1_rank.inlay:8: "x" (Slice-8):
  view: yes
%x view of %d

# O13 result-survives: something else is assigned to the variable.
$ sh decide no_O13
no_O13.inlay:9: "r" (SliceScatter-15):
  overwrite: no (O13 result-survives): "store" (Assign-6) assigns something else to the variable; copies 32 bytes
    what helps: assign the last result to the variable, and let nothing write over it before
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# O13 result-survives: the second write goes into something else, and that is assigned.
$ sh decide no_O13_first_write
no_O13_first_write.inlay:9: "first" (SliceScatter-15):
  overwrite: no (O13 result-survives): "store" (Assign-6) assigns something else to the variable; copies 32 bytes
    what helps: assign the last result to the variable, and let nothing write over it before
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_O13_first_write.inlay:10: "second" (SliceScatter-15):
  overwrite: yes; unless the caller donates the input, it is copied once
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%second overwrites %z {}

# O2 writable-buffer: a constant would be spoiled for the next run.
$ sh decide no_O2_constant
no_O2_constant.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O2 writable-buffer): "data" (Const-1) may not be written; copies 32 bytes; a constant is copied once, the copy is then written in place
    what helps: give the input away (-i NAME=FILE,donate), store the result in its variable (--carry), or let a node make the data; a constant is copied once
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# O2 writable-buffer: nothing is assigned to the variable, so it must stay as it is.
$ sh decide no_O2_variable
no_O2_variable.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O2 writable-buffer): "state" (ReadValue-6) may not be written; copies 32 bytes; the variable keeps its value: nothing is assigned to it
    what helps: give the input away (-i NAME=FILE,donate), store the result in its variable (--carry), or let a node make the data; a constant is copied once
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# O3 no-later-read: the old data is read after the write, by something that needs the result.
$ sh decide no_O3
no_O3.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O3 no-later-read): "z" (Add-1) reads the old data after the write; copies 128 bytes
    what helps: let the reader take the result, or only positions that are not written, or make it independent of the result so that it can come first
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# O3 no-later-read: the first of two results is read after the second write, where that wrote.
$ sh decide no_O3_chain
no_O3_chain.inlay:12: "r2" (SliceScatter-15):
  overwrite: no (O3 no-later-read): "z" (Add-1) reads the old data after the write; copies 128 bytes
    what helps: let the reader take the result, or only positions that are not written, or make it independent of the result so that it can come first
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_O3_chain.inlay:11: "r1" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%r1 overwrites %d {}

# O3 no-later-read: two readers of one variable see the same state.
$ sh decide no_O3_readers
no_O3_readers.inlay:9: "r" (SliceScatter-15):
  overwrite: no (O3 no-later-read): "z" (Add-1) reads the old data after the write; copies 32 bytes
    what helps: let the reader take the result, or only positions that are not written, or make it independent of the result so that it can come first
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# O5 one-overwriter: the other scatter over the same data writes less and is asked later, and needs the result.
$ sh decide no_O5_later
no_O5_later.inlay:13: "r2" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    O5 one-overwriter: "r1" (SliceScatter-15) copies the data before
no_O5_later.inlay:10: "r1" (SliceScatter-15):
  overwrite: no (O5 one-overwriter): "r2" (SliceScatter-15) writes over the same data; copies 128 bytes
    what helps: make the result of the first scatter the data of the second
  updates: copied, 64 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%x view of %r1
%y into %r2 {N1 %d, O5 %r1}
%r2 overwrites %d {}

# O4 not-read-at-end: the old version is an output too.
$ sh decide no_O4
no_O4.inlay:9: "r" (SliceScatter-15):
  overwrite: no (O4 not-read-at-end): "result_d" (Result-1) looks at the buffer when the run is over; copies 128 bytes
    what helps: give out the result instead of the old data, or only what is needed of it
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# O4 not-read-at-end: the old version becomes the state of another variable.
$ sh decide no_O4_assigned
no_O4_assigned.inlay:10: "r" (SliceScatter-15):
  overwrite: no (O4 not-read-at-end): "store" (Assign-6) looks at the buffer when the run is over; copies 32 bytes
    what helps: give out the result instead of the old data, or only what is needed of it
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# O4 not-read-at-end: the input is an output as well.
$ sh decide no_O4_parameter
no_O4_parameter.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O4 not-read-at-end): "result_data" (Result-1) looks at the buffer when the run is over; copies 128 bytes
    what helps: give out the result instead of the old data, or only what is needed of it
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# O4 not-read-at-end: the result becomes the state of two variables, one buffer cannot be both.
$ sh decide no_O4_two_variables
no_O4_two_variables.inlay:9: "r" (SliceScatter-15):
  overwrite: no (O4 not-read-at-end): "store2" (Assign-6) looks at the buffer when the run is over; copies 32 bytes
    what helps: give out the result instead of the old data, or only what is needed of it
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# O4 not-read-at-end: an output would change with the next run.
$ sh decide no_O4_variable
no_O4_variable.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O4 not-read-at-end): "result_r" (Result-1) looks at the buffer when the run is over; copies 32 bytes
    what helps: give out the result instead of the old data, or only what is needed of it
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# O5 one-overwriter: two scatters of one tensor, only one can have the buffer.
$ sh decide no_O5
no_O5.inlay:11: "r2" (SliceScatter-15):
  overwrite: yes
    O5 one-overwriter: "r1" (SliceScatter-15) copies the data before, by an order edge
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
no_O5.inlay:10: "r1" (SliceScatter-15):
  overwrite: no (O5 one-overwriter): "r2" (SliceScatter-15) writes over the same data; copies 128 bytes
    what helps: make the result of the first scatter the data of the second
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%r2 overwrites %d {O5 %r1}
order %r1 before %r2

# O5 one-overwriter: of three scatters of one tensor the one with the largest window gets the buffer.
$ sh decide no_O5_fork
no_O5_fork.inlay:15: "r2" (SliceScatter-15):
  overwrite: no (O5 one-overwriter): "r4" (SliceScatter-15) writes over the same data; copies 128 bytes
    what helps: make the result of the first scatter the data of the second
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_O5_fork.inlay:14: "r4" (SliceScatter-15):
  overwrite: yes
    O5 one-overwriter: "r1" (SliceScatter-15) copies the data before, by an order edge
    O5 one-overwriter: "r2" (SliceScatter-15) copies the data before, by an order edge
  updates: copied, 64 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 2
no_O5_fork.inlay:13: "r1" (SliceScatter-15):
  overwrite: no (O5 one-overwriter): "r4" (SliceScatter-15) writes over the same data; copies 128 bytes
    what helps: make the result of the first scatter the data of the second
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%r4 overwrites %d {O5 %r1, O5 %r2}
order %r2 before %r4
order %r1 before %r4

# O5 one-overwriter: the one with the largest window needs the result of the other, and is asked first.
$ sh decide no_O5_needed
no_O5_needed.inlay:13: "r2" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    O5 one-overwriter: "r1" (SliceScatter-15) copies the data before
no_O5_needed.inlay:10: "r1" (SliceScatter-15):
  overwrite: no (O5 one-overwriter): "r2" (SliceScatter-15) writes over the same data; copies 128 bytes
    what helps: make the result of the first scatter the data of the second
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%x view of %r1
%y into %r2 {N1 %d, O5 %r1}
%r2 overwrites %d {}

# O6 no-overlapping-operand: the rows are moved by one, a view of them would be smeared; the slice is copied.
$ sh decide no_O6
no_O6.inlay:11: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    O3 no-later-read: "x" (Slice-8) reads the old data before
  view: no (O6 no-overlapping-operand): "r" (SliceScatter-15) reads positions that it writes; copies 48 bytes
    what helps: read positions that are not written, or give both windows the same sizes and the same positive steps
  into: no (I1 same-window): "x" (Slice-8) has other positions, or the same in another order; copies 48 bytes
    what helps: let the slice and the scatter have the same begin, end and step
%r overwrites %d {O3 %x}

# O6 permits: rows are moved by one, from the last to the first, and columns by two; nothing is copied before.
$ sh decide yes_O6_moved
yes_O6_moved.inlay:11: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    O6 no-overlapping-operand: "x" (Slice-8) is moved in the direction in which nothing is lost
  view: yes
  into: no (I1 same-window): "x" (Slice-8) has other positions, or the same in another order; copies 48 bytes
    what helps: let the slice and the scatter have the same begin, end and step
%x view of %d
%r overwrites %d {O6 %x}

$ sh decide yes_O6_moved_back
yes_O6_moved_back.inlay:12: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    O6 no-overlapping-operand: "x" (Slice-8) is moved in the direction in which nothing is lost
  view: yes
  into: no (I1 same-window): "x" (Slice-8) has other positions, or the same in another order; copies 128 bytes
    what helps: let the slice and the scatter have the same begin, end and step
%x view of %d
%r overwrites %d {O6 %x}

# The same from where only the run knows.
$ sh decide yes_O6_moved_run
yes_O6_moved_run.inlay:12: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    O6 no-overlapping-operand: "x" (Slice-8) is moved in the direction in which nothing is lost
  view: yes
  into: no (I1 same-window): "x" (Slice-8) has other positions, or the same in another order
    what helps: let the slice and the scatter have the same begin, end and step
%x view of %d
%r overwrites %d {O6 %x}

# The same of rows that a Range names.
$ sh decide yes_O6_rows
yes_O6_rows.inlay:20: "r" (ScatterNDUpdate-15), window of "x" (Slice-8):
  overwrite: yes
    O6 no-overlapping-operand: "x" (Slice-8) is moved in the direction in which nothing is lost
  view: yes
  into: no (I1 same-window): "x" (Slice-8) has other positions, or the same in another order
    what helps: let the slice and the scatter have the same begin, end and step
yes_O6_rows.inlay:19: "tuples" (Unsqueeze-1):
  view: yes
yes_O6_rows.inlay:14: "begin" (Unsqueeze-1):
  view: yes
yes_O6_rows.inlay:15: "stop" (Unsqueeze-1):
  view: yes
%tuples view of %rows
%begin view of %from
%stop view of %end
%x view of %d
%r overwrites %d {O6 %x}

# O6 no-overlapping-operand: the steps differ, so that each row moves by another distance, wherever the first one is.
$ sh decide no_O6_run
no_O6_run.inlay:13: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    O3 no-later-read: "x" (Slice-8) reads the old data before
  view: no (O6 no-overlapping-operand): "r" (SliceScatter-15) reads positions that it writes
    what helps: read positions that are not written, or give both windows the same sizes and the same positive steps
  into: no (I1 same-window): "x" (Slice-8) has other positions, or the same in another order
    what helps: let the slice and the scatter have the same begin, end and step
%r overwrites %d {O3 %x}

# The same of rows that a Range names: every other one.
$ sh decide no_O6_rows
no_O6_rows.inlay:21: "r" (ScatterNDUpdate-15), window of "x" (Slice-8):
  overwrite: yes
    O3 no-later-read: "x" (Slice-8) reads the old data before
  view: no (O6 no-overlapping-operand): "r" (ScatterNDUpdate-15) reads positions that it writes
    what helps: read positions that are not written, or give both windows the same sizes and the same positive steps
  into: no (I1 same-window): "x" (Slice-8) has other positions, or the same in another order
    what helps: let the slice and the scatter have the same begin, end and step
no_O6_rows.inlay:20: "tuples" (Unsqueeze-1):
  view: yes
no_O6_rows.inlay:15: "begin" (Unsqueeze-1):
  view: yes
no_O6_rows.inlay:16: "stop" (Unsqueeze-1):
  view: yes
%tuples view of %rows
%begin view of %from
%stop view of %end
%r overwrites %d {O3 %x}

# O7 data-used-once: the tensor is written over itself, backwards.
$ sh decide no_O7
no_O7.inlay:8: "r" (SliceScatter-15):
  overwrite: no (O7 data-used-once): "r" (SliceScatter-15) has its data as another operand too; copies 128 bytes
    what helps: give the scatter other updates or indices than its data
  into: no (O overwrite is refused); copies 128 bytes
    what helps: let it overwrite its data first

# O7 data-used-once: the tensor holds its own indices.
$ sh decide no_O7_indices
no_O7_indices.inlay:7: "r" (ScatterUpdate-3):
  overwrite: no (O7 data-used-once): "r" (ScatterUpdate-3) has its data as another operand too; copies 64 bytes
    what helps: give the scatter other updates or indices than its data
  updates: copied, 64 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# V1 read-before-write: the slice is read again after its window was written.
$ sh decide no_V1
no_V1.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: no (V1 read-before-write): "z" (Add-1) reads the slice after the write; copies 32 bytes
    what helps: let the reader come before the write: make it independent of the result
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    I5 sole-consumer: "x" (Slice-8) reads the elements before
no_V1.inlay:12: "r2" (Slice-8):
  view: yes
%y into %r {N1 %d, I5 %x}
%r overwrites %d {}
%r2 view of %r

# V1 read-before-write: another row is written, which may be the one that a scalar picks.
$ sh decide no_V1_scalar
no_V1_scalar.inlay:11: "r" (ScatterUpdate-3):
  overwrite: yes
    O3 no-later-read: "x" (Gather-8) reads the old data before, by an order edge
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
no_V1_scalar.inlay:10: "x" (Gather-8):
  view: no (V1 read-before-write): "z" (Add-1) reads the slice after the write; copies 16 bytes
    what helps: let the reader come before the write: make it independent of the result
%r overwrites %d {O3 %x}
order %x before %r

# V2 strided-readers: a kernel that wants dense rows would have the copy made for it.
$ sh decide no_V2
no_V2.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: no (V2 strided-readers): "z" (NormalizeL2-1) reads only elements that follow each other; copies 64 bytes
    what helps: cut along the first axis, where elements follow each other, or accept the copy of the slice, which is small
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    I5 sole-consumer: "x" (Slice-8) reads the elements before
%y into %r {N1 %d, I5 %x}
%r overwrites %d {}

# V2 strided-readers: a column that a scalar picks has gaps.
$ sh decide no_V2_scalar
no_V2_scalar.inlay:8: "x" (Gather-8):
  view: no (V2 strided-readers): "z" (NormalizeL2-1) reads only elements that follow each other; copies 32 bytes
    what helps: cut along the first axis, where elements follow each other, or accept the copy of the slice, which is small

# V3 does-not-outlive: the slice is an output.
$ sh decide no_V3
no_V3.inlay:10: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: no (V3 does-not-outlive): "result_x" (Result-1) looks at the slice when the run is over; copies 32 bytes
    what helps: give out the whole value and cut it outside of the model
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
    I5 sole-consumer: "x" (Slice-8) reads the elements before
%y into %r {N1 %d, I5 %x}
%r overwrites %d {}

# V3 does-not-outlive: a reshape of all of a buffer that was made for this run leaves with it; nothing is moved.
$ sh decide yes_V3_leaves
yes_V3_leaves.inlay:12: "w" (SliceScatter-15):
  overwrite: yes; unless the caller donates the input, it is copied once
    O3 no-later-read: "d" (Tanh-1) reads the old data before, by an order edge
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
yes_V3_leaves.inlay:11: "x" (Reshape-1):
  view: yes
yes_V3_leaves.inlay:13: "z" (Unsqueeze-1):
  view: yes
%x view of %d
%w overwrites %data {O3 %d}
%z view of %w
order %d before %w

$ inlay run "$ROOT/tests/passes/in-place-windows/yes_V3_leaves.inlay" --random --passes in-place-windows -i data=random,donate --quiet --max-copied 32

# The same, in the part of what an iteration joins.
$ sh decide yes_V3_part
yes_V3_part.inlay:8: "x" (Squeeze-1):
  view: yes
yes_V3_part.inlay:10: "z" (Unsqueeze-1):
  view: yes
%x view of %row
%z view of %y

$ inlay run "$ROOT/tests/passes/in-place-windows/yes_V3_part.inlay" --random --passes in-place-windows --quiet --max-copied 0

# V3 does-not-outlive: what is turned back is the buffer itself, whatever its sizes are; what is turned further is not.
$ sh decide yes_V3_turned
yes_V3_turned.inlay:9: "w" (ScatterNDUpdate-15):
  overwrite: yes
  updates: copied, 24 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_V3_turned.inlay:8: "t" (Transpose-1):
  view: yes; unless the caller donates the input, it is copied once
yes_V3_turned.inlay:10: "y" (Transpose-1):
  view: yes
%t view of %x
%w overwrites %t {}
%y view of %w

$ sh decide yes_V3_turned_open
yes_V3_turned_open.inlay:9: "w" (ScatterNDUpdate-15):
  overwrite: yes
  updates: copied, 24 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_V3_turned_open.inlay:8: "t" (Transpose-1):
  view: yes; unless the caller donates the input, it is copied once
yes_V3_turned_open.inlay:10: "y" (Transpose-1):
  view: yes
%t view of %x
%w overwrites %t {}
%y view of %w

$ sh decide no_V3_turned
no_V3_turned.inlay:9: "w" (ScatterNDUpdate-15):
  overwrite: yes
  updates: copied, 24 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_V3_turned.inlay:8: "t" (Transpose-1):
  view: yes; unless the caller donates the input, it is copied once
no_V3_turned.inlay:10: "y" (Transpose-1):
  view: no (V3 does-not-outlive): "result" (Result-1) looks at the slice when the run is over; copies 384 bytes
    what helps: give out the whole value and cut it outside of the model
%t view of %x
%w overwrites %t {}

# V3 does-not-outlive: another output has the same buffer, or the caller has it.
$ sh decide no_V3_twice
no_V3_twice.inlay:6: "x" (Reshape-1):
  view: no (V3 does-not-outlive): "result_d" (Result-1) looks at the slice when the run is over; copies 128 bytes
    what helps: give out the whole value and cut it outside of the model

$ sh decide no_V3_given
no_V3_given.inlay:5: "x" (Reshape-1):
  view: no (V3 does-not-outlive): "result_x" (Result-1) looks at the slice when the run is over; copies 128 bytes
    what helps: give out the whole value and cut it outside of the model

# N10 one-place: a row that is picked has one note, and what is told of the scatter is what its note says.
$ sh decide yes_N10_row
yes_N10_row.inlay:12: "r" (SliceScatter-15), window of "x" (Gather-8):
  overwrite: yes; unless the caller donates the input, it is copied once
    V1 read-before-write: "x" (Gather-8) reads the slice before
  view: no (N10 one-place): "u" (Broadcast-3) has the value in its own result already; copies 4 bytes
    what helps: let one node hold the value; each further one takes a copy
  into: no (N10 one-place): "u" (Broadcast-3) has the value in its own result already; copies 12 bytes
    what helps: let one node hold the value; each further one takes a copy
yes_N10_row.inlay:5: "t" (Reverse-1):
  view: yes
yes_N10_row.inlay:9: "u" (Broadcast-3), its part "x" (Gather-8):
  into: yes
yes_N10_row.inlay:9: "u" (Broadcast-3): copied, 8 bytes
    what helps: let its readers broadcast, as elementwise operations and MatMul do; what repeats elements is no view
%t view of %d
%x into %u {}
%r overwrites %d {V1 %x}

# V4 whole-bytes: the window begins in the middle of a byte.
$ sh decide no_V4
no_V4.inlay:9: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
    O3 no-later-read: "x" (Slice-8) reads the old data before
  view: no (V4 whole-bytes): "x" (Slice-8) begins or ends within a byte; copies 3 bytes
    what helps: cut at whole bytes
  into: no (O12 whole-byte-window): "r" (SliceScatter-15) has a window that begins or ends within a byte; copies 3 bytes
    what helps: let the rows of the window begin and end on whole bytes
%r overwrites %data {O3 %x}

# In a body, what a node of the body has made is written over as anywhere.
$ sh decide yes_body_inside
yes_body_inside.inlay:14: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
%x view of %d
%y into %r {I1 %x, N1 %d}
%r overwrites %d {}

# A cache that a loop carries, and that the iteration does not need as it was; then what the caller gives is the first cache.
$ sh decide yes_B1_carried
yes_B1_carried.inlay:14: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_B1_carried.inlay:7: "l" (Loop-5), input 2:
  overwrite: yes; unless the caller donates the input, it is copied once
%l overwrites %cache {}
%new overwrites %c {}

# Two caches that change places. The loop has one tensor for both.
$ sh decide yes_B1_swapped
yes_B1_swapped.inlay:15: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_B1_swapped.inlay:7: "l" (Loop-5), input 2:
  overwrite: no (B4 ends-in-its-buffer): "l" (Loop-5) does not end where it began: it writes over what is given to it; copies 128 bytes
    what helps: let each body end with its value in the place where it got it, or let values change places a constant number of times
%new overwrites %c {}

# B1 carried-input: each iteration begins with the same tensor.
$ sh decide no_B1_invariant
no_B1_invariant.inlay:14: "new" (ScatterUpdate-3):
  overwrite: no (B1 carried-input): "c" (Parameter-1) has the same value in other iterations, or in the graph around; copies 128 bytes in each of 5 iterations, 640 bytes in all
    what helps: carry the value from one iteration to the next, by a back edge
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# B1 carried-input: rows of such a tensor are copied, and the copy is written over.
$ sh decide no_B1_view
no_B1_view.inlay:19: "new" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_B1_view.inlay:18: "some" (Slice-8):
  view: no (B1 carried-input): "c" (Parameter-1) has the same value in other iterations, or in the graph around; copies 32 bytes in each of 5 iterations, 160 bytes in all
    what helps: carry the value from one iteration to the next, by a back edge
%new overwrites %some {}

# B1 carried-input: a part of what the graph around may read on.
$ sh decide no_B1_part
no_B1_part.inlay:16: "new" (ScatterUpdate-3):
  overwrite: no (B1 carried-input): "row" (Parameter-1) has the same value in other iterations, or in the graph around; copies 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: carry the value from one iteration to the next, by a back edge
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# B2 not-a-state: a body does not write over the state of a variable that it reads by itself.
$ sh decide no_B2
no_B2.inlay:13: "new" (ScatterUpdate-3):
  overwrite: no (B2 not-a-state): "old" (ReadValue-6) is a state that the body reads by itself, and only reads; copies 128 bytes in each of 3 iterations, 384 bytes in all
    what helps: read the variable outside of the body, give the value to the body, and store what the body gives
  updates: copied, 16 bytes in each of 3 iterations, 48 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# A state that a body is given is written over.
$ sh decide yes_B2_given
yes_B2_given.inlay:13: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_B2_given.inlay:6: "l" (Loop-5), input 2:
  overwrite: yes; what is written over is kept until the run has succeeded
%l overwrites %v {}
%new overwrites %c {}

# O4 not-read-at-end: the next iteration gets the old cache, too.
$ sh decide no_O4_handed_down
no_O4_handed_down.inlay:15: "new" (ScatterUpdate-3):
  overwrite: no (O4 not-read-at-end): "p" (Result-1) looks at the buffer when the run is over; copies 128 bytes in each of 5 iterations, 640 bytes in all
    what helps: give out the result instead of the old data, or only what is needed of it
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# B3 not-passed-through: what a branch is given is read until the end, for the branch may hand it through.
$ sh decide no_B3
no_B3.inlay:24: "r" (SliceScatter-15):
  overwrite: no (B3 not-passed-through): "i" (If-8) may hand it through to an output; copies 128 bytes
    what helps: let each branch make its output, or read the value before the write
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# No branch hands it through: it is written over when the If has run.
$ sh decide yes_B3_read
yes_B3_read.inlay:25: "r" (SliceScatter-15):
  overwrite: yes
    O3 no-later-read: "i" (If-8) reads the old data before, by an order edge
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
%r overwrites %d {O3 %i}
order %i before %r

# B3 not-passed-through: the second output may be what the first one would be written over.
$ sh decide no_B3_given
no_B3_given.inlay:12: "q" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_B3_given.inlay:6: "i" (If-8), input 1:
  overwrite: no (B3 not-passed-through): "i" (If-8) may hand it through to an output; copies 128 bytes
    what helps: let each branch make its output, or read the value before the write
%q overwrites %p {}

# What an If, a loop gives is written over: it is the run's own, or is copied when a body hands through what it was given.
$ sh decide yes_B3_if
yes_B3_if.inlay:26: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; what a body hands through is copied
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "i" (If-8) makes the rest of the data before
%x view of %i
%y into %r {I1 %x, N1 %i}
%r overwrites %i {}

$ sh decide yes_B3_loop
yes_B3_loop.inlay:23: "r" (SliceScatter-15):
  overwrite: yes; what a body hands through is copied
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%r overwrites %l {}

$ sh decide yes_B3_iterator
yes_B3_iterator.inlay:20: "r" (SliceScatter-15):
  overwrite: yes; what a body hands through is copied
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%r overwrites %l {}

# B4 ends-in-its-buffer: the loop writes over what dies there, and its last value stands in the same buffer.
$ sh decide yes_B4
yes_B4.inlay:14: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_B4.inlay:7: "l" (Loop-5), input 2:
  overwrite: yes
%l overwrites %d {}
%new overwrites %c {}

# B4 ends-in-its-buffer: only one branch runs, so that both may write; one that hands its tensor through ends there, too.
$ sh decide yes_B4_branches
yes_B4_branches.inlay:12: "q" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_B4_branches.inlay:23: "q" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  into: yes
    N1 content-made-first: "p" (Parameter-1) makes the rest of the data before, by an order edge
  order edges: 1
yes_B4_branches.inlay:6: "i" (If-8), input 1:
  overwrite: yes
%i overwrites %d {}
%q overwrites %p {}
%h into %q {N1 %p}
%q overwrites %p {}
order %p before %h

$ sh decide yes_B4_through
yes_B4_through.inlay:12: "q" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_B4_through.inlay:6: "i" (If-8), input 1:
  overwrite: yes
%i overwrites %d {}
%q overwrites %p {}

# Caches that change places, and three that take turns, a known number of times.
$ sh decide yes_B4_exchanged
yes_B4_exchanged.inlay:16: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_B4_exchanged.inlay:8: "l" (Loop-5), input 2:
  overwrite: yes
    O3 no-later-read: "e" (Negative-1) reads the old data before
yes_B4_exchanged.inlay:8: "l" (Loop-5), input 3:
  overwrite: yes
%l:2 overwrites %e {}
%new overwrites %c {}

$ sh decide yes_B4_turned
yes_B4_turned.inlay:18: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_B4_turned.inlay:9: "l" (Loop-5), input 2:
  overwrite: yes
    O3 no-later-read: "e" (Negative-1) reads the old data before
    O3 no-later-read: "f" (Abs-1) reads the old data before
yes_B4_turned.inlay:9: "l" (Loop-5), input 3:
  overwrite: yes
yes_B4_turned.inlay:9: "l" (Loop-5), input 4:
  overwrite: yes
%l:3 overwrites %e {}
%new overwrites %c {}

# B4 ends-in-its-buffer: as often as only the run can tell, and a branch that makes another tensor.
$ sh decide no_B4
no_B4.inlay:16: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes in each iteration
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_B4.inlay:8: "l" (Loop-5), input 2:
  overwrite: no (B4 ends-in-its-buffer): "l" (Loop-5) does not end where it began: it writes over what is given to it; copies 128 bytes; only the run knows how often the values change places
    what helps: let each body end with its value in the place where it got it, or let values change places a constant number of times
no_B4.inlay:8: "l" (Loop-5), input 3:
  overwrite: no (B4 ends-in-its-buffer): "l" (Loop-5) does not end where it began: it writes over what is given to it; copies 128 bytes; only the run knows how often the values change places
    what helps: let each body end with its value in the place where it got it, or let values change places a constant number of times
%new overwrites %c {}

$ sh decide no_B4_branch
no_B4_branch.inlay:12: "q" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_B4_branch.inlay:6: "i" (If-8), input 1:
  overwrite: no (B4 ends-in-its-buffer): "i" (If-8) does not end where it began: it writes over what is given to it; copies 128 bytes
    what helps: let each body end with its value in the place where it got it, or let values change places a constant number of times
%q overwrites %p {}

# O3 no-later-read: of what the loop is given. O7 data-used-once: it is given twice.
$ sh decide no_O3_given
no_O3_given.inlay:14: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_O3_given.inlay:7: "l" (Loop-5), input 2:
  overwrite: no (O3 no-later-read): "z" (Add-1) reads the old data after the write; copies 128 bytes
    what helps: let the reader take the result, or only positions that are not written, or make it independent of the result so that it can come first
%new overwrites %c {}

# O1 same-type-and-shape: bodies write over whole buffers, so that what they are given is no view.
$ sh decide no_O1_given
no_O1_given.inlay:17: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes in each of 3 iterations, 48 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_O1_given.inlay:10: "l" (Loop-5), input 2:
  overwrite: yes
no_O1_given.inlay:7: "x" (Slice-8):
  view: no (O1 same-type-and-shape): "l" (Loop-5) is not proven to have the type and shape of the result; copies 64 bytes; bodies write over whole buffers only
    what helps: give the scatter data of the type and shape of its result: --shape or --dim set sizes that are open
%l overwrites %x {}
%new overwrites %c {}

# B5 variable-not-in-body: a branch reads the state too, as it was when the run began.
$ sh decide no_B5
no_B5.inlay:9: "r" (SliceScatter-15):
  overwrite: no (B5 variable-not-in-body): "old" (ReadValue-6) uses the variable in a body, as it was before the run; copies 32 bytes
    what helps: read the variable outside of the body and give the value to the body
  updates: copied, 8 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own

# I1 same-window: two starts that may differ.
$ sh decide no_dynamic
no_dynamic.inlay:11: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
    V1 read-before-write: "y" (ReLU-1) reads the slice before
  view: yes
  into: no (I1 same-window): "y" (ReLU-1) has other positions, or the same in another order
    what helps: let the slice and the scatter have the same begin, end and step
  order edges: 1
%x view of %d
%r overwrites %d {V1 %y}
order %c before %y

# N3 nested: a row of a layer of a cache; which layer is known in the run. Put back in some other layer it is copied.
$ sh decide yes_N3_nested_layer
yes_N3_nested_layer.inlay:14: "r" (SliceScatter-15), window of "layer" (Slice-8):
  overwrite: yes; what is written over is kept until the run has succeeded
    I3 operands-in-step: "new" (ScatterUpdate-3) is read at the very positions that are written
    O3 no-later-read: "t" (ReduceSum-1) reads the old data before, by an order edge
  view: yes
  into: yes; the updates are written where they belong
  order edges: 1
yes_N3_nested_layer.inlay:11: "new" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%layer view of %state
%new overwrites %layer {}
%r overwrites %state {I3 %new, O3 %t}
order %t before %r
$ sh decide no_N3_nested_layer
no_N3_nested_layer.inlay:15: "r" (SliceScatter-15):
  overwrite: yes; what is written over is kept until the run has succeeded
    O3 no-later-read: "layer" (Slice-8) reads the old data before
  into: no (I2 pointwise): "new" (ScatterUpdate-3) does not compute each element of the window from the same one
    what helps: compute each element of the window from the elements at its position, or from values outside of the window
no_N3_nested_layer.inlay:12: "new" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_N3_nested_layer.inlay:11: "layer" (Slice-8):
  view: no (O5 one-overwriter): "r" (SliceScatter-15) writes over the same data
    what helps: make the result of the first scatter the data of the second
%new overwrites %layer {}
%r overwrites %state {O3 %layer}

# N2 checks-first: a list is at equal steps if it is a Range, also one counted from the end. Of others it is not known.
$ sh decide yes_N2_counted
yes_N2_counted.inlay:17: "r" (ScatterUpdate-3):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before, by an order edge
    N2 checks-first: "rows" (Select-1) says before where the window is, by an order edge
  order edges: 2
%u into %r {N1 %d, N2 %rows}
%r overwrites %d {}
order %d before %u
order %rows before %u
$ sh decide no_counted
no_counted.inlay:13: "r" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: say the places by a window or a Range; what is computed for those that a list names is copied there
%r overwrites %d {}

# N3 nested: two parts of a layer, which is put back. If what was in the second is read in the end, it is copied.
$ sh decide yes_N3_nested_parts
yes_N3_nested_parts.inlay:18: "r" (SliceScatter-15), window of "layer" (Slice-8):
  overwrite: yes; what is written over is kept until the run has succeeded
    I3 operands-in-step: "both" (SliceScatter-15) is read at the very positions that are written
  view: yes
  into: yes; the updates are written where they belong
yes_N3_nested_parts.inlay:17: "both" (SliceScatter-15), window of "values" (Slice-8):
  overwrite: yes
    I3 operands-in-step: "new_values" (ScatterUpdate-3) is read at the very positions that are written
  view: yes
  into: yes; the updates are written where they belong
  order edges: 1
yes_N3_nested_parts.inlay:15: "new_values" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 4 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_N3_nested_parts.inlay:16: "first" (SliceScatter-15), window of "keys" (Slice-8):
  overwrite: yes
    I3 operands-in-step: "new_keys" (ScatterUpdate-3) is read at the very positions that are written
  view: yes
  into: yes; the updates are written where they belong
yes_N3_nested_parts.inlay:14: "new_keys" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 4 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%layer view of %state
%keys view of %layer
%new_keys overwrites %keys {}
%first overwrites %layer {I3 %new_keys}
%values view of %layer
%new_values overwrites %values {}
%both overwrites %first {I3 %new_values}
%r overwrites %state {I3 %both}
order %first before %new_values
$ sh decide no_N3_nested_parts
no_N3_nested_parts.inlay:18: "r" (SliceScatter-15), window of "layer" (Slice-8):
  overwrite: yes; what is written over is kept until the run has succeeded
    I3 operands-in-step: "both" (SliceScatter-15) is read at the very positions that are written
  view: yes
  into: yes; the updates are written where they belong
no_N3_nested_parts.inlay:17: "both" (SliceScatter-15):
  overwrite: yes
    O5 one-overwriter: "new_values" (ScatterUpdate-3) copies the data before
    V1 read-before-write: "change" (Subtract-1) reads the slice before, by an order edge
  into: no (I2 pointwise): "new_values" (ScatterUpdate-3) does not compute each element of the window from the same one; copies 16 bytes
    what helps: compute each element of the window from the elements at its position, or from values outside of the window
no_N3_nested_parts.inlay:15: "new_values" (ScatterUpdate-3):
  overwrite: no (O3 no-later-read): "change" (Subtract-1) reads the old data after the write; copies 16 bytes
    what helps: let the reader take the result, or only positions that are not written, or make it independent of the result so that it can come first
  updates: copied, 4 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_N3_nested_parts.inlay:16: "first" (SliceScatter-15), window of "keys" (Slice-8):
  overwrite: yes
    I3 operands-in-step: "new_keys" (ScatterUpdate-3) is read at the very positions that are written
  view: yes
  into: yes; the updates are written where they belong
no_N3_nested_parts.inlay:14: "new_keys" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 4 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_N3_nested_parts.inlay:13: "values" (Slice-8):
  view: yes
%layer view of %state
%keys view of %layer
%new_keys overwrites %keys {}
%first overwrites %layer {I3 %new_keys}
%values view of %layer
%both overwrites %first {O5 %new_values, V1 %change}
%r overwrites %state {I3 %both}
order %change before %both

# Nothing is written and nothing decided when the data is empty.
$ sh decide no_empty
nothing to explain: there is no scatter, and nothing else is copied

# Run as the notes say, each is the function it was.
$ for f in "$ROOT"/tests/passes/in-place-windows/*.inlay; do
>     inlay opt --passes in-place-windows --verify "$f" -o noted.inlay 2>verdict || [ $? = 4 ] || cat verdict
>     grep -q "same\|inconclusive" verdict || grep -L unchanged verdict
> done

# Every file is decided here, in joins.t or in iterations.t, and stands in the list of conditions.
$ for f in "$ROOT"/tests/passes/in-place-windows/*.inlay; do
>     n=$(basename "$f" .inlay)
>     cat "$ROOT"/tests/golden/in_place.t "$ROOT"/tests/golden/joins.t "$ROOT"/tests/golden/iterations.t |
>         grep -q "^. sh decide $n\$" || echo "$n is not decided"
>     grep -q "\`$n\`" "$ROOT/passes/inplace/CONDITIONS.md" || echo "$n is not listed"
> done

# Views that are no windows. V2 strided-readers: a reshape of rows that lie dense, and a window of that.
$ sh decide yes_V2_reshape
yes_V2_reshape.inlay:14: "q" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "f" (Reshape-1) makes the rest of the data before
yes_V2_reshape.inlay:10: "r" (SliceScatter-15):
  overwrite: yes; unless the caller donates the input, it is copied once
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_V2_reshape.inlay:11: "f" (Reshape-1):
  view: yes
%r overwrites %data {}
%f view of %r
%x view of %f
%y into %q {I1 %x, N1 %f}
%q overwrites %f {}

# V2 strided-readers: two columns in a shape that strides show, and in another order.
$ sh decide yes_V2_columns
yes_V2_columns.inlay:10: "x" (Slice-8):
  view: yes
yes_V2_columns.inlay:11: "f" (Reshape-1):
  view: yes
yes_V2_columns.inlay:12: "u" (Unsqueeze-1):
  view: yes
yes_V2_columns.inlay:13: "q" (Squeeze-15):
  view: yes
yes_V2_columns.inlay:14: "t" (Transpose-1):
  view: yes
%x view of %d
%f view of %x
%u view of %f
%q view of %u
%t view of %q

# V2 strided-readers: the updates stand in columns; their other reader does not read strides, and gets a dense copy.
$ sh decide yes_V2_dense_reader
yes_V2_dense_reader.inlay:11: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before
yes_V2_dense_reader.inlay:12: "z" (NormalizeL2-1), input 0 for its kernel: copied, 64 bytes
    what helps: give it elements in row-major order, as whole rows are; its kernel reads no others
%x view of %d
%y into %r {I1 %x, N1 %d}
%r overwrites %d {}

# V2 strided-readers: no strides show two columns as a list.
$ sh decide no_V2_reshape
no_V2_reshape.inlay:9: "x" (Slice-8):
  view: yes
no_V2_reshape.inlay:10: "f" (Reshape-1):
  view: no (V2 strided-readers): "f" (Reshape-1) reads only elements that follow each other; copies 64 bytes
    what helps: cut along the first axis, where elements follow each other, or accept the copy of the slice, which is small
%x view of %d

# V1 read-before-write: within a transpose it is known which rows meet.
$ sh decide yes_V1_turned
yes_V1_turned.inlay:14: "r" (SliceScatter-15):
  overwrite: yes
  updates: copied, 64 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
yes_V1_turned.inlay:12: "t" (Transpose-1):
  view: yes
yes_V1_turned.inlay:13: "x" (Slice-8):
  view: yes
%t view of %d
%x view of %t
%r overwrites %t {}

$ sh decide no_V1_turned
no_V1_turned.inlay:14: "r" (SliceScatter-15):
  overwrite: yes
    V1 read-before-write: "x" (Slice-8) reads the slice before, by an order edge
  updates: copied, 64 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
no_V1_turned.inlay:12: "t" (Transpose-1):
  view: yes
no_V1_turned.inlay:13: "x" (Slice-8):
  view: no (V1 read-before-write): "z" (Add-1) reads the slice after the write; copies 32 bytes
    what helps: let the reader come before the write: make it independent of the result
%t view of %d
%r overwrites %t {V1 %x}
order %x before %r

# I8 no-failure-midway: the value in which a division is computed must not stand in the caller's input itself.
$ sh decide no_I8_later
no_I8_later.inlay:13: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes; unless the caller donates the input, it is copied once
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "p" (Parameter-1) makes the rest of the data before
  order edges: 1
no_I8_later.inlay:18: "n" (SliceScatter-15):
  overwrite: yes
    O3 no-later-read: "z" (Abs-1) reads the old data before, by an order edge
  into: no (I8 no-failure-midway): "y" (Divide-1) may fail when part of the window is written; copies 8 bytes
    what helps: check what can fail before the slice, or let a node make the data: what it makes nobody sees after an error
  order edges: 1
%x view of %p
%m into %r {I1 %x, N1 %p}
%r overwrites %p {}
%n overwrites %m {O3 %z}
order %r before %n
order %z before %n

# I8 no-failure-midway: what may fail is computed in a window, so this must not be one of the caller's input.
$ sh decide no_I8_view
no_I8_view.inlay:12: "r" (SliceScatter-15), window of "x" (Slice-8):
  overwrite: yes
  view: yes
  into: yes
    I1 same-window: "x" (Slice-8) has the same window
    N1 content-made-first: "f" (Reshape-1) makes the rest of the data before
no_I8_view.inlay:9: "f" (Reshape-1):
  view: no (I8 no-failure-midway): "y" (Divide-1) may fail when part of the window is written; copies 32 bytes
    what helps: check what can fail before the slice, or let a node make the data: what it makes nobody sees after an error
%x view of %f
%y into %r {I1 %x, N1 %f}
%r overwrites %f {}
