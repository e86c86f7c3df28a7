# `inlay verify --prove`: the same for all values, by terms.

$ cat >window.inlay <<'END'
> graph "window" {
>   %data = Parameter {element_type = f32, shape = [4,2]}
>   %start = Const {value = i64[1] [1]}
>   %stop = Const {value = i64[1] [3]}
>   %step = Const {value = i64[1] [1]}
>   %rows = Slice(%data, %start, %stop, %step)
>   %more = Add(%rows, %rows)
>   %out = SliceScatter(%data, %more, %start, %stop, %step)
>   %result = Result(%out)
> }
> END
$ cat >joined.inlay <<'END'
> graph "joined" {
>   %data = Parameter {element_type = f32, shape = [4,2]}
>   %zero = Const {value = i64[] 0}
>   %parts = Const {value = i64[3] [1, 2, 1]}
>   %part:3 = VariadicSplit(%data, %zero, %parts)
>   %more = Add(%part:1, %part:1)
>   %out = Concat(%part:0, %more, %part:2) {axis = 0}
>   %result = Result(%out)
> }
> END
$ inlay verify window.inlay joined.inlay --prove
proven: the same for all values, 8 elements, 13 terms

# One row too far: not proven, and a trial says on which element.
$ sed 's/.1, 2, 1./[2, 2, 0]/' joined.inlay >wrong.inlay
$ inlay verify window.inlay wrong.inlay --prove
not proven: element 2 of output "out" is Add(data[2], data[2]) in the first graph, data[2] in the second
  0 pieces proven, 3 not: the first piece that is not proven ends with "more" (Add-1) in the first graph, "more" (Add-1) in the second
different: 1 of 64 trials counted, seed 0
  output "out" of the second graph: element [1,0] is -3, it must be -6; 4 of 8 elements differ, the worst error is 4
  input "data": f32[4,2]
    [[3, -4],
     [-3, 3],
     [0, -1],
     [1, 4]]
  the first gives "out": f32[4,2]
    [[3, -4],
     [-6, 6],
     [0, -2],
     [1, 4]]
  the second gives "out": f32[4,2]
    [[3, -4],
     [-3, 3],
     [0, -2],
     [2, 8]]
[1]

# Terms know no arithmetic. What trials cannot refute either stays undecided.
$ sed 's/Add(%rows, %rows)/Multiply(%rows, %two)/; s/%rows = /%two = Const {value = f32[] 2}\n  %rows = /' window.inlay >twice.inlay
$ inlay verify window.inlay twice.inlay --prove --trials 8
not proven: element 2 of output "out" is Add(data[2], data[2]) in the first graph, Multiply(data[2], 2) in the second
  1 piece proven, 3 not: the first piece that is not proven ends with "more" (Add-1) in the first graph, "more" (Multiply-1) in the second
same: 8 of 8 trials counted
[4]

# Open sizes: what cuts and joins the other axes is the same for all of them.
$ sed 's/shape = .4,2./shape = [4,?]/' window.inlay >open.inlay
$ sed 's/shape = .4,2./shape = [4,?]/' joined.inlay >open_joined.inlay
$ inlay verify open.inlay open_joined.inlay --prove --trials 8
proven: the same for all values and all sizes
$ inlay verify open.inlay open_joined.inlay --prove --shape data=4,7
proven: the same for all values, 28 elements, 43 terms

# What is written over all of the data need not be as long as it: the first graph refuses some sizes.
$ cat >over.inlay <<'EOF'
> graph "over" {
>   %data = Parameter {element_type = f32, shape = [?]}
>   %u = Parameter {element_type = f32, shape = [?]}
>   %zero = Const {value = i64[1] [0]}
>   %end = Const {value = i64[1] [9223372036854775807]}
>   %one = Const {value = i64[1] [1]}
>   %out = SliceScatter(%data, %u, %zero, %end, %one)
>   %result = Result(%out)
> }
> EOF
$ sed 's/%result = Result(%out)/%result = Result(%u)/; /SliceScatter/d' over.inlay >plain.inlay
$ inlay verify over.inlay plain.inlay --prove --trials 8 | head -1
not proven: sizes of 2 are only taken by the second graph

