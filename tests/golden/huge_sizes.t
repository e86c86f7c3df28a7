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

