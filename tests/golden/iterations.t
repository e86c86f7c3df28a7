# Values that go from iteration to iteration: what is decided on each, and what a run copies. The expected lines follow
# from the conditions (passes/inplace/CONDITIONS.md), the bytes from the shapes: those of what has to be moved.

# ./decide FILE: what is decided on it, the notes and order edges that are made, and how many bytes a run copies.
$ cat > decide <<'END'
> inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place-windows/$1.inlay" --explain -o noted.inlay | sed "s|^/.*/||"
> sed -n "s/^ *\(%[^ ]*\) = .* \(view of\|overwrites\|into\) \(%[^ ]*\( {[^}]*}\)\?\).*/\1 \2 \3/p; s/^ *\(order .*\)/\1/p" noted.inlay
> inlay run --passes none noted.inlay --random --stats - | sed -n 's/.*"copied_bytes": \([0-9]*\).*/copied: \1/p'
> END

# O7 data-used-once: both branches read what they write over. It is copied once, 128 bytes, and a row is written.
$ sh decide no_O7_given
no_O7_given.inlay:13: "q" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_O7_given.inlay:29: "q" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  into: yes
    N1 content-made-first: "p" (Parameter-1) makes the rest of the data before, by an order edge
  order edges: 1
no_O7_given.inlay:6: "i" (If-8), input 1:
  overwrite: no (O7 data-used-once): "i" (If-8) has its data as another operand too; copies 128 bytes
    what helps: give the scatter other updates or indices than its data
%q overwrites %p {}
%h into %q {N1 %p}
%q overwrites %p {}
order %p before %h
copied: 144

# N6 entered-once: the loop also reads the tensor as it was. It is copied once, 128 bytes, and each of five iterations
# writes a row of 16 bytes.
$ sh decide no_N6
no_N6.inlay:15: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_N6.inlay:7: "l" (Loop-5), input 2:
  overwrite: no (N6 entered-once): "l" (Loop-5) reads it as it was in later iterations, too; copies 128 bytes
    what helps: let the tensor enter the loop once, as the value that is carried
%new overwrites %c {}
copied: 208

# N6 entered-once: what is read is carried; a row of 16 bytes is written in each of five iterations.
$ sh decide yes_N6
yes_N6.inlay:14: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
    N7 two-buffers: "sum" (ReduceSum-1) reads what the iteration before made, before the write, by an order edge
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
  order edges: 1
yes_N6.inlay:7: "l" (Loop-5), input 2:
  overwrite: yes
%l:2 overwrites %d {}
%new overwrites %c {N7 %sum}
order %sum before %new
copied: 80

# N6 entered-once: the loop reads rows of the tensor as it was; these are copied, 64 bytes.
$ sh decide no_N6_view
no_N6_view.inlay:19: "new" (ScatterUpdate-3):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
no_N6_view.inlay:11: "l" (Loop-5), input 2:
  overwrite: yes
    O3 no-later-read: "part" (Slice-8) reads the old data before
no_N6_view.inlay:10: "part" (Slice-8):
  view: no (N6 entered-once): "l" (Loop-5) reads it as it was in later iterations, too; copies 64 bytes
    what helps: let the tensor enter the loop once, as the value that is carried
%l:2 overwrites %d {O3 %part}
%new overwrites %c {}
copied: 144

# N7 two-buffers: what an iteration makes and what it reads take turns in two buffers.
$ sh decide yes_N7
nothing to explain: there is no scatter, and nothing else is copied
copied: 0

# N7 two-buffers: each of five iterations copies 128 bytes, and writes a row of 16.
$ sh decide no_N7
no_N7.inlay:13: "new" (ScatterUpdate-3):
  overwrite: no (N7 two-buffers): "change" (Add-1) reads what the iteration before made, after the write; copies 128 bytes in each of 5 iterations, 640 bytes in all
    what helps: read the old value before the write, or only positions that the iteration does not write; or compute all of the next value
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
copied: 720

