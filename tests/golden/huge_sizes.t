# Sizes whose product leaves 64 bits: no pass counts with it, so that nothing is taken for a view or a part.

$ cat >reshaped.inlay <<'END'
> graph "reshaped" {
>   %x = Parameter-1 {element_type = u8, shape = [2097152,2097152,2097152]}
>   %y = ReLU-1(%x)
>   %s = Const-1 {value = i64[3] [1, 8796093022208, 1048576]}
>   %u = Reshape-1(%y, %s) {special_zero = false}
>   %z = Negative-1(%y)
>   %v = Reshape-1(%z, %s) {special_zero = false}
>   %r = Concat-1(%u, %v) {axis = 0}
>   %o = Result-1(%r)
> }
> END

$ inlay opt reshaped.inlay --explain
reshaped.inlay:5: "u" (Reshape-1):
  view: yes
reshaped.inlay:7: "v" (Reshape-1):
  view: yes
reshaped.inlay:8: "r" (Concat-1), its part "u" (Reshape-1):
  into: yes
reshaped.inlay:8: "r" (Concat-1), its part "v" (Reshape-1):
  into: yes


# The greatest sizes are read again from whatever they are written to; 2^63 - 1 is none.
$ model() { printf '%s\n' '<ir_version: 10, opset_import: ["" : 20]>' "$1"; }
> for n in 9007199254740991 9007199254740992 4611686018427387905 9223372036854775806 9223372036854775807; do
>     model "g (float[0, $n] x) => (float y) { y = Abs(x) }" >input.onnxtxt
>     model "g () => (float y) <float[0, $n] k = {}> { y = Abs(k) }" >constant.onnxtxt
>     model "g (float[0, 1] x) => (float y) <int64[2] s = {0, $n}> { y = Expand(x, s) }" >computed.onnxtxt
>     for m in input constant computed; do
>         for f in xml json inlay; do
>             inlay convert $m.onnxtxt $m.$f 2>said || { [ $f = xml ] && cat said; continue; }
>             inlay info $m.$f | grep -q "y  *f32\[0,$n\]" || echo $m $f $n
>         done
>     done
> done
input.onnxtxt:2: error: graph.input[0] "x": shape.dim[1] is 9223372036854775807, it must be smaller
constant.onnxtxt:2: error: graph.initializer[0] "k": dims[1] is 9223372036854775807, it must be smaller
computed.onnxtxt:2: error: graph.node[0] (Expand-20): node "y" (Broadcast-3): axis 1 of output 0 is 9223372036854775807 elements long, which is more than can be counted
