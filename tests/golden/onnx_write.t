# ONNX models are written from every format, and read again as the same function.

$ inlay convert "$ROOT/models/digits/digits.xml" digits.onnx && inlay verify --trials 2 --rtol 1e-4 --atol 1e-5 "$ROOT/models/digits/digits.xml" digits.onnx | head -1
same: 2 of 2 trials counted

# Written again it is the same file, also by way of the text form; an operator set that is asked for is written.
$ inlay convert digits.onnx digits.inlay && inlay convert digits.inlay again.onnx && cmp digits.onnx again.onnx

$ for n in 18 21 28; do inlay convert digits.onnx $n.onnx --opset $n && inlay verify --trials 1 digits.onnx $n.onnx | head -1; done
same: 1 of 1 trial counted
same: 1 of 1 trial counted
same: 1 of 1 trial counted
$ for m in mobilenet transformer slice_scatter_concat slice_scatter_elements slice_scatter_nd; do
>     d=$ROOT/models/onnx/$m
>     inlay convert "$d/model.onnx" m.onnx && inlay run m.onnx --test-data "$d" --quiet || echo $m
>     inlay convert m.onnx m.inlay && inlay convert m.inlay n.onnx && cmp m.onnx n.onnx
> done

$ inlay opt "$ROOT/models/onnx/mobilenet/model.onnx" -o o.onnx && inlay run o.onnx --test-data "$ROOT/models/onnx/mobilenet" --quiet

# Nodes that are made for one operation stand in the order in which a reader finds them, too.
$ for op in 'Gelu-7(%x)' 'Round-5(%x) {mode = "half_away_from_zero"}'; do
>     printf 'graph "g" {\n  %%x = Parameter-1 {element_type = f32, shape = [2,3]}\n  %%y = %s\n  %%r = Result-1(%%y)\n}\n' "$op" >o.inlay
>     inlay convert o.inlay o.onnx --opset 17 && inlay convert o.onnx again.onnx --opset 17 && cmp o.onnx again.onnx
> done

# A product of two matrices, one of them turned, is a Gemm; of more axes it is not.
$ for p in '3,2 3,4 true false' '2,3 4,3 false true' '3,2 4,3 true true' '5,3,2 3,4 true false' '3,2 5,3,4 true false' '2,3 3,4 false false'; do
>     set -- $p
>     printf 'graph "g" {\n  %%x = Parameter-1 {element_type = f32, shape = [%s]}\n  %%w = Parameter-1 {element_type = f32, shape = [%s]}\n' $1 $2 >p.inlay
>     printf '  %%y = MatMul-1(%%x, %%w) {transpose_a = %s, transpose_b = %s}\n  %%r = Result-1(%%y)\n}\n' $3 $4 >>p.inlay
>     inlay convert p.inlay p.onnx && grep -ao 'Gemm\|MatMul\|Transpose' p.onnx | sort -u | tr '\n' ' ' && inlay verify --trials 2 p.inlay p.onnx | head -1
> done
Gemm same: 2 of 2 trials counted
Gemm same: 2 of 2 trials counted
Gemm same: 2 of 2 trials counted
MatMul Transpose same: 2 of 2 trials counted
MatMul Transpose same: 2 of 2 trials counted
MatMul same: 2 of 2 trials counted

# A pool over parts of an axis is written by its parts, if nobody reads the places of the largest elements.
$ for p in 'Max 7 1 [3]' 'Max 7 1 [7]' 'Max 5,7 2 [2,3]' 'Max 5,7 2 [1,3]' 'Avg 5,7 2 [2,3]'; do
>     set -- $p
>     [ $1 = Max ] && outs=:2 first=:0 || outs= first=
>     printf 'graph "g" {\n  %%x = Parameter-1 {element_type = f32, shape = [1,2,%s]}\n  %%n = Const-1 {value = i64[%s] %s}\n' $2 $3 $4 >p.inlay
>     printf '  %%y%s = Adaptive%sPool-8(%%x, %%n)\n  %%r = Result-1(%%y%s)\n}\n' "$outs" $1 "$first" >>p.inlay
>     inlay convert p.inlay p.onnx && inlay verify --trials 2 --rtol 1e-5 --atol 1e-5 p.inlay p.onnx | head -1
> done
same: 2 of 2 trials counted
same: 2 of 2 trials counted
same: 2 of 2 trials counted
same: 2 of 2 trials counted
same: 2 of 2 trials counted