# N11 disjoint-iterations: each part of 32 bytes is copied, and a row of 16 bytes written.
$ sh decide no_N11
no_N11.inlay:16: "new" (ScatterUpdate-3):
  overwrite: no (N11 disjoint-iterations): "row" (Parameter-1) brings some elements to two iterations; copies 32 bytes in each of 5 iterations, 160 bytes in all
    what helps: cut parts that do not overlap: a stride as large as the part
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
copied: 240

# N11 disjoint-iterations: windows of two iterations meet, and are computed where they are.
$ sh decide yes_N11
yes_N11.inlay:17: "new" (SliceScatter-15), window of "rows" (Slice-8):
  overwrite: yes; what it begins with is copied once, if the graph around keeps it
  view: yes
  into: yes
    I1 same-window: "rows" (Slice-8) has the same window
    N1 content-made-first: "c" (Parameter-1) makes the rest of the data before
    N2 checks-first: "i" (Parameter-1) says before where the window is
    N2 checks-first: "end" (Add-1) says before where the window is
yes_N11.inlay:7: "l" (Loop-5), input 2:
  overwrite: yes
%l overwrites %d {}
%rows view of %c
%u into %new {I1 %rows, N1 %c, N2 %i, N2 %end}
%new overwrites %c {}
copied: 0

# N12 fully-rewritten: nothing is copied.
$ sh decide yes_N12
nothing to explain: there is no scatter, and nothing else is copied
copied: 0

# N12 fully-rewritten: each of five iterations copies what it keeps, 128 bytes, and writes a row of 16.
$ sh decide no_N12
no_N12.inlay:13: "new" (ScatterUpdate-3):
  overwrite: no (N7 two-buffers): "change" (Add-1) reads what the iteration before made, after the write; copies 128 bytes in each of 5 iterations, 640 bytes in all
    what helps: read the old value before the write, or only positions that the iteration does not write; or compute all of the next value
  updates: copied, 16 bytes in each of 5 iterations, 80 bytes in all
    what helps: compute them in the run; what is given or constant stands in a buffer of its own
copied: 720

# N4 one-output: what is given twice cannot stand in a window once. It is copied there, 32 bytes, and to an output.
$ sh decide no_N4
no_N4.inlay:25: "r" (SliceScatter-15):
  overwrite: yes
  into: no (N4 one-output): "l" (Loop-5) cannot make it there in its bodies; copies 32 bytes; what bodies make here may be another output, too
    what helps: let one output of the body be this value, and no other
%r overwrites %d {}
copied: 64

# One branch makes its value in the window, what the other one hands on is copied there; and so is what a loop gives that
# makes no iteration. In runs that make it nothing is copied: test_handed_into_windows of test_bodies.c has both.
$ sh decide yes_N4_handed
yes_N4_handed.inlay:24: "r" (SliceScatter-15):
  overwrite: yes
  into: yes; what a body hands through is copied
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before, by an order edge
  order edges: 1
%i into %r {N1 %d}
%r overwrites %d {}
order %d before %i
copied: 32

$ sh decide yes_N4_no_iteration
yes_N4_no_iteration.inlay:23: "r" (SliceScatter-15):
  overwrite: yes
  into: yes; what a body hands through is copied
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before, by an order edge
  order edges: 1
%l into %r {N1 %d}
%r overwrites %d {}
order %d before %l
copied: 0

# Where both branches make it, nothing is copied; nor where a loop makes it, be it the last value or the joined parts.
$ sh decide yes_N4
yes_N4.inlay:26: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before, by an order edge
  order edges: 1
%i into %r {N1 %d}
%r overwrites %d {}
order %d before %i
copied: 0

$ sh decide yes_N4_loop
yes_N4_loop.inlay:24: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before, by an order edge
  order edges: 1
%l into %r {N1 %d}
%r overwrites %d {}
order %d before %l
copied: 0

$ sh decide yes_N4_parts
yes_N4_parts.inlay:34: "j" (Concat-1), its part "i" (If-8):
  into: yes
