# Values that are computed in their part of what holds them: what is decided on each, and what a run copies. The expected
# lines follow from the conditions (passes/inplace/CONDITIONS.md), the bytes from the shapes: those of what has to be
# moved.

# ./decide FILE: what is decided on it, the notes and order edges that are made, and how many bytes a run copies.
$ cat > decide <<'END'
> inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place-windows/$1.inlay" --explain -o noted.inlay | sed "s|^/.*/||"
> sed -n "s/^ *\(%[^ ]*\) = .* \(view of\|overwrites\|into\) \(%[^ ]*\( {[^}]*}\)\?\).*/\1 \2 \3/p; s/^ *\(order .*\)/\1/p" noted.inlay
> inlay run --passes none noted.inlay --random --stats - | sed -n 's/.*"copied_bytes": \([0-9]*\).*/copied: \1/p'
> END

# Both parts are computed in their places: 1 MiB was copied without that.
$ sh decide yes_concat
yes_concat.inlay:7: "c" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_concat.inlay:7: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
%a into %c {}
%b into %c {}
copied: 0

# The parts are columns. What is not computed is copied, 512 KiB of 1 MiB.
$ sh decide yes_concat_columns
yes_concat_columns.inlay:7: "c" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_concat_columns.inlay:7: "c" (Concat-1): copied, 512 KiB
    what helps: let the run compute each part for this alone; what is given, constant or shown by a view stands in a buffer of its own
%a into %c {}
copied: 524288

# N3 nested: a Concat of Concats; without that 512 KiB would be copied twice, and 512 KiB once.
$ sh decide yes_N3
yes_N3.inlay:7: "inner" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_N3.inlay:7: "inner" (Concat-1), its part "b" (Tanh-1):
  into: yes
yes_N3.inlay:9: "outer" (Concat-1), its part "inner" (Concat-1):
  into: yes
yes_N3.inlay:9: "outer" (Concat-1), its part "e" (Abs-1):
  into: yes
%a into %inner {}
%b into %inner {}
%inner into %outer {}
%e into %outer {}
copied: 0

# N3 nested: a Concat in a window.
$ sh decide yes_N3_window
yes_N3_window.inlay:12: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Abs-1) makes the rest of the data before, by an order edge
  order edges: 1
yes_N3_window.inlay:7: "c" (Concat-1), its part "a" (Exp-1):
  into: yes
    N1 content-made-first: "d" (Abs-1) makes the rest of the data before, by an order edge
yes_N3_window.inlay:7: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
    N1 content-made-first: "d" (Abs-1) makes the rest of the data before, by an order edge
%a into %c {N1 %d}
%b into %c {N1 %d}
%c into %r {N1 %d}
%r overwrites %d {}
order %d before %c
order %d before %b
order %d before %a
copied: 0

# N3 nested, the nearest that is not allowed: a part that is needed to read what stood in the window.
$ sh decide no_N3
no_N3.inlay:16: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Abs-1) makes the rest of the data before, by an order edge
  order edges: 3
no_N3.inlay:15: "c" (Concat-1), its part "a" (Exp-1):
  into: no (I5 sole-consumer): "z" (Add-1) still needs the elements as they are; copies 32 bytes
    what helps: let the others read the result of the scatter, or come before the write
no_N3.inlay:15: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
    N1 content-made-first: "d" (Abs-1) makes the rest of the data before, by an order edge
    I5 sole-consumer: "z" (Add-1) reads the elements before, by an order edge
%b into %c {N1 %d, I5 %z}
%c into %r {N1 %d}
%r overwrites %d {}
order %z before %r
order %d before %c
order %z before %c
order %d before %b
order %z before %b
copied: 32

# N8 held-twice: a copy from one part into the other, 512 KiB.
$ sh decide yes_N8
yes_N8.inlay:5: "c" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_N8.inlay:5: "c" (Concat-1): copied, 512 KiB
    what helps: let the run compute each part for this alone; what is given, constant or shown by a view stands in a buffer of its own
%a into %c {}
copied: 524288

# N8 held-twice: both parts are copied, and a third copy is that of the updates.
$ sh decide no_N8
no_N8.inlay:11: "r" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_N8.inlay:10: "c" (Concat-1), its part "a" (Exp-1):
  into: no (I5 sole-consumer): "z" (Add-1) still needs the elements as they are; copies 32 bytes
    what helps: let the others read the result of the scatter, or come before the write
