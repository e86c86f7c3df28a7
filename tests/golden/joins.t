# Values that are computed in their part of what holds them: what is decided on each, and what a run copies. The expected
# lines follow from the conditions (passes/inplace/CONDITIONS.md), the bytes from the shapes: those of what has to be
# moved.

# ./decide FILE: what is decided on it, the notes and order edges that are made, and how many bytes a run copies.
$ cat > decide <<'END'
> inlay opt --passes in-place-windows "$ROOT/tests/passes/in-place-windows/$1.inlay" --explain -o noted.inlay | sed "s|^/.*/||"
> sed -n "s/^ *\(%[^ ]*\) = .* \(view of\|overwrites\|into\) \(%[^ ]*\).*/\1 \2 \3/p; s/^ *\(order .*\)/\1/p" noted.inlay
> inlay run --passes none noted.inlay --random --stats - | sed -n 's/.*"copied_bytes": \([0-9]*\).*/copied: \1/p'
> END

# Both parts are computed in their places: 1 MiB was copied without that.
$ sh decide yes_concat
yes_concat.inlay:7: "c" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_concat.inlay:7: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
%a into %c
%b into %c
copied: 0

# The parts are columns. What is not computed is copied, 512 KiB of 1 MiB.
$ sh decide yes_concat_columns
yes_concat_columns.inlay:7: "c" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_concat_columns.inlay:7: "c" (Concat-1): copied, 512 KiB
%a into %c
copied: 524288

# N3 transitive: a Concat of Concats; without that 512 KiB would be copied twice, and 512 KiB once.
$ sh decide yes_N3
yes_N3.inlay:7: "inner" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_N3.inlay:7: "inner" (Concat-1), its part "b" (Tanh-1):
  into: yes
yes_N3.inlay:9: "outer" (Concat-1), its part "inner" (Concat-1):
  into: yes
yes_N3.inlay:9: "outer" (Concat-1), its part "e" (Abs-1):
  into: yes
%a into %inner
%b into %inner
%inner into %outer
%e into %outer
copied: 0

# N3 transitive: a Concat in a window.
$ sh decide yes_N3_window
yes_N3_window.inlay:12: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
  order edges: 1
yes_N3_window.inlay:7: "c" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_N3_window.inlay:7: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
%a into %c
%b into %c
%c into %r
%r overwrites %d
order %d before %c
order %d before %b
order %d before %a
copied: 0

# N3 transitive, the nearest that is not allowed: a part that is needed to read what stood in the window.
$ sh decide no_N3
no_N3.inlay:16: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
  order edges: 3
no_N3.inlay:15: "c" (Concat-1), its part "a" (Exp-1):
  into: no (I5 sole-consumer): "z" (Add-1) still needs the elements as they are; copies 32 bytes
no_N3.inlay:15: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
%b into %c
%c into %r
%r overwrites %d
order %z before %r
order %d before %c
order %z before %c
order %d before %b
order %z before %b
copied: 32

# N8 twice: a copy from one part into the other, 512 KiB.
$ sh decide yes_N8
yes_N8.inlay:5: "c" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_N8.inlay:5: "c" (Concat-1): copied, 512 KiB
%a into %c
copied: 524288

# N8 twice: both parts are copied, and a third copy is that of the updates.
$ sh decide no_N8
no_N8.inlay:11: "r" (SliceScatter-15):
  overwrite: yes
  updates: copied, 32 bytes
no_N8.inlay:10: "c" (Concat-1), its part "a" (Exp-1):
  into: no (I5 sole-consumer): "z" (Add-1) still needs the elements as they are; copies 32 bytes
no_N8.inlay:10: "c" (Concat-1): copied, 32 bytes
%r overwrites %c
copied: 96

# N10 one-place: the later of two that are equal is asked first; 512 KiB are copied.
$ sh decide yes_N10
yes_N10.inlay:8: "c1" (Concat-1), its part "a" (Exp-1):
  into: no (N10 one-place): "c2" (Concat-1) has the value in its own result already; copies 512 KiB
yes_N10.inlay:8: "c1" (Concat-1), its part "b" (Tanh-1):
  into: yes
yes_N10.inlay:9: "c2" (Concat-1), its part "a" (Exp-1):
  into: yes
yes_N10.inlay:9: "c2" (Concat-1), its part "e" (Abs-1):
  into: yes
%a into %c2
%b into %c1
%e into %c2
copied: 524288

# N1 content-first: what the part would be written over is made of it.
$ sh decide no_N1_part
no_N1_part.inlay:14: "r" (SliceScatter-15):
  overwrite: yes
  into: yes
  order edges: 1
no_N1_part.inlay:13: "c" (Concat-1), its part "a" (Exp-1):
  into: no (N1 content-first): "d" (Add-1) can only be made later, and would erase what is computed before; copies 32 bytes
no_N1_part.inlay:13: "c" (Concat-1), its part "b" (Tanh-1):
  into: yes
%b into %c
%c into %r
%r overwrites %d
order %d before %c
order %d before %b
copied: 32

# N2 checks-first: a size that only the run knows.
$ sh decide no_N2
no_N2.inlay:7: "c" (Concat-1), its part "a" (Exp-1):
  into: no (N2 checks-first): "c" (Concat-1) says where the window is only when it runs
no_N2.inlay:7: "c" (Concat-1), its part "b" (Tanh-1):
  into: no (N2 checks-first): "c" (Concat-1) says where the window is only when it runs; copies 32 bytes
no_N2.inlay:7: "c" (Concat-1): copied
copied: 80