# A mean and a variance along the last axis are a layer's; along two, of a picture, they are not.
$ for axes in '1] [-1' '2] [2,3'; do
>     printf 'graph "g" {\n  %%x = Parameter-1 {element_type = f32, shape = [1,2,3,4]}\n  %%a = Const-1 {value = i64[%s]}\n  %%y = MVN-6(%%x, %%a) {eps = 1e-5, normalize_variance = true, eps_mode = inside_sqrt}\n  %%r = Result-1(%%y)\n}\n' "$axes" >n.inlay
>     inlay convert n.inlay n.onnx && grep -ac LayerNormalization n.onnx || :
> done
1
0

# What is drawn has a seed if it had one for all of the graph.
$ for seed in 3 0; do
>     for drawn in 'Multinomial-13(%%p, %%n) {convert_type = i64, with_replacement = true' 'Multinomial-13(%%p, %%n) {convert_type = i64, with_replacement = false' 'RandomUniform-8(%%s, %%l, %%h) {output_type = f32'; do
>         printf "graph \"g\" {\n  %%p = Parameter-1 {element_type = f32, shape = [1,4]}\n  %%n = Const-1 {value = i64[] [2]}\n  %%s = Const-1 {value = i64[2] [1, 2]}\n  %%l = Const-1 {value = f32[] [1]}\n  %%h = Const-1 {value = f32[] [2]}\n  %%y = $drawn, log_probs = false, global_seed = $seed}\n  %%r = Result-1(%%y)\n}\n" | sed '/Uniform/s/log_probs = false, //' >drawn.inlay
>         inlay convert drawn.inlay drawn.onnx && grep -ac seed drawn.onnx || :
>     done
> done
1
1
1
0
0
0

# A file asks for no newer operator set than its operators need.
$ for how in half_pixel half_pixel_symmetric; do
>     printf 'graph "g" {\n  %%x = Parameter-1 {element_type = f32, shape = [1,1,2,4]}\n  %%s = Const-1 {value = f32[4] [1, 1, 0.6, 0.6]}\n  %%y = Resize-19@onnx19(%%x, none, %%s) {mode = linear, coordinate_transformation_mode = %s}\n  %%r = Result-1(%%y)\n}\n' $how >s.inlay
>     inlay convert s.inlay s.onnx --opset 17 && echo written || :
> done
written
inlay: error: ONNX cannot say 1 node: Resize-19 "y": half_pixel_symmetric needs operator set 19

# Large weights may stand in a file beside the model, and both appear together or not at all.
$ awk 'BEGIN { print "graph \"g\" {\n  %x = Parameter-1 {element_type = f64, shape = [1,400]}\n  %w = Const-1 {value = f64[400,400] ["
>     for (i = 0; i < 160000; i++) printf "%s%d", i ? ", " : "", i % 7
>     print "]}\n  %y = MatMul-1(%x, %w) : f64[1,400]\n  %r = Result-1(%y)\n}" }' >large.inlay
$ inlay convert large.inlay large.onnx --external large.weights && ls large.* && inlay verify --trials 1 large.inlay large.onnx | head -1
large.inlay
large.onnx
large.weights
same: 1 of 1 trial counted
$ wc -c <large.onnx | awk '{ print ($1 < 1000) }'
1
$ mkdir -p elsewhere && inlay convert large.inlay other.onnx --external elsewhere/weights
other.onnx: error: the weights of an ONNX model stand in a file beside it, not in elsewhere/weights
[2]

# A variable becomes an input and an output.
$ inlay convert "$ROOT/models/cache/step.inlay" step.onnx && inlay info step.onnx | grep -E 'past|present'
  past_number          i64[]  names: number, past_number
  past_cache           f32[16,8]  names: cache, past_cache
  present_number       i64[]
  present_cache        f32[16,8]