no_N8.inlay:10: "c" (Concat-1): copied, 32 bytes
    what helps: let the run compute each part for this alone; what is given, constant or shown by a view stands in a buffer of its own
%r overwrites %c {}
copied: 96

# N10 one-place: the later of two that are equal is asked first; 512 KiB are copied.
$ sh decide yes_N10
yes_N10.inlay:8: "c1" (Concat-1), its part "a" (Exp-1):
  into: no (N10 one-place): "c2" (Concat-1) has the value in its own result already; copies 512 KiB
    what helps: let one node hold the value; each further one takes a copy
yes_N10.inlay:8: "c1" (Concat-1), its part "b" (Tanh-1):
  into: yes
yes_N10.inlay:9: "c2" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_N10.inlay:9: "c2" (Concat-1), its part "e" (Abs-1):
  into: yes
%a into %c2 {}
%b into %c1 {}
%e into %c2 {}
copied: 524288

# N1 content-made-first: what the part would be written over is made of it.
$ sh decide no_N1_part
no_N1_part.inlay:14: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Add-1) makes the rest of the data before, by an order edge
  order edges: 1
no_N1_part.inlay:13: "c" (Concat-1), its part "a" (Exp-1):
  into: no (N1 content-made-first): "d" (Add-1) can only be made later, and would erase what is computed before; copies 32 bytes
    what helps: make all other content of the buffer independent of what is computed in it
no_N1_part.inlay:13: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
    N1 content-made-first: "d" (Add-1) makes the rest of the data before, by an order edge
%b into %c {N1 %d}
%c into %r {N1 %d}
%r overwrites %d {}
order %d before %c
order %d before %b
copied: 32

# The same of a part of a part.
$ sh decide no_N1_nested
no_N1_nested.inlay:14: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Add-1) makes the rest of the data before, by an order edge
  order edges: 1
no_N1_nested.inlay:12: "inner" (Concat-1), its part "x" (ReLU-1):
  into: no (N1 content-made-first): "d" (Add-1) can only be made later, and would erase what is computed before; copies 16 bytes
    what helps: make all other content of the buffer independent of what is computed in it
no_N1_nested.inlay:13: "outer" (Concat-1), its part "inner" (Concat-1):
  into: yes
    N1 content-made-first: "d" (Add-1) makes the rest of the data before, by an order edge
%inner into %outer {N1 %d}
%outer into %r {N1 %d}
%r overwrites %d {}
order %d before %outer
order %d before %inner
copied: 16

# N2 checks-first: a size that only the run knows.
$ sh decide no_N2
no_N2.inlay:10: "c" (Concat-1), its part "b" (Tanh-1):
  into: no (N2 checks-first): "c" (Concat-1) says where the window is only when it runs; copies 8 bytes
    what helps: let the numbers of the window, and the sizes of what is joined, follow from the sizes of the inputs or from constants
no_N2.inlay:10: "c" (Concat-1), its part "a" (Exp-1):
  into: no (N2 checks-first): "c" (Concat-1) says where the window is only when it runs
    what helps: let the numbers of the window, and the sizes of what is joined, follow from the sizes of the inputs or from constants
no_N2.inlay:10: "c" (Concat-1): copied
    what helps: let the run compute each part for this alone; what is given, constant or shown by a view stands in a buffer of its own
copied: 40

# Sizes that are known when the run begins: where b lies is found before a is made.
$ sh decide yes_concat_open
yes_concat_open.inlay:7: "c" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_concat_open.inlay:7: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
%a into %c {}
%b into %c {}
copied: 0

# N3 nested: the same in a part, and in a window, of sizes that are known then. Nothing is copied.
$ sh decide yes_concat_open_nested
yes_concat_open_nested.inlay:16: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Exp-1) makes the rest of the data before, by an order edge
  order edges: 1
yes_concat_open_nested.inlay:13: "c" (Concat-1), its part "a" (Exp-1):
  into: yes
    N1 content-made-first: "d" (Exp-1) makes the rest of the data before, by an order edge
yes_concat_open_nested.inlay:13: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
    N1 content-made-first: "d" (Exp-1) makes the rest of the data before, by an order edge
