# The carried value begins with the size of what does not vary, and loses an element each time: a Broadcast of it
# to that size does something from the second iteration on. [1, 2] goes in; [1, 2] and [2] are made [1, 2] and [2, 2].

$ cat >shrinks.inlay <<'END'
> graph "ids" {
>   %x = Parameter-1 {element_type = f32, shape = [?]}
>   %n = Const-1 {value = i64[] 2}
>   %go = Const-1 {value = boolean[] true}
>   %l:1 = Loop-5(%n, %go, %x, %x)
>   body "b" {
>   %y = Parameter-1 {element_type = f32, shape = [?]}
>   %i = Parameter-1 {element_type = f32, shape = [?]}
>   %yes = Const-1 {value = boolean[] true}
>   %one = Const-1 {value = i64[1] [1]}
>   %end = Const-1 {value = i64[1] [100000]}
>   %ya = Abs-1(%y)
>   %ia = Abs-1(%i)
>   %size = ShapeOf-3(%ia) {output_type = i64}
>   %b = Broadcast-3(%ya, %size) {mode = numpy}
>   %next = Slice-8(%ya, %one, %end, %one)
>   %o = Result-1(%next)
>   %c = Result-1(%yes)
>   %all = Result-1(%b)
>   }
>   in 2 -> %y
>   in 3 -> %i
>   out %c -> none condition
>   out %all -> 0 axis 0 start 0 end -1 stride 1 part_size 1
>   back %o -> %y
>   %result_r = Result-1(%l)
> }
> END
$ inlay run shrinks.inlay -i x=iota --shape x=2 --passes none
l: f32[4]
  [0, 1, 1, 1]
$ inlay run shrinks.inlay -i x=iota --shape x=2
l: f32[4]
  [0, 1, 1, 1]

# No part fits, so there is no iteration. Elements of p are not looked at before the run, when there are none.
$ cat >no_part.inlay <<'EOF'
> graph "no_part" {
>   %p = Parameter {element_type = i8, shape = [?,?]}
>   %t = TensorIterator(%p)
>     body "body" {
>       %q = Parameter {element_type = i8, shape = [2,16]}
>       %r = Result(%q)
>     }
>     in 0 -> %q axis 1 start 0 end -1 stride 16 part_size 16
>     out %r -> 0 axis 1 start 0 end -1 stride 16 part_size 16
>   %out = Result(%t)
> }
> EOF
$ inlay run no_part.inlay --random --shape p=1,3
t: i8[1,0]
  []