# One that no node gives a value, too.
$ printf 'graph "g" {\n  variable "v" : f32[2]\n  variable "w" : f32[2]\n  %%x = Parameter-1 {element_type = f32, shape = [2]}\n  %%s = ReadValue-6(%%x) {variable_id = "v"}\n  %%y = Add-1(%%x, %%s)\n  %%r = Result-1(%%y)\n}\n' >read.inlay
$ inlay convert read.inlay read.onnx && inlay info read.onnx | grep -oE '^  (past|present)_.'
  past_v
  past_w
  present_v
  present_w

# Storage notes and order edges are metadata of nodes, and come back.
$ cat >rows.inlay <<'END'
> graph "g" {
>   %d = Parameter-1 {element_type = f32, shape = [8,4]}
>   %i = Const-1 {value = i64[1] [2]}
>   %u = Parameter-1 {element_type = f32, shape = [1,4]}
>   %z = Const-1 {value = i64[] 0}
>   %a = Abs-1(%d) : f32[8,4]
>   %s = ReLU-1(%u) : f32[1,4]
>   %y = ScatterUpdate-3(%a, %i, %s, %z) : f32[8,4]
>   %r = Result-1(%y)
> }
> END
$ inlay opt rows.inlay -o rows.onnx && inlay print rows.onnx | grep -E 'overwrites|order'
  %y = ScatterNDUpdate-15(%a, %y/Unsqueeze, %s) {reduction = none} : f32[8,4] as "y" overwrites %a
  order %a before %s

# Those of a file are claims: what is wrong is dropped with a warning, other metadata stays.
$ cat >claims.json <<'END'
> {"irVersion": "10", "opsetImport": [{"version": "17"}],
>  "graph": {"name": "g", "node": [
>   {"input": ["x"], "output": ["a"], "opType": "Abs", "metadataProps": [{"key": "inlay_storage", "value": "overwrites nothing"}]},
>   {"input": ["a"], "output": ["b"], "opType": "Neg", "metadataProps": [{"key": "inlay_storage", "value": "overwrites a\nO3 a\nwords"}]},
>   {"input": ["b"], "output": ["c"], "opType": "Relu", "metadataProps": [{"key": "inlay_storage", "value": "under b"}, {"key": "inlay_storage7", "value": "into b"}]},
>   {"input": ["c"], "output": ["y"], "opType": "Exp", "metadataProps": [{"key": "inlay_storage", "value": "overwrites c"}, {"key": "author", "value": "me"}]}],
>  "input": [{"name": "x", "type": {"tensorType": {"elemType": 1, "shape": {"dim": [{"dimValue": "3"}]}}}}],
>  "output": [{"name": "y", "type": {"tensorType": {"elemType": 1}}}]}}
> END
$ inlay print --full claims.json | grep -E 'overwrites|into|author'
claims.json:4: warning: node 1 "b" (Negative-1): "words" is nothing that a storage note relies on
claims.json:5: warning: node 2 "c" (ReLU-1): "under b" is no storage note, it is dropped
claims.json:3: warning: node 0 "a" (Abs-1): a storage note or an order edge is dropped: nothing here is called "nothing"
claims.json:4: warning: node 1 "b" (Negative-1): the storage note "b" overwrites "a" is dropped: it is not so that "a" (Abs-1) reads the old data before (O3 no-later-read)
  %y = Exp-1(%c) : f32[3] as "y" overwrites %c rt_info { attribute(name = "onnx", version = "0") { metadata(key = "author", value = "me") } }

# What cannot be written is said at once.
$ cat >no.inlay <<'END'
> graph "g" {
>   %x = Parameter-1() {element_type = f32, shape = [2,2]} : f32[2,2]
>   %a = ErfInv-17(%x) : f32[2,2]
>   %b = ErfInv-17(%a) : f32[2,2]
>   %c = Convert-1(%b) {destination_type = i32} : i32[2,2]
>   %d = BitwiseNot-13(%c) : i32[2,2]
>   %r = Result-1(%d)
> }
> END
$ inlay convert no.inlay no.onnx --opset 17
inlay: error: ONNX cannot say 3 nodes: ErfInv-17 "a": there is no operator for it; ErfInv-17 "b": there is no operator for it; BitwiseNot-13 "d": BitwiseNot needs operator set 18
[2]
$ inlay convert no.inlay no.onnx --opset 16
inlay: error: operator set 16 cannot be written, only 17 to 28
[2]
$ inlay convert no.inlay no.xml --opset 17
inlay convert: error: option --opset is for files that end in .onnx (see `inlay convert --help`)
[2]
$ ls no.onnx
ls: cannot access 'no.onnx': No such file or directory
[2]