yes_N4_parts.inlay:34: "j" (Concat-1), its part "l" (Loop-5):
  into: yes
%i into %j {}
%l into %j {}
copied: 0

# Bodies make dense values: in columns nothing can be made.
$ sh decide yes_N4_columns
yes_N4_columns.inlay:26: "r" (SliceScatter-15):
  overwrite: yes
  into: no (N4 one-output): "i" (If-8) cannot make it there in its bodies; copies 32 bytes; what bodies make has elements that follow each other
    what helps: let one output of the body be this value, and no other
%r overwrites %d {}
copied: 32

# How large the value is only the branch says that runs. Nothing would be wrong, but it has no place when it is made.
$ sh decide yes_N2_branches
yes_N2_branches.inlay:16: "q" (Gather-8): copied, 32 bytes
    what helps: name the rows by a Slice, or by a Range or constants in equal steps, so that they can be a view
yes_N2_branches.inlay:28: "m" (Reshape-1):
  view: yes
yes_N2_branches.inlay:30: "q" (Gather-8): copied
    what helps: name the rows by a Slice, or by a Range or constants in equal steps, so that they can be a view
yes_N2_branches.inlay:37: "r" (SliceScatter-15):
  overwrite: yes
  into: no (N2 checks-first): "i" (If-8) says where the window is only when it runs
    what helps: let the numbers of the window, and the sizes of what is joined, follow from the sizes of the inputs or from constants
%m view of %n
%r overwrites %d {}
copied: 32

# Each of several outputs is made in its place, if no body makes it as another one, too.
$ sh decide yes_N4_outputs
yes_N4_outputs.inlay:33: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before, by an order edge
  order edges: 1
yes_N4_outputs.inlay:34: "j" (Concat-1), its part "l" (Loop-5), output 1:
  into: yes
yes_N4_outputs.inlay:34: "j" (Concat-1), its part "l" (Loop-5), output 2:
  into: yes
%l:3 into %j {}
%r overwrites %d {}
order %d before %l
copied: 0

$ sh decide yes_N4_if_outputs
yes_N4_if_outputs.inlay:52: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before, by an order edge
  order edges: 1
%i:2 into %r {N1 %d}
%r overwrites %d {}
order %d before %i
copied: 0

# The inner If may hand through what is the other output as well. 32 bytes are copied to the window.
$ sh decide no_N4_handed
no_N4_handed.inlay:46: "r" (SliceScatter-15):
  overwrite: yes
  into: no (N4 one-output): "i" (If-8) cannot make it there in its bodies; copies 32 bytes; what bodies make here may be another output, too
    what helps: let one output of the body be this value, and no other
%r overwrites %d {}
copied: 32

# Sizes that a loop makes of those of its inputs are known before it runs; those that depend on the number of iterations,
# on the iteration, or on the branch, are not.
$ sh decide yes_N2_loop
yes_N2_loop.inlay:14: "h" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_N2_loop.inlay:14: "h" (Concat-1), its part "b" (Abs-1):
  into: yes
yes_N2_loop.inlay:27: "j" (Concat-1), its part "l" (Loop-5), output 0:
  into: yes
yes_N2_loop.inlay:27: "j" (Concat-1), its part "l" (Loop-5), output 1:
  into: yes
yes_N2_loop.inlay:27: "j" (Concat-1), its part "e" (Exp-1):
  into: yes
%l:2 into %j {}
%a into %h {}
%b into %h {}
%e into %j {}
copied: 0

$ sh decide no_N2_loop
no_N2_loop.inlay:14: "h" (Concat-1), its part "a" (Exp-1):
  into: yes
no_N2_loop.inlay:14: "h" (Concat-1), its part "b" (Abs-1):
  into: yes
no_N2_loop.inlay:27: "j" (Concat-1), its part "l" (Loop-5), output 0:
  into: no (N2 checks-first): "j" (Concat-1) says where the window is only when it runs
    what helps: let the numbers of the window, and the sizes of what is joined, follow from the sizes of the inputs or from constants