yes_concat_open_nested.inlay:15: "f" (Concat-1), its part "c" (Concat-1):
  into: yes
    N1 content-made-first: "d" (Exp-1) makes the rest of the data before, by an order edge
yes_concat_open_nested.inlay:15: "f" (Concat-1), its part "e" (Abs-1):
  into: yes
    N1 content-made-first: "d" (Exp-1) makes the rest of the data before, by an order edge
%a into %c {N1 %d}
%b into %c {N1 %d}
%c into %f {N1 %d}
%e into %f {N1 %d}
%f into %r {N1 %d}
%r overwrites %d {}
order %d before %f
order %d before %e
order %d before %c
order %d before %b
order %d before %a
copied: 0

# V2 strided-readers: columns of a part, however many rows there are.
$ sh decide no_V2_open
no_V2_open.inlay:8: "c" (Concat-1), its part "a" (Exp-1):
  into: no (V2 strided-readers): "m" (Einsum-7) reads only elements that follow each other
    what helps: cut along the first axis, where elements follow each other, or accept the copy of the slice, which is small
no_V2_open.inlay:8: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
no_V2_open.inlay:8: "c" (Concat-1): copied
    what helps: let the run compute each part for this alone; what is given, constant or shown by a view stands in a buffer of its own
%b into %c {}
copied: 48

# What is copied is the margin.
$ sh decide yes_pad_open
yes_pad_open.inlay:7: "p" (Pad-12), its part "a" (Exp-1):
  into: yes
yes_pad_open.inlay:7: "p" (Pad-12): copied
    what helps: nothing but a reader that makes the border itself, as a Convolution does: only the border is filled
%a into %p {}
copied: 52

# Two of three copies of each.
$ sh decide yes_tile_open
yes_tile_open.inlay:8: "t" (Tile-1), its part "a" (Exp-1):
  into: yes
yes_tile_open.inlay:8: "t" (Tile-1): copied
    what helps: let its readers broadcast, as elementwise operations and MatMul do; what repeats elements is no view
yes_tile_open.inlay:10: "w" (Broadcast-3), its part "b" (Tanh-1):
  into: yes
yes_tile_open.inlay:10: "w" (Broadcast-3):
  view: no (V3 does-not-outlive): "result_w" (Result-1) looks at the slice when the run is over
    what helps: give out the whole value and cut it outside of the model
%a into %t {}
%b into %w {}
copied: 192

# Outputs of nodes with several of them: 16 bytes, the second copy of the indices, are copied.
$ sh decide yes_outputs
yes_outputs.inlay:11: "state" (Concat-1), its part "cell" (LSTMCell-4), output 0:
  into: yes
yes_outputs.inlay:11: "state" (Concat-1), its part "cell" (LSTMCell-4), output 1:
  into: yes
yes_outputs.inlay:14: "both" (Concat-1), its part "top" (TopK-3), output 0:
  into: yes
yes_outputs.inlay:14: "both" (Concat-1), its part "lowest" (Negative-1):
  into: yes
yes_outputs.inlay:15: "twice" (Concat-1), its part "top" (TopK-3), output 1:
  into: yes
yes_outputs.inlay:15: "twice" (Concat-1): copied, 16 bytes
    what helps: let the run compute each part for this alone; what is given, constant or shown by a view stands in a buffer of its own
%cell into %state {}
%top into %twice {}
%lowest into %both {}
copied: 16

# A Pad holds its data within margins: (256 * 512 - 254 * 510) * 4 bytes are filled. 512 KiB were copied.
$ sh decide yes_pad
yes_pad.inlay:7: "p" (Pad-12), its part "a" (Exp-1):
  into: yes
yes_pad.inlay:7: "p" (Pad-12): copied, 6128 bytes
    what helps: nothing but a reader that makes the border itself, as a Convolution does: only the border is filled
%a into %p {}
copied: 6128

# As many are copied from the data when the margins show it again.
$ sh decide yes_pad_mirrored
yes_pad_mirrored.inlay:7: "p" (Pad-12), its part "a" (Exp-1):
  into: yes
yes_pad_mirrored.inlay:7: "p" (Pad-12): copied, 6128 bytes
    what helps: nothing but a reader that makes the border itself, as a Convolution does: only the border is filled