# Readers of protobuf take messages that are nested 100 deep, which 31 bodies are.
$ cat >deep.awk <<'END'
> function choice(d) { print "%y = If-8(%c, %x)"; half("then", d); half("else", 0); }
> function half(role, d) { print role "_body \"b\" {\n%c = Parameter-1 {element_type = boolean, shape = []}\n%x = Parameter-1 {element_type = f32, shape = [2]}"
>   if (d > 1) choice(d - 1); else print "%y = Abs-1(%x)"
>   print "%r = Result-1(%y)\n}\nin 0 -> %c\nin 1 -> %x\nout %r -> 0" }
> BEGIN { print "graph \"g\" {\n%c = Parameter-1 {element_type = boolean, shape = []}\n%x = Parameter-1 {element_type = f32, shape = [2]}"
>   choice(n); print "%r = Result-1(%y)\n}" }
> END
$ awk -v n=32 -f deep.awk >deep.inlay && inlay convert deep.inlay deep.onnx
inlay: error: ONNX cannot say 1 node: If-8 "y": its body stands more than 31 deep, and readers go no further
[2]
$ awk -v n=31 -f deep.awk >deep.inlay && inlay convert deep.inlay deep.onnx && inlay info deep.onnx | head -1
deep.onnx: g

# As many parts as a node has outputs are read.
$ { printf 'graph "g" {\n%%x = Parameter-1 {element_type = f32, shape = [100]}\n%%a = Const-1 {value = i64[] 0}\n'
>   printf '%%p:100 = Split-1(%%x, %%a) {num_splits = 100}\n%%r = Result-1(%%p:99)\n}\n'; } >parts.inlay
$ inlay convert parts.inlay parts.onnx && inlay print parts.onnx | grep -c 'Split-1(.*num_splits = 100'
1

# The sizes of a tensor that no machine holds are not multiplied beyond what 64 bits hold.

$ cat >huge.inlay <<'END'
> graph "huge" {
>   %d = Parameter-1 {element_type = f32, shape = [4294967296,4294967296]}
>   %u = Parameter-1 {element_type = f32, shape = [1,4294967296]}
>   %i = Const-1 {value = i64[1] [3]}
>   %a = Const-1 {value = i64[] 0}
>   %r = ScatterUpdate-3(%d, %i, %u, %a)
>   %o = Result-1(%r)
> }
> END
$ inlay convert huge.inlay huge.onnx && inlay print huge.onnx | grep -c ScatterND
1

# Recurrent layers are written with Transposes that undo those of the reader, a list's length by one operator, and bodies
# may carry lists: what is read and written again is the same file.
$ cat >lists.onnxtxt <<'END'
> <ir_version: 8, opset_import: ["" : 17]>
> g (int64 n, float[2] x, float[3,1,2] s, float[1,9,2] w, float[1,9,3] r) => (float[k,2] z, int64 len, float[3,1,1,3] y) {
>   s0 = SequenceEmpty ()
>   t = Loop (n, , s0) <body = b (int64 i, bool c, seq(float) u) => (bool d, seq(float) v) {
>     d = Identity (c)
>     v = SequenceInsert (u, x)
>   }>
>   z = ConcatFromSequence <axis = 0, new_axis = 1> (t)
>   len = SequenceLength (t)
>   y = GRU <hidden_size = 3> (s, w, r)
> }
> END
$ inlay convert lists.onnxtxt m.onnx && inlay convert m.onnx n.onnx && cmp m.onnx n.onnx
$ inlay verify --trials 8 lists.onnxtxt n.onnx | grep -o '^same'
same