no_N2_loop.inlay:27: "j" (Concat-1), its part "l" (Loop-5), output 1:
  into: no (N2 checks-first): "j" (Concat-1) says where the window is only when it runs
    what helps: let the numbers of the window, and the sizes of what is joined, follow from the sizes of the inputs or from constants
no_N2_loop.inlay:27: "j" (Concat-1), its part "e" (Exp-1):
  into: no (N2 checks-first): "j" (Concat-1) says where the window is only when it runs
    what helps: let the numbers of the window, and the sizes of what is joined, follow from the sizes of the inputs or from constants
no_N2_loop.inlay:27: "j" (Concat-1): copied
    what helps: let the run compute each part for this alone; what is given, constant or shown by a view stands in a buffer of its own
%a into %h {}
%b into %h {}
copied: 288

$ sh decide no_N2_grows
no_N2_grows.inlay:11: "h" (Concat-1): copied
    what helps: carry a buffer of full size, and write the new part into it; what grows or rolls in a body is copied
no_N2_grows.inlay:22: "j" (Concat-1), its part "l" (Loop-5):
  into: no (N2 checks-first): "j" (Concat-1) says where the window is only when it runs
    what helps: let the numbers of the window, and the sizes of what is joined, follow from the sizes of the inputs or from constants
no_N2_grows.inlay:22: "j" (Concat-1), its part "e" (Exp-1):
  into: no (N2 checks-first): "j" (Concat-1) says where the window is only when it runs
    what helps: let the numbers of the window, and the sizes of what is joined, follow from the sizes of the inputs or from constants
no_N2_grows.inlay:22: "j" (Concat-1): copied
    what helps: let the run compute each part for this alone; what is given, constant or shown by a view stands in a buffer of its own
copied: 672

$ sh decide no_N2_branches
no_N2_branches.inlay:11: "z" (Concat-1), its part "q" (ReLU-1):
  into: yes
no_N2_branches.inlay:11: "z" (Concat-1), its part "k" (Exp-1):
  into: yes
no_N2_branches.inlay:24: "j" (Concat-1), its part "i" (If-8):
  into: no (N2 checks-first): "j" (Concat-1) says where the window is only when it runs
    what helps: let the numbers of the window, and the sizes of what is joined, follow from the sizes of the inputs or from constants
no_N2_branches.inlay:24: "j" (Concat-1), its part "e" (Exp-1):
  into: no (N2 checks-first): "j" (Concat-1) says where the window is only when it runs
    what helps: let the numbers of the window, and the sizes of what is joined, follow from the sizes of the inputs or from constants
no_N2_branches.inlay:24: "j" (Concat-1): copied
    what helps: let the run compute each part for this alone; what is given, constant or shown by a view stands in a buffer of its own
%q into %z {}
%k into %z {}
copied: 96

# N5 no-branch-read: the If reads rows that it would write over.
$ sh decide no_N5
no_N5.inlay:21: "x" (Slice-8):
  view: yes
no_N5.inlay:27: "r" (SliceScatter-15):
  overwrite: yes
    O3 no-later-read: "i" (If-8) reads the old data before
  into: no (N5 no-branch-read): "i" (If-8) reads in a body what stands where its bodies write; copies 32 bytes
    what helps: read the window before the node and give the body what was read, or let it read another tensor
%x view of %p
%r overwrites %d {O3 %i}
copied: 32

# N5 no-branch-read: a branch that reads another tensor makes its result in the window.
$ sh decide yes_N5
yes_N5.inlay:21: "x" (Slice-8):
  view: yes
yes_N5.inlay:27: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
    N1 content-made-first: "d" (Tanh-1) makes the rest of the data before, by an order edge
  order edges: 1
%i into %r {N1 %d}
%x view of %p
%r overwrites %d {}
order %d before %i
copied: 0

