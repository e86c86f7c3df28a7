# Gradient of ai.onnx.preview.training, in text: the slopes of what stands in the graph around it. By hand, with
# y = tanh(a b + c) - 1 / b where c is one number for all elements: for a = (0, 0), b = (1, 2) and c = 0 the slope of
# tanh is 1, so that dy/da = b, dy/db = a + 1 / b^2 and dy/dc = 1 + 1.
$ cat > m.onnxtxt <<'EOF'
> <ir_version: 8, opset_import: ["" : 17, "ai.onnx.preview.training" : 1]>
> slopes (float[2] a, float[1] c, float[2] z) => (float[2] da, float[2] db, float[1] dc, float[2] dz)
> <float[1] one = {1}, float[2] b = {1, 2}>
> {
>   p = Mul (a, b)
>   s = Add (p, c)
>   t = Tanh (s)
>   r = Div (one, b)
>   y = Sub (t, r)
>   da, db, dc, dz = ai.onnx.preview.training.Gradient <xs = ["a", "b", "c", "z"], y = "y"> (a, b, c, z)
> }
> EOF
$ inlay run m.onnxtxt -i a=zeros -i c=zeros -i z=zeros
da: f32[2]
  [1, 2]
db: f32[2]
  [1, 0.25]
dc: f32[1]
  [2]
dz: f32[2]
  [0, 0]

# d/dx log(exp(x)) = 1, d/dx sigmoid(x) = 1/4 at 0, d/dx relu(-x) is -1 below 0, d/dx sqrt(x) = 1/4 at 4.
$ cat > n.onnxtxt <<'EOF'
> <ir_version: 8, opset_import: ["" : 17, "ai.onnx.preview.training" : 1]>
> slopes (float[1] u, float[1] v, float[1] w, float[1] x) => (float[1] du, float[1] dv, float[1] dw, float[1] dx)
> {
>   e = Exp (u)
>   l = Log (e)
>   s = Sigmoid (v)
>   m = Neg (w)
>   r = Relu (m)
>   q = Sqrt (x)
>   ls = Add (l, s)
>   rq = Add (r, q)
>   y = Add (ls, rq)
>   du, dv, dw, dx = ai.onnx.preview.training.Gradient <xs = ["u", "v", "w", "x"], y = "y"> (u, v, w, x)
> }
> EOF
$ inlay run n.onnxtxt -i u=3 -i v=0 -i w=-2 -i x=4
du: f32[1]
  [1]
dv: f32[1]
  [0.25]
dw: f32[1]
  [-1]
dx: f32[1]
  [0.25]

# What is not read is said.
$ sed 's/Tanh/Sin/' m.onnxtxt > o.onnxtxt; inlay info o.onnxtxt
o.onnxtxt:10: error: graph.node[5] (ai.onnx.preview.training.Gradient-1): goes through Sin, whose derivative is not read
[2]
$ sed 's/(a, b, c, z)$/(b, a, c, z)/' m.onnxtxt > o.onnxtxt; inlay info o.onnxtxt
o.onnxtxt:10: error: graph.node[5] (ai.onnx.preview.training.Gradient-1): operand 0 must be the value xs[0], "a"
[2]
$ sed 's/y = "y"/y = "none"/' m.onnxtxt > o.onnxtxt; inlay info o.onnxtxt
o.onnxtxt:10: error: graph.node[5] (ai.onnx.preview.training.Gradient-1): attributes "xs" and "y" must name values of this graph
[2]
$ sed 's/y = "y"/zs = ["c"], y = "y"/' m.onnxtxt > o.onnxtxt; inlay info o.onnxtxt
o.onnxtxt:10: error: graph.node[5] (ai.onnx.preview.training.Gradient-1): attribute "zs" is not read
[2]
$ sed 's/float\[2\] a/float[N] a/' m.onnxtxt > o.onnxtxt; inlay info o.onnxtxt
o.onnxtxt:10: error: graph.node[5] (ai.onnx.preview.training.Gradient-1): goes through a value whose sizes are not known, which is not read
[2]
