# --carry: what a run gives, and the next one takes, is a state of the session.
$ cat >cache.inlay <<'END'
> graph "cache" {
>   %past = Parameter {element_type = f32, shape = [?,2]}
>   %token = Parameter {element_type = f32, shape = [1,2]}
>   %new = Concat(%past, %token) {axis = 0}
>   %total = Const {value = i64[1] [0]}
>   %size = Abs(%new)
>   %sum = ReduceSum(%size, %total)
>   %present = Result(%new)
>   %scores = Result(%sum)
> }
> END

# From run to run it grows in its buffer: 8 bytes are copied. It is no output any more.
$ inlay run cache.inlay --carry new=past --shape past=3,2 -i past=ones -i token=ones --repeat 3 --stats stats.json
sum: f32[2]
  [6, 6]

$ tr ',' '\n' <stats.json | grep copied
 "copied_bytes": 8

$ inlay run cache.inlay --carry new=past --shape past=3,2 -i past=ones -i token=ones --repeat 3 --exec reference
sum: f32[2]
  [6, 6]

# The graph that it makes has a variable of the input's name.
$ inlay opt cache.inlay --carry new=past --passes none -o -
graph "cache" {
  variable "past" : f32[?,2]
  %past = Parameter-1 {element_type = f32, shape = [?,2]} : f32[?#1,2]
  %token = Parameter-1 {element_type = f32, shape = [1,2]} : f32[1,2]
  %ReadValue = ReadValue-6(%past) {variable_id = "past", variable_type = f32, variable_shape = [?#1,2]} : f32[?,2]
  %new = Concat-1(%ReadValue, %token) {axis = 0} : f32[1..#2,2]
  %size = Abs-1(%new) : f32[1..#2,2]
  %total = Const-1 {value = i64[1] [0]}
  %sum = ReduceSum-1(%size, %total) : f32[2]
  %scores = Result-1(%sum)
  %Assign = Assign-6(%new) {variable_id = "past"} : f32[1..#2,2]
}

$ inlay plan cache.inlay --carry new=past --shape past=3,2 | tail -4
arena: 64 bytes; no plan takes less than 64
           0         32 bytes, steps 2 to 3: "size"
copied: 32 bytes a run
peak: 104 bytes, about

# Beams: whether the rows that are picked are all of the state in order, only the run knows.
$ inlay opt "$ROOT/tests/in_place/kv_openvino.inlay" --explain | sed -n '/past.*Gather/{n;p;q;}'
  view: no (N2 checks-first): "beam" (Parameter-1) says where the window is only when it runs; the state itself if the indices are in order

$ inlay plan "$ROOT/tests/in_place/kv_openvino.inlay" | grep past
     1 kernel     "past" (Gather-8), the state itself if the indices are in order

$ inlay plan cache.inlay --carry new=token
cache.inlay: passes default
steps:
     0 nothing    "ReadValue" (ReadValue-6)
                -> input 1 +0, 8 bytes
     1 in the run "new" (Concat-1)
                -> in the run, 0 bytes
     2 in the run "size" (Abs-1)
                -> in the run, 0 bytes
     3 in the run "sum" (ReduceSum-1)
                -> in the run, 8 bytes
     4 in the run "Assign" (Assign-6)
                -> in the run, 0 bytes
arena: 0 bytes; no plan takes less than 0
copied: 0 bytes a run, and what steps copy that only a run can plan
peak: 0 bytes, about

$ inlay run cache.inlay --carry old=past --random
inlay: error: --carry old=past: OUTPUT=INPUT is expected, the name of an output of the model and that of an input
[2]