# I8 no-failure-midway: the input is copied once, 128 bytes, and the window, 32.
$ sh decide no_I8_bodies
no_I8_bodies.inlay:24: "r" (SliceScatter-15):
  overwrite: yes; unless the caller donates the input, it is copied once
  into: no (I8 no-failure-midway): "i" (If-8) may fail when part of the window is written; copies 32 bytes
    what helps: check what can fail before the slice, or let a node make the data: what it makes nobody sees after an error
%r overwrites %d {}
copied: 160

# A loop that hands its operand through: what is computed next, in one group with a reader of the loop's output, must
# not be written over that operand.
$ cat >through.inlay <<'END'
> graph "through" {
>   %x = Parameter {element_type = i32, shape = [5]}
>   %a = Parameter {element_type = i32, shape = [1]}
>   %n = Parameter {element_type = i32, shape = []}
>   %axis = Const {value = i64[] 0}
>   %lengths = Const {value = i64[2] [4, 1]}
>   %s:2 = VariadicSplit(%x, %axis, %lengths)
>   %t = TensorIterator(%s:1, %a)
>     body "body" {
>       %carried = Parameter {element_type = i32, shape = [1]}
>       %part = Parameter {element_type = i32, shape = [1]}
>       %r = Result(%carried)
>     }
>     in 0 -> %carried
>     in 1 -> %part axis 0 start 0 end -1 stride 1 part_size 1
>     out %r -> 0
>     back %r -> %carried
>   %d = Subtract(%a, %s:1)
>   %larger = Maximum(%t, %d)
>   %out = Result(%larger)
>   %eye = Eye(%n, %a, %d) {output_type = i64}
>   %out_2 = Result(%eye)
> }
> END
$ inlay run through.inlay -i x=iota -i a=ones -i n=ones --passes none | head -2
larger: i32[1]
  [4]

# How often a loop runs that counts in its condition is known, and so it is taken apart: the result is that of the
# loop, for each of TRIPS FIRST BY LIMIT. One that counts down, or does not count, stays.
$ cat >counted.inlay <<'END'
> graph "counted" {
>   %x = Parameter {element_type = f32, shape = [4]}
>   %trips = Const {value = i64[] TRIPS}
>   %go = Const {value = boolean[] true}
>   %first = Const {value = i64[] FIRST}
>   %loop:2 = Loop(%trips, %go, %first, %x)
>   body "step" {
>     %k = Parameter {element_type = i64, shape = []}
>     %p = Parameter {element_type = f32, shape = [4]}
>     %by = Const {value = i64[] BY}
>     %limit = Const {value = i64[] LIMIT}
>     %m = Add(%k, %by)
>     %on = Less(%m, %limit)
>     %s = Sin(%p)
>     %q = Add(%s, %p)
>     %r0 = Result(%on)
>     %r1 = Result(%m)
>     %r2 = Result(%q)
>   }
>   in 2 -> %k
>   in 3 -> %p
>   out %r0 -> none condition
>   out %r1 -> 0
>   out %r2 -> 1
>   back %r1 -> %k
>   back %r2 -> %p
>   %n = Result(%loop:0)
>   %y = Result(%loop:1)
> }
> END
$ cat >try.sh <<'END'
> sed "s/TRIPS/$1/; s/FIRST/$2/; s/BY/$3/; s/LIMIT/$4/" counted.inlay >c.inlay
> inlay run c.inlay --random --digest --passes none --exec reference >was
> inlay run c.inlay --random --digest --passes aggressive | cmp - was && inlay opt c.inlay --passes aggressive | grep -c Loop
> END
$ sh try.sh -1 0 1 5
0
[1]
$ sh try.sh -1 3 4 12
0
[1]
$ sh try.sh 2 0 1 5
0
[1]
$ sh try.sh 9 5 1 5
0
[1]
$ sh try.sh -1 -3 2 4
0
[1]
$ sh try.sh -1 0 1 -9
0
[1]
$ sh try.sh -1 0 5 10
0
[1]
$ sh try.sh -1 0 5 11
0
[1]
$ sh try.sh 4 9 -1 8
1
$ sh try.sh 6 0 0 7
1
