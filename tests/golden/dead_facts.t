# The places of what is not zero are 3, which the shape rule does not know. Nothing reaches %dead, which is asked
# whether it takes that all the same, because it would be written, too.

$ cat >dead.inlay <<'END'
> graph "dead" {
>   %c = Const-1 {value = i32[4] [7, 0, 8, 9]}
>   %places = NonZero-3(%c)
>   %shape = ShapeOf-3(%places)
>   %one = Const-1 {value = i64[1] [1]}
>   %zero = Const-1 {value = i64[] 0}
>   %count = Gather-8(%shape, %one, %zero)
>   %rest = Const-1 {value = i64[1] [-1]}
>   %sizes = Concat-1(%count, %rest) {axis = 0}
>   %dead = Reshape-1(%places, %sizes) {special_zero = false}
>   %r = Result-1(%count)
> }
> END
> inlay opt dead.inlay --passes fold-constants --verify -o out.inlay && grep 'dead =\|count =' out.inlay
fold-constants           same: 64 of 64 trials counted
verified: 1 of 1 pass changed the graph, 0 rules were applied; each step is the same function in all of 64 trials that counted
  %count = Const-1 {value = i64[1] [3]}
  %dead = Reshape-1(%places, %sizes) {special_zero = false} : i64[3,1]