# A loop over the items of lists is a SequenceMap; one that does more with an item is refused.
$ cat >map.onnxtxt <<'END'
> <ir_version: 8, opset_import: ["" : 17]>
> g (seq(float) s, float[2] x) => (seq(float) t, seq(int64) u, seq(float) v) {
>   t, u, v = SequenceMap (s, x) <body = b (float i, float j) => (float k, int64 l, float m) {
>     k = Add (i, j)
>     l = Shape (i)
>     m = Identity (i)
>   }>
> }
> END
$ inlay convert map.onnxtxt m.onnx && inlay convert m.onnx n.onnx && cmp m.onnx n.onnx
$ inlay verify --trials 8 map.onnxtxt n.onnx | grep -o '^same'
same
$ cat >other.inlay <<'END'
> graph "g" {
>   %s = Parameter {element_type = item, shape = [?], item_type = f32}
>   %t = TensorIterator(%s)
>     body "b" {
>       %p = Parameter {element_type = item, shape = [1], item_type = f32}
>       %z = Const {value = i64[] 0}
>       %e = SequenceAt(%p, %z) {element_type = f32}
>       %o = Optional(%e) {element_type = f32}
>       %c = Const {value = i64[1] [0]}
>       %u = Unsqueeze(%o, %c)
>       %r = Result(%u)
>     }
>     in 0 -> %p axis 0 start 0 end -1 stride 1 part_size 1
>     out %r -> 0 axis 0 start 0 end -1 stride 1 part_size 1
>   %y = Result(%t)
> }
> END
$ inlay convert other.inlay o.onnx
inlay: error: ONNX cannot say 1 node: TensorIterator-1 "t": an item is not only taken out
[2]

# Text of ONNX is UTF-8, which names need not be.
$ printf 'graph "caf\351" {\n  %%x = Parameter {element_type = f32, shape = [1]}\n  %%r = Result(%%x)\n}\n' >latin.inlay

$ inlay convert latin.inlay latin.onnx
inlay: error: "caf\xe9" is not UTF-8, which ONNX needs
[2]

$ ls latin.onnx
ls: cannot access 'latin.onnx': No such file or directory
[2]

# One element goes everywhere, whichever axes an explicit Broadcast names.
$ cat >one.inlay <<'END'
> graph "one" {
>   %u = Parameter {element_type = f32, shape = [2,3]}
>   %c = Const {value = f32[] 7}
>   %shape = Const {value = i64[2] [6, 3]}
>   %axes = Const {value = i64[0] []}
>   %y = Broadcast(%c, %shape, %axes) {mode = explicit}
>   %start = Const {value = i64[1] [1]}
>   %stop = Const {value = i64[1] [3]}
>   %x = SliceScatter(%y, %u, %start, %stop, %start)
>   %r = Result(%x)
> }
> END
$ inlay convert one.inlay one.onnx && inlay verify one.inlay one.onnx --trials 8
same: 8 of 8 trials counted

# What is assigned is given on, too.
$ cat >assign.inlay <<'END'
> graph "assign" {
>   variable "v" : f16[2]
>   %start = Const {value = f16[2] [0.5, 4]}
>   %x = Parameter {element_type = f16, shape = [2]}
>   %before = ReadValue-3(%start) {variable_id = "v"}
>   %y = Assign-3(%x) {variable_id = "v"}
>   %old = Result(%before)
>   %out = Result(%y)
> }
> END
$ inlay convert assign.inlay assign.onnx && inlay print assign.onnx | grep -c Result
3

# A transposed convolution that is told to be the same takes nothing away, which ONNX's would; Cast has attributes for
# types of 8 bits alone.
$ cat >back.inlay <<'END'
> graph "back" {
>   %x = Parameter {element_type = f32, shape = [1,1,2,2]}
>   %w = Const {value = f32[1,1,3,3] [1, 2, 3, 4, 5, 6, 7, 8, 9]}
>   %y = ConvolutionBackpropData-1(%x, %w) {strides = [1, 2], pads_begin = [0, 0], pads_end = [0, 0], dilations = [1, 1], auto_pad = same_lower}
>   %r = Result(%y)
>   %i = Parameter {element_type = f32, shape = [3]}
>   %c = Cast-25@onnx25(%i) {to = i32, saturate = false}
>   %s = Result(%c)
> }
> END
$ inlay convert back.inlay back.onnx
$ inlay verify back.inlay back.onnx --trials 8
same: 8 of 8 trials counted

