# Operators of ONNX whose form depends on what is not known yet: torch's squeeze(dim) is an If whose branches differ in
# their number of axes, and what stands behind it waits.
$ cat > m.onnxtxt <<'END'
> <ir_version: 8, opset_import: ["" : 13]>
> squeezed (float[N, C, 3] x) => (float[] y)
> <int64[1] one = {1}>
> {
>   s = Shape (x)
>   i = Constant <value_int = 1> ()
>   c = Gather (s, i)
>   is = Equal (c, one)
>   z = If (is) <then_branch = t () => (float[] a) {a = Squeeze (x, one)}, else_branch = e () => (float[] b) {b = Identity (x)}>
>   y = Flatten (z)
> }
> END

$ inlay print m.onnxtxt | grep Deferred | sed 's/model = "[^"]*"/model = .../'
  %y = Deferred-1@inlay(%z) {operator = "Flatten", version = 13, model = ...} : f32[?,?] as "y"

# It runs, whatever the sizes are.
$ inlay run m.onnxtxt -i x=iota --shape x=2,1,3
y: f32[2,3]
  [[0, 1, 2],
   [3, 4, 5]]

$ inlay run m.onnxtxt -i x=iota --shape x=1,2,3 --exec reference
y: f32[1,6]
  [[0, 1, 2, 3, 4, 5]]

# OpenVINO's IR has no such operation; other files keep it.
$ inlay convert m.onnxtxt m.xml
m.onnxtxt:10: error: node 5 "y" (Flatten-13): has no form in OpenVINO's IR yet: the number of axes of "z" is not known before the run; say --shape x=...
[2]

$ inlay convert m.onnxtxt m.json && inlay run m.json -i x=iota --shape x=2,1,3
y: f32[2,3]
  [[0, 1, 2],
   [3, 4, 5]]

# When the sizes are known it is what it stands for.
$ inlay opt m.onnxtxt --shape x=2,1,3 -o m.xml && inlay run m.xml -i x=iota
y: f32[2,3]
  [[0, 1, 2],
   [3, 4, 5]]

$ inlay print m.onnxtxt --dim C=1 --dim N=2 | grep -c Deferred
0
[1]
