# Where nodes come from, in the file and by what passes did.

$ cat >m.inlay <<'END'
> graph "g" {
>   %x = Parameter {element_type = f32, shape = [2]}
>   %one = Const {value = i64[1] [0]}
>   %a = Unsqueeze(%x, %one)
>   %b = Squeeze(%a, %one)
>   %c = ReLU(%b)
>   %k = Const {value = f32[2] [1, 2]}
>   %m = Negative(%k)
>   %y = Add(%c, %m)
>   %r = Result(%y)
> }
> END

$ inlay print m.inlay --provenance
graph "g" {
  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2] // from "x" line 2
  %one = Const-1 {value = i64[1] [0]} // from "one" line 3
  %a = Unsqueeze-1(%x, %one) : f32[1,2] // from "a" line 4
  %b = Squeeze-15(%a, %one) : f32[2] // from "b" line 5
  %c = ReLU-1(%b) : f32[2] // from "c" line 6
  %k = Const-1 {value = f32[2] [1, 2]} // from "k" line 7
  %m = Negative-1(%k) : f32[2] // from "m" line 8
  %y = Add-1(%c, %m) : f32[2] // from "y" line 9
  %r = Result-1(%y) // from "r" line 10
}

$ inlay opt m.inlay --provenance --passes fold-constants,simplify,eliminate-dead
graph "g" {
  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2] // from "x" line 2
  %c = ReLU-1(%x) : f32[2] // from "c" line 6
  %m = Const-1 {value = f32[2] [-1, -2]} // from "m" line 8, by 1 fold-constants
  %y = Add-1(%c, %m) : f32[2] // from "y" line 9
  %r = Result-1(%y) // from "r" line 10
}

# Comments are no part of the graph.

$ inlay opt m.inlay --provenance >with.inlay && inlay opt m.inlay >without.inlay && inlay print with.inlay | diff - without.inlay