# What a float of 8 bits has no number for becomes NaN or an infinity, as in OpenVINO's conversions; a Cast that does not
# say so makes the greatest number of it. None rounds to the even power of two.
$ cat >eight.inlay <<'END'
> graph "eight" {
>   %x = Parameter {element_type = f32, shape = [4]}
>   %a = Convert-1(%x) {destination_type = f8e4m3}
>   %b = Convert-1(%x) {destination_type = f8e5m2}
>   %c = Convert-1(%a) {destination_type = f32}
>   %d = Convert-1(%b) {destination_type = f32}
>   %r = Result(%c)
>   %s = Result(%d)
> }
> END
$ inlay convert eight.inlay eight.onnx && inlay print eight.onnx | grep -o 'to = f8.*saturate = false'
to = f8e4m3, saturate = false
to = f8e5m2, saturate = false
$ inlay verify eight.inlay eight.onnx --trials 8
same: 8 of 8 trials counted
$ sed 's/f8e4m3/f8e8m0/' eight.inlay >power.inlay; inlay convert power.inlay power.onnx
inlay: error: ONNX cannot say 1 node: Convert-1 "a": a conversion to f8e8m0 that rounds to even
[2]

# Parts of a TensorIterator need not be all of an axis, nor have one element: forward in steps along an open axis, and
# backward.
$ cat >parts.inlay <<'END'
> graph "parts" {
>   %x = Parameter {element_type = f32, shape = [3..9,2]}
>   %z = Parameter {element_type = f32, shape = [7,2]}
>   %t = TensorIterator(%x)
>     body "b" {
>       %p = Parameter {element_type = f32, shape = [2,2]}
>       %q = Tanh(%p)
>       %s = Result(%q)
>     }
>     in 0 -> %p axis 0 start 1 end -1 stride 3 part_size 2
>     out %s -> 0 axis 0 start 0 end -1 stride 2 part_size 2
>   %u = TensorIterator(%z)
>     body "b" {
>       %p = Parameter {element_type = f32, shape = [1,2]}
>       %q = Exp(%p)
>       %s = Result(%q)
>     }
>     in 0 -> %p axis 0 start -2 end 1 stride -2 part_size 1
>     out %s -> 0 axis 0 start 0 end -1 stride 1 part_size 1
>   %r = Result(%t)
>   %v = Result(%u)
> }
> END
$ inlay convert parts.inlay parts.onnx
$ inlay verify parts.inlay parts.onnx --trials 16 | head -1
same: 16 of 16 trials counted

# The function that a node was written in, and the shapes that items are declared with, come back.
$ cat >kept.onnxtxt <<'END'
> <ir_version: 8, opset_import: ["" : 17, "l" : 1]>
> g (float[n] x, seq(float[a,2]) s) => (float[n] y, seq(float[3,?]) t) { y = l.f <by = 2.0> (x) t = SequenceInsert (s, x) }
> <domain: "l", opset_import: ["" : 17]> f <by> (a) => (b) { c = Constant <value_float: float = @by> () b = Mul (a, c) }
> END
$ inlay convert kept.onnxtxt kept.onnx && inlay print --full kept.onnx | grep -oE '(function|item_shape) = "[^"]*"'
item_shape = "[a,2]"
function = "l.f"
item_shape = "[3,?]"
$ inlay convert kept.onnx again.onnx && cmp kept.onnx again.onnx && echo the same
the same

# The largest of the updates is of operator set 18, their sum of any.
$ for r in sum max; do
>     printf 'graph "g" {\n  %%x = Parameter-1 {element_type = f32, shape = [4]}\n  %%i = Const-1 {value = i64[2] [1, 2]}\n' >s.inlay
>     printf '  %%u = Parameter-1 {element_type = f32, shape = [2]}\n  %%a = Const-1 {value = i64[] [0]}\n' >>s.inlay
>     printf '  %%y = ScatterElementsUpdate-12(%%x, %%i, %%u, %%a) {reduction = %s}\n  %%r = Result-1(%%y)\n}\n' $r >>s.inlay
>     if inlay convert s.inlay s.onnx --opset 17 2>&1; then echo written; fi
> done
written
inlay: error: ONNX cannot say 1 node: ScatterElementsUpdate-12 "y": max needs operator set 18