# Of sizes that are one it is proven: windows on an open axis that cut nothing, orders there and back.
$ sed 's/shape = ...}/shape = [?#n]}/' over.inlay >over_n.inlay
$ sed 's/shape = ...}/shape = [?#n]}/' plain.inlay >plain_n.inlay
$ inlay verify over_n.inlay plain_n.inlay --prove
proven: the same for all values and all sizes

$ inlay verify over.inlay over_n.inlay --prove --trials 8 | head -1
proven: the same for all values at 5 choices of open sizes, 11 elements, 11 terms; not for other sizes

# So is what differs at sizes that nobody tries: the status is not that of a proof.
$ cat >first.inlay <<'EOF'
> graph "first" {
>   %data = Parameter {element_type = f32, shape = [?]}
>   %zero = Const {value = i64[1] [0]}
>   %end = Const {value = i64[1] [5000]}
>   %one = Const {value = i64[1] [1]}
>   %out = Slice(%data, %zero, %end, %one)
>   %result = Result(%out)
> }
> EOF
$ sed 's/Result(%out)/Result(%data)/; /Slice/d' first.inlay >all.inlay
$ inlay verify first.inlay all.inlay --prove --trials 32
proven: the same for all values at 6 choices of open sizes, 14 elements, 6 terms; not for other sizes
  0 pieces proven, 1 not: the first piece that is not proven ends with "out" (Slice-8) in the first graph, "data" (Parameter-1) in the second
same: 32 of 32 trials counted
  not covered: open sizes above 257
[4]

# What computes each element by itself may do so before all of its operands are turned alike, or after; scalars do not
# mind.
$ cat >before.inlay <<'EOF'
> graph "turned" {
>   %x = Parameter {element_type = f32, shape = [?,?,?]}
>   %y = Parameter {element_type = f32, shape = [?,?,?]}
>   %order = Const {value = i64[3] [1, 2, 0]}
>   %half = Const {value = f32[] 0.5}
>   %sum = Add(%x, %y)
>   %less = Multiply(%sum, %half)
>   %t = Transpose(%less, %order)
>   %result = Result(%t)
> }
> EOF
$ cat >after.inlay <<'EOF'
> graph "turned" {
>   %x = Parameter {element_type = f32, shape = [?,?,?]}
>   %y = Parameter {element_type = f32, shape = [?,?,?]}
>   %order = Const {value = i64[3] [1, 2, 0]}
>   %other = Const {value = i64[3] [1, 2, 0]}
>   %half = Const {value = f32[] 0.5}
>   %tx = Transpose(%x, %order)
>   %ty = Transpose(%y, %other)
>   %sum = Add(%ty, %tx)
>   %less = Multiply(%half, %sum)
>   %result = Result(%less)
> }
> EOF
$ inlay verify before.inlay after.inlay --prove
proven: the same for all values and all sizes
$ sed '/%other = /s/1, 2, 0/2, 0, 1/' after.inlay >otherwise.inlay
$ inlay verify before.inlay otherwise.inlay --prove --trials 8 | grep -c 'all sizes'
0
[1]

# More elements than any machine holds: whole values decide.
$ cat >huge.inlay <<'EOF'
> graph "huge" {
>   %data = Parameter {element_type = f32, shape = [4000000000,4000000000]}
>   %order = Const {value = i64[2] [1, 0]}
>   %turned = Transpose(%data, %order)
>   %back = Transpose(%turned, %order)
>   %out = Abs(%back)
>   %result = Result(%out)
> }
> EOF
$ sed 's/Abs(%back)/Abs(%data)/' huge.inlay >short.inlay
$ inlay verify huge.inlay short.inlay --prove
proven: the same for all values and all sizes
$ sed 's/Abs(%back)/Abs(%turned)/' huge.inlay >turned.inlay
$ inlay verify huge.inlay turned.inlay --prove 2>/dev/null
not proven: node "data" (Parameter-1): there are too many elements
  1 piece proven, 2 not: the first piece that is not proven ends with "out" (Abs-1) in the first graph, "out" (Abs-1) in the second