%a into %p {}
copied: 6128

# Only the second copy is one: 512 KiB of 1 MiB.
$ sh decide yes_broadcast
yes_broadcast.inlay:6: "p" (Broadcast-3), its part "a" (Exp-1):
  into: yes
yes_broadcast.inlay:6: "p" (Broadcast-3):
  view: no (V3 does-not-outlive): "result_p" (Result-1) looks at the slice when the run is over; copies 512 KiB
    what helps: give out the whole value and cut it outside of the model
%a into %p {}
copied: 524288

$ sh decide yes_tile
yes_tile.inlay:6: "p" (Tile-1), its part "a" (Exp-1):
  into: yes
yes_tile.inlay:6: "p" (Tile-1): copied, 512 KiB
    what helps: let its readers broadcast, as elementwise operations and MatMul do; what repeats elements is no view
%a into %p {}
copied: 524288

# One value twice in a Concat, which the default passes make a Tile: 512 KiB, as without them (yes_N8).
$ inlay run "$ROOT/tests/passes/in-place-windows/yes_N8.inlay" --random --quiet --stats - | grep -o '"copied_bytes": [0-9]*'
"copied_bytes": 524288

# N3 nested: a Pad in a window; 4 * 6 - 2 * 4 elements are copied.
$ sh decide yes_N3_pad
yes_N3_pad.inlay:12: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before, by an order edge
  order edges: 1
yes_N3_pad.inlay:10: "p" (Pad-12), its part "a" (Exp-1):
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before, by an order edge
yes_N3_pad.inlay:10: "p" (Pad-12): copied, 64 bytes
    what helps: nothing but a reader that makes the border itself, as a Convolution does: only the border is filled
%a into %p {N1 %d}
%p into %r {N1 %d}
%r overwrites %d {}
order %d before %p
order %d before %a
copied: 64

# I4 no-broadcast-of-window: the padding is read while it is written over. 16 bytes of the Pad, and 24 - 16 around its data.
$ sh decide no_I4_pad
no_I4_pad.inlay:14: "r" (SliceScatter-15), window of "v" (Slice-8):
  overwrite: yes
    V1 read-before-write: "p" (Pad-12) reads the slice before
  view: yes
  into: no (I4 no-broadcast-of-window): "p" (Pad-12) reads some positions of the window for many others; copies 16 bytes
    what helps: broadcast a tensor that is outside of the window
no_I4_pad.inlay:13: "p" (Pad-12), its part "a" (Exp-1):
  into: yes
no_I4_pad.inlay:13: "p" (Pad-12): copied, 8 bytes
    what helps: nothing but a reader that makes the border itself, as a Convolution does: only the border is filled
%a into %p {}
%v view of %d
%r overwrites %d {V1 %p}
copied: 24

# I1 same-window: what the Pad shows is not all that is computed.
$ sh decide no_I1_pad
no_I1_pad.inlay:7: "p" (Pad-12), its part "a" (Exp-1):
  into: no (I1 same-window): "p" (Pad-12) has other positions, or the same in another order; copies 504 KiB
    what helps: let the slice and the scatter have the same begin, end and step
copied: 516096

# I1 same-window: a list along the first axis of the result, which stands there in strides of a row.
$ sh decide no_I1_broadcast
no_I1_broadcast.inlay:7: "p" (Broadcast-3), its part "a" (Exp-1):
  into: no (I1 same-window): "p" (Broadcast-3) has other positions, or the same in another order; copies 16 bytes
    what helps: let the slice and the scatter have the same begin, end and step
no_I1_broadcast.inlay:7: "p" (Broadcast-3):
  view: no (V3 does-not-outlive): "result_p" (Result-1) looks at the slice when the run is over; copies 48 bytes
    what helps: give out the whole value and cut it outside of the model
copied: 64

# N2 checks-first: margins that only the run knows.
$ sh decide no_N2_pad
no_N2_pad.inlay:7: "p" (Pad-12), its part "a" (Exp-1):
  into: no (N2 checks-first): "p" (Pad-12) says where the window is only when it runs; copies 32 bytes
    what helps: let the numbers of the window, and the sizes of what is joined, follow from the sizes of the inputs or from constants
