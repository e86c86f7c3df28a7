# Squeeze leaves an axis that has another size than 1. Where that is found out only when the graph runs, its users were promised that
# the axis goes: what they made of it would be wrong.

$ cat >graph.inlay <<'.'
> graph "squeeze" {
>   %d = Parameter-1 {element_type = f32, shape = [2,?]}
>   %a = Const-1 {value = i64[1] [1]}
>   %y = Squeeze-15(%d, %a)
>   %n = Negative-1(%y)
>   %r = Result-1(%n)
> }
> .

$ inlay run graph.inlay --random --shape d=2,1 | head -1
n: f32[2]

$ inlay run graph.inlay --random --shape d=2,3
graph.inlay:4: error: node "y" (Squeeze-15): output 0 came out with shape [2,3], [2] is wanted by what was known of its operands
[2]
