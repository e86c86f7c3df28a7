# How verify pairs inputs and outputs: by name where every one has its like, else by position.

$ cat >a.inlay <<'END'
> graph "a" {
>   %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2] as "first" "left"
>   %y = Parameter-1 {element_type = f32, shape = [2]} : f32[2] as "second"
>   %n = Negative-1(%x)
>   %e = Abs-1(%y)
>   %r = Result-1(%n)
>   %s = Result-1(%e)
>   %t = Result-1(%e)
> }
> END

# The same in another order: x by its second tensor name, y by its own; the outputs e and e_2 are one value.
$ cat >b.inlay <<'END'
> graph "b" {
>   %y = Parameter-1 {element_type = f32, shape = [2]}
>   %z = Parameter-1 {element_type = f32, shape = [2]} : f32[2] as "left"
>   %e = Abs-1(%y)
>   %n = Negative-1(%z)
>   %s = Result-1(%e)
>   %t = Result-1(%e)
>   %r = Result-1(%n)
> }
> END
$ inlay verify a.inlay b.inlay
same: 64 of 64 trials counted

# An output of another name: then all go by position, and the first ones differ.
$ sed 's/%n\>/%m/g' b.inlay >c.inlay
$ inlay verify a.inlay c.inlay
different* (glob)
  output "n" of the second graph: element * (glob)
  input "x": f32[2]
    [3, -4]
  input "y": f32[2]
    [1, 3]
  the first gives "n": f32[2]
    [-3, 4]
  the first gives "e": f32[2]
    [1, 3]
  the first gives "e_2": f32[2]
    [1, 3]
  the second gives "e": f32[2]
    [1, 3]
  the second gives "e_2": f32[2]
    [1, 3]
  the second gives "m": f32[2]
    [-3, 4]
[1]

# What a pass did, and how many steps it took.
$ inlay opt a.inlay --passes eliminate-dead --stats 2>&1 >/dev/null
eliminate-dead * 0 changes * steps * ms (glob)