[3]

# Where the operations differ, both graphs are rewritten, and the verdict says on what it relies: products are functions
# of their operands.
$ cat >product.inlay <<'EOF'
> graph "product" {
>   %x = Parameter {element_type = f32, shape = [?,4]}
>   %w = Parameter {element_type = f32, shape = [3,4]}
>   %order = Const {value = i64[2] [1, 0]}
>   %t = Transpose(%w, %order)
>   %y = MatMul(%x, %t)
>   %result = Result(%y)
> }
> EOF
$ sed '/%order/d; s/MatMul(%x, %t)/MatMul(%x, %w) {transpose_b = true}/' product.inlay >flag.inlay
$ inlay verify product.inlay flag.inlay --prove
proven by rewrites, for all sizes: the same for all values
  relying on 1 application of 1 rewrite to both graphs:
         1  matmul-of-transposed (exact)
$ inlay verify product.inlay flag.inlay --prove --json | tr , '\n' | grep -E 'result|by_rewrites|covered|applications'
 "proven_by_rewrites": "the same for all values"
 "relies_on": [{"applications": 1
 "result": "same"
 "not_covered": ["mistakes of the rewrites"]}

# Another order of the axes is another function, which trials find.
$ sed 's/1, 0/0, 1/; s/f32, shape = .3,4./f32, shape = [4,4]/' product.inlay >unturned.inlay
$ sed 's/f32, shape = .3,4./f32, shape = [4,4]/' flag.inlay >square.inlay
$ inlay verify unturned.inlay square.inlay --prove | sed -n '1p; 3p' | cut -c 1-40
not proven: element 0 of output "y" is M
different: 1 of 64 trials counted, seed 

# Rewrites that keep no bits: not a proof of equality, so trials follow, and the status stays that of no decision.
$ cat >thrice.inlay <<'EOF'
> graph "thrice" {
>   %x = Parameter {element_type = f32, shape = [?,4]}
>   %a = Const {value = f32[] 3}
>   %b = Const {value = f32[] 5}
>   %y = Multiply(%x, %a)
>   %z = Multiply(%y, %b)
>   %result = Result(%z)
> }
> EOF
$ sed '/%b = /d; /%z = /d; s/Result(%z)/Result(%y)/; s/32.. 3/32[] 15/' thrice.inlay >fifteen.inlay
$ inlay verify thrice.inlay fifteen.inlay --prove --rtol 1e-5 --trials 8
proven piece by piece, for all sizes: equal over the reals, by rewrites within a tolerance
  1 piece, 2 proofs
  relying on 3 applications of 3 rewrites in one piece of each structure:
         1  product-of-float-product (approx) at "z" (Multiply-1)
         1  fold-constants (exact)
         1  eliminate-dead (exact)
same: 8 of 8 trials counted
  not covered: open sizes above 257
[4]

# Layers that differ in their weights alone are proven once: an encoder of 24 layers asks what one of two layers asks.
$ for layers in 2 24; do
>     awk -v LAYERS=$layers -f "$ROOT/tests/prove/encoder.awk" >encoder.inlay
>     inlay opt encoder.inlay --passes aggressive -o encoder_opt.inlay >/dev/null
>     inlay verify encoder.inlay encoder_opt.inlay --prove --trials 2 --rtol 1e-3 --atol 1e-3 | sed -n '1,9p'
> done
proven piece by piece, for all sizes: equal over the reals, by rewrites within a tolerance
  30 pieces, 6 proofs
  relying on 10 applications of 5 rewrites in one piece of each structure:
         2  attention-scaled (exact)
         2  layer-norm (approx) at "n_1_unit" (Divide-1), "x1_unit" (Divide-1)
         2  erf-of-quotient (approx) at "i_1" (Multiply-1), "i_2" (Multiply-1)
         2  half-of-product-with-gate (approx) at "i_1" (Multiply-1), "i_2" (Multiply-1)
         2  gelu (approx) at "i_1" (Multiply-1), "i_2" (Multiply-1)
same: 2 of 2 trials counted
proven piece by piece, for all sizes: equal over the reals, by rewrites within a tolerance
  360 pieces, 6 proofs
  relying on 10 applications of 5 rewrites in one piece of each structure:
         2  attention-scaled (exact)
         2  layer-norm (approx) at "n_1_unit" (Divide-1), "x1_unit" (Divide-1)
         2  erf-of-quotient (approx) at "i_1" (Multiply-1), "i_2" (Multiply-1)
         2  half-of-product-with-gate (approx) at "i_1" (Multiply-1), "i_2" (Multiply-1)
         2  gelu (approx) at "i_1" (Multiply-1), "i_2" (Multiply-1)
same: 2 of 2 trials counted

# One operand, or one weight, of one of the layers is another: the proof ends there.
$ sed 's/(%j_20, %n_20)/(%j_20, %n_19)/' encoder_opt.inlay >operand.inlay
$ inlay verify encoder.inlay operand.inlay --prove --trials 2 | sed -n '2s/.*: //p'
the first piece that is not proven ends with "k_20" (Add-1) in the first graph, "k_20" (Add-1) in the second
$ sed '/%w2_3 = /s/] .-*[0-9]*,/] [5,/' encoder_opt.inlay >weight.inlay
$ inlay verify encoder.inlay weight.inlay --prove --trials 2 | sed -n '2s/.*: //p'
the first piece that is not proven ends with "p2_3" (MatMul-1) in the first graph, "p2_3" (MatMul-1) in the second

# A body is part of its operation, like an attribute.
$ cat >loop.inlay <<'END'
> graph "l" {
>   %x = Parameter {element_type = f32, shape = [?]}
>   %n = Parameter {element_type = i64, shape = []}
>   %go = Const {value = boolean[] true}
>   %loop = Loop(%n, %go, %x)
>     body "step" {
>       %v = Parameter {element_type = f32, shape = [?]}
>       %w = Abs(%v)
>       %out = Result(%w)
>       %on = Const {value = boolean[] true}
>       %more = Result(%on)
>     }
>     in 2 -> %v
>     out %out -> 0
>     out %more -> none condition
>     back %out -> %v
>   %r = Result(%loop)
> }
> END
$ sed 's/%x = .*/&\n  %unused = Abs(%x)/' loop.inlay >beside.inlay
$ inlay verify loop.inlay beside.inlay --prove
proven: the same for all values and all sizes
$ sed 's/= Abs/= Exp/' loop.inlay >exp.inlay
$ inlay verify loop.inlay exp.inlay --prove --trials 8 --max-iterations 100 | sed -n '2p; 3p' | cut -c 1-40
  0 pieces proven, 2 not: the first piec
different: 1 of 8 trials counted, seed 0

# Signs of floats have one form: a rotary embedding by a turned half, and by differences. A difference the other way round
# is another function, where both are equal.
$ cat >rotary.inlay <<'END'
> graph "rotary" {
>   %x = Parameter {element_type = f32, shape = [2,4]}
>   %cos = Parameter {element_type = f32, shape = [4]}
>   %sin = Parameter {element_type = f32, shape = [4]}
>   %axis = Const {value = i64[] 1}
>   %half:2 = Split(%x, %axis) {num_splits = 2}
>   %minus = Negative(%half:1)
>   %turned = Concat(%minus, %half:0) {axis = 1}
>   %a = Multiply(%x, %cos)
>   %b = Multiply(%turned, %sin)
>   %y = Add(%a, %b)
>   %result = Result(%y)
> }
> END
$ cat >differences.inlay <<'END'
> graph "differences" {
>   %x = Parameter {element_type = f32, shape = [2,4]}
>   %cos = Parameter {element_type = f32, shape = [4]}
>   %sin = Parameter {element_type = f32, shape = [4]}
>   %axis = Const {value = i64[] 1}
>   %first = Const {value = i64[] 0}
>   %half:2 = Split(%x, %axis) {num_splits = 2}
>   %c:2 = Split(%cos, %first) {num_splits = 2}
>   %s:2 = Split(%sin, %first) {num_splits = 2}
>   %a = Multiply(%half:0, %c:0)
>   %b = Multiply(%half:1, %s:0)
>   %d = Multiply(%half:1, %c:1)
>   %e = Multiply(%half:0, %s:1)
>   %low = Subtract(%a, %b)
>   %high = Add(%e, %d)
>   %y = Concat(%low, %high) {axis = 1}
>   %result = Result(%y)
> }
> END
$ inlay verify rotary.inlay differences.inlay --prove
proven: the same for all values, 8 elements, 49 terms
$ sed 's/Subtract(%a, %b)/Subtract(%b, %a)/; s/%y = /%back = Negative(%low)\n  &/; s/Concat(%low/Concat(%back/' differences.inlay >back.inlay
$ inlay verify rotary.inlay back.inlay --prove --trials 8 | head -1
not proven: element 0 of output "y" is Add(Multiply(x[0], cos[0]), Negative(Multiply(x[2], sin[0]))) in the first graph, Negative(Add(Multiply(x[2], sin[0]), Negative(...))) in the second

# What nothing reads is no difference: a linear Resize knows no nearest_mode, and a number is repeated
# in each mode alike.

$ cat >linear.onnxtxt <<'END'
> <ir_version: 8, opset_import: ["" : 17]>
> g (float[1, 1, 64, 64] x, int64[a] l) => (float[1, 1, 128, 128] y, float[a] z)
> {
>   s = Constant <value = float[4] {1, 1, 2, 2}> ()
>   y = Resize <mode = "linear", nearest_mode = "floor"> (x, , s)
>   n = Shape(l)
>   z = ConstantOfShape <value = float[1] {2}> (n)
> }
> END
$ inlay convert linear.onnxtxt written.onnx
$ inlay verify linear.onnxtxt written.onnx --prove
proven: the same for all values and all sizes
$ sed 's/"linear"/"nearest"/' linear.onnxtxt >floor.onnxtxt
$ sed 's/"floor"/"ceil"/' floor.onnxtxt >ceil.onnxtxt
$ inlay verify floor.onnxtxt ceil.onnxtxt --prove --trials 1 | sed -n '1p; /^different/p'
not proven: element 0 of output "y" is Interpolate(...)[0] in the first graph, Interpolate(...)[0] in the second
different: 1 of 1 trial counted, seed 0

# Values of other types or ranks are no pair that is not proven, although they have a name in common.

$ cat >flat.inlay <<'END'
> graph "flat" {
>   %x = Parameter {element_type = f32, shape = [2,3]}
>   %all = Const {value = i64[1] [-1]}
>   %t = Reshape(%x, %all) {special_zero = false}
>   %axes = Const {value = i64[1] [0]}
>   %y = ReduceSum(%t, %axes)
>   %result = Result(%y)
> }
> END
$ cat >rows.inlay <<'END'
> graph "rows" {
>   %x = Parameter {element_type = f32, shape = [2,3]}
>   %t = Abs(%x)
>   %axes = Const {value = i64[2] [0, 1]}
>   %y = ReduceSum(%t, %axes)
>   %result = Result(%y)
> }
> END
$ inlay verify flat.inlay rows.inlay --prove --trials 1 | sed -n 2p
  0 pieces proven, 2 not: the first piece that is not proven ends with "y" (ReduceSum-1) in the first graph, "y" (ReduceSum-1) in the second