no_N2_pad.inlay:7: "p" (Pad-12): copied
    what helps: let the run compute for this alone what gets the border; what is given, constant or shown by a view stands in a buffer without one
copied: 0

# N3 nested: a row of a layer of a state is copied, 16 bytes. Behind the first run the old row is kept too.
$ sh decide yes_N3_nested
yes_N3_nested.inlay:14: "r" (SliceScatter-15), window of "layer" (Slice-8):
  overwrite: yes; what is written over is kept until the run has succeeded
    I3 operands-in-step: "new" (ScatterUpdate-3) is read at the very positions that are written
    O3 no-later-read: "t" (ReduceSum-1) reads the old data before, by an order edge
  view: yes
  into: yes; the updates are written where they belong
  order edges: 1
yes_N3_nested.inlay:11: "new" (ScatterUpdate-3):
  overwrite: yes
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
%layer view of %state
%new overwrites %layer {}
%r overwrites %state {I3 %new, O3 %t}
order %t before %r
copied: 16

# N3 nested, the nearest that is not allowed: the layer as it was is read behind the write. Two layers of 128 bytes
# are copied, out of the state and back, and the row.
$ sh decide no_N3_nested
no_N3_nested.inlay:12: "r" (SliceScatter-15):
  overwrite: yes; what is written over is kept until the run has succeeded
    O5 one-overwriter: "new" (ScatterUpdate-3) copies the data before
    V1 read-before-write: "change" (Subtract-1) reads the slice before, by an order edge
  into: no (I2 pointwise): "new" (ScatterUpdate-3) does not compute each element of the window from the same one; copies 128 bytes
    what helps: compute each element of the window from the elements at its position, or from values outside of the window
no_N3_nested.inlay:11: "new" (ScatterUpdate-3):
  overwrite: no (O3 no-later-read): "change" (Subtract-1) reads the old data after the write; copies 128 bytes
    what helps: let the reader take the result, or only positions that are not written, or make it independent of the result so that it can come first
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_N3_nested.inlay:10: "layer" (Slice-8):
  view: yes
%layer view of %state
%r overwrites %state {O5 %new, V1 %change}
order %change before %r
copied: 272

# A stack: what is computed has one axis less than the part in which it stands. 1 MiB was copied.
$ sh decide yes_concat_stacked
yes_concat_stacked.inlay:8: "ua" (Unsqueeze-1):
  view: yes
yes_concat_stacked.inlay:9: "ub" (Unsqueeze-1):
  view: yes
yes_concat_stacked.inlay:10: "c" (Concat-1), its part "ua" (Unsqueeze-1):
  into: yes
yes_concat_stacked.inlay:10: "c" (Concat-1), its part "ub" (Unsqueeze-1):
  into: yes
%a into %c {}
%ua view of %a
%b into %c {}
%ub view of %b
copied: 0

# A row of elements becomes rows of the whole, which follow each other. 512 KiB were copied.
$ sh decide yes_concat_reshaped
yes_concat_reshaped.inlay:8: "ra" (Reshape-1):
  view: yes
yes_concat_reshaped.inlay:9: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
yes_concat_reshaped.inlay:9: "c" (Concat-1), its part "ra" (Reshape-1):
  into: yes
%b into %c {}
%a into %c {}
%ra view of %a
copied: 0

# V2 strided-readers: rows of 512 elements would lie in four parts each; 512 KiB are copied.
$ sh decide no_V2_part
no_V2_part.inlay:8: "ra" (Reshape-1):
  view: yes
no_V2_part.inlay:9: "c" (Concat-1), its part "ra" (Reshape-1):
  into: no (V2 strided-readers): "ra" (Reshape-1) reads only elements that follow each other; copies 512 KiB
    what helps: cut along the first axis, where elements follow each other, or accept the copy of the slice, which is small
no_V2_part.inlay:9: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
%ra view of %a
%b into %c {}
copied: 524288

# N3 nested: what stands in a part of a part is written over when the whole has been read.
$ sh decide yes_N3_written
yes_N3_written.inlay:16: "v8" (SliceScatter-15):
  overwrite: yes
    I5 sole-consumer: "v5" (Concat-1) reads the elements before, by an order edge
    I5 sole-consumer: "v6" (Concat-1) reads the elements before
    O3 no-later-read: "n6" (ReduceSum-1) reads the old data before, by an order edge
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
yes_N3_written.inlay:8: "v5" (Concat-1), its part "v4" (Exp-1):
  into: yes
