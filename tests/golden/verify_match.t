# Graphs without names in common: a fused one, a wrong one, one of other outputs, inputs that no draw suits.
$ cat >a.inlay <<'END'
> graph "a" {
>   %x = Parameter {element_type = f32, shape = [2, 4]}
>   %w = Const {value = f32[4, 4] [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7]}
>   %m = MatMul(%x, %w)
>   %s = Sigmoid(%m)
>   %p = Multiply(%m, %s)
>   %t = Tanh(%p)
>   %out = Result(%t)
> }
> END

$ cat >b.inlay <<'END'
> graph "b" {
>   %in = Parameter {element_type = f32, shape = [2, 4]}
>   %c = Const {value = f32[4, 4] [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7]}
>   %n1 = MatMul(%in, %c)
>   %n2 = Swish(%n1)
>   %n3 = Tanh(%n2)
>   %out = Result(%n3)
> }
> END

$ inlay verify a.inlay b.inlay --match
same: 1 output agrees on 3 draws of inputs
  values with a counterpart: 4 of 5 in A, 4 of 4 in B

$ sed 's/Swish(%n1)/Gelu(%n1)/' b.inlay >c.inlay; inlay verify a.inlay c.inlay --match --seed 1
different: 1 of 1 output differs, by 0.169 of what is usual; --errors lists where that comes from
  values with a counterpart: 2 of 5 in A, 2 of 4 in B
  the first piece that differs:
    A: "s" (Sigmoid-1), "p" (Multiply-1)
    B: "n2" (Gelu-7)
    both begin with "n1" = "m"
    A gives "p", B "n2": the error is 0.21 of what is usual
[1]

$ inlay verify a.inlay c.inlay --match --json
{"result": "different", "draws": 3, "outputs": 1, "different": 1, "values": {"a": 5, "a_paired": 2, "b": 4, "b_paired": 2}, "error": 0.138571, "piece": {"a": ["s", "p"], "b": ["n2"], "inputs": [{"b": "n1", "a": "m"}], "why": "the error is 0.0291 of what is usual"}}
[1]

$ inlay verify a.inlay c.inlay --errors --rtol 1; inlay verify a.inlay c.inlay --errors --json --trials 1
same: 1 output agrees on 3 draws of inputs
  values with a counterpart: 4 of 5 in A, 4 of 4 in B
       error  value of A, and of B
       0.139  "t" (Tanh-1), "n3" (Tanh-1)
      0.0869  "p" (Multiply-1), "n2" (Gelu-7)
           0  "m" (MatMul-1), "n1" (MatMul-1)
{"result": "different", "draws": 1, "outputs": 1, "different": 1, "values": {"a": 5, "a_paired": 2, "b": 4, "b_paired": 4}, "error": 0.138485, "errors": [
  {"a": "t", "b": "n3", "error": 0.138485},
  {"a": "p", "b": "n2", "error": 0.0290866},
  {"a": "m", "b": "n1", "error": 0}]}
[1]

# Other inputs, other outputs, inputs that the graph refuses.
$ sed 's/%out = Result(%n3)/%other = Result(%n3)\n  %out = Result(%n2)/' b.inlay >d.inlay; inlay verify a.inlay d.inlay --match
inlay: error: the first graph has 1 output, the second 2
[2]

$ cat >e.inlay <<'END'
> graph "e" {
>   %x = Parameter {element_type = i64, shape = [1]}
>   %y = Parameter {element_type = i64, shape = [1]}
>   %d = Divide(%x, %y)
>   %out = Result(%d)
> }
> END

$ inlay verify a.inlay e.inlay --match
e.inlay:3: error: node "y" (Parameter-1): the first graph has no such input
[2]

$ inlay verify e.inlay e.inlay --match -i y=[0]
inlay: error: the first graph cannot be computed on the inputs, and -i gives others: node "d" (Divide-1): b[0] is 0: integers cannot be divided by zero
[2]
