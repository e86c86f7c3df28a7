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

# What an import put in place of an operand, before it asked for more, is no operand of the node that waits.
$ cat > q.onnxtxt <<'END'
> <ir_version: 10, opset_import: ["" : 21]>
> q (int8[M, K] a, float16[] s, int8[Z] z, int8[K, N] b, float16[S] t, int8[S] u, float16[S] v, int8[S] w) => (int8[] y)
> { y = QLinearMatMul (a, s, z, b, t, u, v, w) }
> END

$ inlay print q.onnxtxt | grep -c "Deferred-1@inlay(%a, %s, %z, %b, %t, %u, %v, %w)"
1

# It is written in an operator set in which the operator means the same.
$ cat > d.onnxtxt <<'END'
> <ir_version: 10, opset_import: ["" : 20]>
> d (float[1, 3, N] x, int64 i) => (float[] y) { y = DFT (x, , i) }
> END

$ inlay convert d.onnxtxt d.onnx && inlay print d.onnx | grep -o "version = 20"
version = 20

$ sed 's/20/12/; s/DFT (x, , i)/Softmax (x)/; s/1, 3, N//' d.onnxtxt > s.onnxtxt && inlay convert s.onnxtxt s.onnx
inlay: error: ONNX cannot say 1 node: Deferred-1 "y": Softmax-12, which operator set 17 says otherwise
[2]

# A resize to the sizes of another value is an Interpolate where these are known.
$ for n in N 6; do
>     printf '<ir_version: 8, opset_import: ["" : 17]>\ng (float[1,1,4] x, float[1,1,%s] z) => (float[1,1,M] y) {\n s = Shape (z)\n y = Resize (x, "", "", s)\n}' $n >z.onnxtxt
>     inlay print z.onnxtxt | grep -o 'Resize-19\|Interpolate-11'
> done
Resize-19
Interpolate-11