yes_N3_written.inlay:8: "v5" (Concat-1), its part "v3" (Tanh-1):
  into: yes
yes_N3_written.inlay:10: "v6" (Concat-1), its part "v0" (Sin-1):
  into: yes
yes_N3_written.inlay:10: "v6" (Concat-1), its part "v5" (Concat-1):
  into: yes
%v0 into %v6 {}
%v4 into %v5 {}
%v3 into %v5 {}
%v5 into %v6 {}
%v8 overwrites %v3 {I5 %v5, I5 %v6, O3 %n6}
order %v5 before %v8
order %n6 before %v8
copied: 16

# A window of an unknown array that is cut off: its scatter fails, and nothing is computed there.
$ sed '/^  %z = /s/1024,64/?,64/' "$ROOT"/tests/in_place/futhark_concat_window.inlay >window.inlay
$ inlay opt window.inlay --explain | grep into
  into: yes
  into: yes
  into: yes

$ inlay run window.inlay --random --quiet --shape z=512,64 --stats - | grep -o '"copied_bytes": [0-9]*'
"copied_bytes": 0

$ inlay run window.inlay --random --quiet --shape z=100,64
window.inlay:17: error: node "r" (SliceScatter-15): input 1 "updates" has shape [512,64]: axis 0 is 512, it must be 100
[2]

# Parts of an input that are joined again, half of them new, are copied also where the caller gives the input away.
$ cat >given.inlay <<'END'
> graph "given" {
>   %x = Parameter {element_type = f32, shape = [64,8]}
>   %axis = Const {value = i64[] 0}
>   %s:4 = Split(%x, %axis) {num_splits = 4}
>   %v = Tanh(%s:1)
>   %w = Exp(%s:2)
>   %y = Concat(%s:0, %v, %w, %s:3) {axis = 0}
>   %r = Result(%y)
> }
> END
$ inlay opt given.inlay --explain | tail -2
given.inlay:7: "y" (Concat-1): copied, 1 KiB
    what helps: write what is new into the input by a scatter, and let the caller donate the input

# What copies without a condition that refuses it says what would spare the copy: updates that are given, an order of
# elements that no strides have, elements that are repeated, what is given and gets a border, and the border alone.
$ cat > plain.inlay <<'END'
> graph "plain" {
>   %d = Parameter {element_type = f32, shape = [1,4,2,2]}
>   %u = Parameter {element_type = f32, shape = [1,1,2,2]}
>   %zero = Const {value = i64[1] [0]}
>   %one = Const {value = i64[1] [1]}
>   %around = Const {value = i64[4] [0,0,1,1]}
>   %times = Const {value = i64[4] [1,1,2,1]}
>   %none = Const {value = f32[] [0]}
>   %e = Exp(%d)
>   %r = SliceScatter(%e, %u, %zero, %one, %one, %one)
>   %deep = DepthToSpace(%r) {mode = blocks_first, block_size = 2}
>   %tall = Tile(%deep, %times)
>   %wide = Pad(%u, %around, %around, %none) {pad_mode = constant}
>   %f = Sinh(%d)
>   %round = Pad(%f, %around, %around, %none) {pad_mode = constant}
>   %a = Result(%tall)
>   %b = Result(%wide)
>   %c = Result(%round)
> }
> END
$ inlay opt plain.inlay --explain | grep -A 1 copied | sed "/its part/d; /^--/d"
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
plain.inlay:11: "deep" (DepthToSpace-1): copied, 64 bytes
    what helps: let its readers take the elements in the order in which they are; no view has them in this one
plain.inlay:12: "tall" (Tile-1): copied, 64 bytes
    what helps: let its readers broadcast, as elementwise operations and MatMul do; what repeats elements is no view
plain.inlay:13: "wide" (Pad-12): copied, 64 bytes
    what helps: let the run compute for this alone what gets the border; what is given, constant or shown by a view stands in a buffer without one
plain.inlay:15: "round" (Pad-12): copied, 192 bytes
    what helps: nothing but a reader that makes the border itself, as a Convolution does: only the border is filled
$ inlay opt plain.inlay --json | grep -c '"remedy": "let its readers'
2
