# `inlay verify`: all points of small index spaces, the first value that differs, what was not covered.

$ cat >gather.inlay <<'END'
> graph "g" {
>   %t = Parameter {element_type = f32, shape = [3,2]}
>   %i = Parameter {element_type = i64, shape = [2]}
>   %axis = Const {value = i64[] 0}
>   %p = Gather(%t, %i, %axis)
>   %q = Abs(%p)
>   %r = Add(%q, %q)
>   %out = Result(%r)
> }
> END
$ sed 's/%q = Abs(%p)/%q = ReLU(%p)/' gather.inlay >relu.inlay
$ inlay verify gather.inlay relu.inlay --values
different: 1 of 64 trials counted, seed 0
  output "r" of the second graph: element [0,1] is 0, it must be 2; 2 of 4 elements differ, the worst error is 6
  input "t": f32[3,2]
    [[3, -4],
     [-3, 3],
     [0, -1]]
  input "i": i64[2]
    [2, 1]
  the first gives "r": f32[2,2]
    [[0, 2],
     [6, 6]]
  the second gives "r": f32[2,2]
    [[0, 0],
     [0, 6]]
  values: the first that differs is "q" (ReLU-1) of the second graph, "q" of the first: element [0,1] is 0, it must be 1; 2 of 4 elements differ, the worst error is 3
[1]

# Graphs without inputs have values, too, and those with a state may part in a later step.
$ cat >numbers.inlay <<'END'
> graph "g" {
>   %a = Const {value = f32[2] [1, 2]}
>   %b = Const {value = f32[2] [3, 4]}
>   %s = Add(%a, %b)
>   %n = Negative(%s)
>   %out = Result(%n)
> }
> END
$ sed 's/Add/Subtract/' numbers.inlay >others.inlay
$ inlay verify numbers.inlay others.inlay --values | tail -1
  values: the first that differs is "s" (Subtract-1) of the second graph, "s" of the first: element [0] is -2, it must be 4; 2 of 2 elements differ, the worst error is 8
# For programs: the same fields as of `inlay bisect`, and those of --prove and --values.
$ inlay verify numbers.inlay others.inlay --values --prove --json
{"proven": false, "all_sizes": false, "sizes": 1, "elements": 0, "terms": 4, "not_proven_because": "element 0 of output \"n\" is -4 in the first graph, 2 in the second", "pieces": 0, "pieces_not_proven": 3, "piece_not_proven": "the first piece that is not proven ends with \"s\" (Add-1) in the first graph, \"s\" (Subtract-1) in the second", "result": "different", "trials": 64, "counted": 1, "seed": 0, "why": "output \"n\" of the second graph: element [0] is 2, it must be -4; 2 of 2 elements differ, the worst error is 8", "not_covered": [], "inputs": [], "first": [{"name": "n", "type": "f32", "shape": [2], "data": [-4, -6]}], "second": [{"name": "n", "type": "f32", "shape": [2], "data": [2, 2]}], "value": "s"}
[1]
# What JSON has no number for is a string, as in a graph in JSON.
$ cat >types.inlay <<'END'
> graph "g" {
>   %x = Parameter {element_type = f32, shape = []}
>   %zero = Const {value = f32[1] [0]}
>   %big = Const {value = u64[2] [18446744073709551615, 9007199254740991]}
>   %low = Const {value = i64[3] [-9223372036854775808, 9223372036854775807, -7]}
>   %true = Const {value = boolean[2] [true, false]}
>   %half = Const {value = f16[2] [0.5, inf]}
>   %y = Divide(%x, %zero)
>   %r = Result(%y)
>   %a = Result(%big)
>   %b = Result(%low)
>   %c = Result(%true)
>   %e = Result(%half)
> }
> END
$ sed 's/Divide/Multiply/' types.inlay >other_types.inlay
$ inlay verify types.inlay other_types.inlay -i x=-3 --json | tr '{' '\n' | sed 's/.*"why.*/.../; s/, *$//'
\
...
"name": "x", "type": "f32", "shape": [], "data": [-3]}], "first": [
"name": "y", "type": "f32", "shape": [1], "data": ["-inf"]}
"name": "big", "type": "u64", "shape": [2], "data": ["18446744073709551615", 9007199254740991]}
"name": "low", "type": "i64", "shape": [3], "data": ["-9223372036854775808", "9223372036854775807", -7]}
"name": "true", "type": "boolean", "shape": [2], "data": [true, false]}
"name": "half", "type": "f16", "shape": [2], "data": [0.5, "inf"]}], "second": [
"name": "y", "type": "f32", "shape": [1], "data": [-0]}
"name": "big", "type": "u64", "shape": [2], "data": ["18446744073709551615", 9007199254740991]}
"name": "low", "type": "i64", "shape": [3], "data": ["-9223372036854775808", "9223372036854775807", -7]}
"name": "true", "type": "boolean", "shape": [2], "data": [true, false]}
"name": "half", "type": "f16", "shape": [2], "data": [0.5, "inf"]}]}

$ cat >sum.inlay <<'END'
> graph "sum" {
>   variable "v" : i32[2]
>   %x = Parameter {element_type = i32, shape = [2]}
>   %zero = Const {value = i32[2] [0, 0]}
>   %before = ReadValue@opset6(%zero) {variable_id = "v"}
>   %sum = Add(%before, %x)
>   %set = Assign@opset6(%sum) {variable_id = "v"}
>   %out = Result(%sum)
> }
> END
$ sed 's/Assign@opset6(%sum)/Assign@opset6(%x)/' sum.inlay >last.inlay
$ inlay verify sum.inlay last.inlay --values | sed 's/element.*//'
different: 1 of 64 trials counted, seed 0
  variable "v" of the second graph after step 2: 
  input "x": i32[2]
    [-6, -6]
  the first gives "sum": i32[2]
    [1, -10]
  the first gives "v": i32[2]
    [1, -10]
  the second gives "sum": i32[2]
    [1, -10]
  the second gives "v": i32[2]
    [-6, -6]
  values: the first that differs is "set" (Assign-6) of the second graph, "set" of the first: in step 2: 

# De Morgan: two booleans of two elements have 16 points.
$ cat >and.inlay <<'END'
> graph "g" {
>   %a = Parameter {element_type = boolean, shape = [2]}
>   %b = Parameter {element_type = boolean, shape = [2]}
>   %c = LogicalAnd(%a, %b)
>   %out = Result(%c)
> }
> END
$ cat >or.inlay <<'END'
> graph "g" {
>   %a = Parameter {element_type = boolean, shape = [2]}
>   %b = Parameter {element_type = boolean, shape = [2]}
>   %not_a = LogicalNot(%a)
>   %not_b = LogicalNot(%b)
>   %either = LogicalOr(%not_a, %not_b)
>   %c = LogicalNot(%either)
>   %out = Result(%c)
> }
> END
$ inlay verify and.inlay or.inlay --exhaustive
same: 16 of 16 trials counted

# Indices of an axis of 3, from -4 to 3: one that is counted from the end twice is in one graph alone.
$ sed 's/shape = .2.}/shape = [1]}/' gather.inlay >one.inlay
$ cat >twice.sed <<'END'
> s/%i, %axis)/%j, %axis)/
> s/  %p = /  %three = Const {value = i64[] 3}\n  %zero = Const {value = i64[] 0}\n  %more = Add(%i, %three)\n  %below = Less(%i, %zero)\n  %j = Select(%below, %more, %i)\n  %p = /
> END
$ sed -f twice.sed one.inlay >twice.inlay
$ inlay verify one.inlay twice.inlay --exhaustive
different: 1 of 1 trial counted, seed 0
  output "r" of the second graph: element [0,1] is 2, it must be 0; 1 of 2 elements differ, the worst error is 2
  input "t": f32[3,2]
    [[3, -4],
     [-3, 3],
     [0, -1]]
  input "i": i64[1]
    [-4]
  the first gives "r": f32[1,2]
    [[0, 0]]
  the second gives "r": f32[1,2]
    [[0, 2]]
[1]
$ inlay verify one.inlay one.inlay --exhaustive
inconclusive: 8 of 8 trials counted
  no difference in this part of the space
  not covered by a trial that counted: elements of "i" but those from -4 to 3, elements of floats but those made up
[4]

# Indices of an axis of open size go to the ends of each size that is tried: 2 is within 3.
$ sed 's/shape = .3,2./shape = [?,2]/' one.inlay >open.inlay
$ cat >two.sed <<'END'
> s/%i, %axis)/%j, %axis)/
> s/  %p = /  %two = Const {value = i64[] 2}\n  %one = Const {value = i64[] 1}\n  %is = Equal(%i, %two)\n  %j = Select(%is, %one, %i)\n  %p = /
> END
$ sed -f two.sed open.inlay >two.inlay
$ inlay verify open.inlay two.inlay --exhaustive -i t=iota --shape t=3,2
different: 7 of 7 trials counted, seed 0
  output "r" of the second graph: element [0,0] is 4, it must be 8; 2 of 2 elements differ, the worst error is 4
  input "t": f32[3,2]
    [[0, 1],
     [2, 3],
     [4, 5]]
  input "i": i64[1]
    [2]
  the first gives "r": f32[1,2]
    [[8, 10]]
  the second gives "r": f32[1,2]
    [[4, 6]]
[1]
$ inlay verify open.inlay two.inlay --exhaustive | head -1
different: * of * trials counted, seed 0 (glob)
$ inlay verify open.inlay open.inlay --exhaustive
inconclusive: 26 of 26 trials counted
  no difference in this part of the space
  not covered by a trial that counted: elements of "i" but those from -4 to 3, elements of floats but those made up, open sizes above 3
[4]

$ sed 's/shape = .2.}/shape = [9]}/' gather.inlay >many.inlay
$ inlay verify many.inlay many.inlay --exhaustive
inlay: error: the integer inputs have more than 1000000 points: give some of them, or smaller shapes
[2]

# A size that both graphs refuse was not covered.
$ cat >five.inlay <<'END'
> graph "g" {
>   %x = Parameter {element_type = f32, shape = [?]}
>   %five = Const {value = f32[5] [1, 2, 3, 4, 5]}
>   %y = Add(%x, %five) {auto_broadcast = none}
>   %out = Result(%y)
> }
> END
$ inlay verify five.inlay five.inlay
same: 64 of 64 trials counted
  not covered by a trial that counted: sizes of 0, sizes of 1, sizes of 2, sizes of 17
  not covered: open sizes above 257

# A step that the graph before a rewrite alone refuses, here a window of the wrong size, leaves no state behind: the
# next trial of both begins without one.
$ cat >refuses.inlay <<'END'
> graph "refuses" {
>   variable "v" : i32[1]
>   variable "w" : i32[1]
>   %p = Parameter {element_type = i32, shape = [1]}
>   %at = Parameter {element_type = i64, shape = [1]}
>   %read = ReadValue@opset6 {variable_id = "v"}
>   %set = Assign@opset6(%p) {variable_id = "v"}
>   %copy = Assign@opset6(%read) {variable_id = "w"}
>   %one = Const {value = i64[1] [1]}
>   %written = SliceScatter(%p, %read, %at, %one, %one)
>   %nothing = Slice(%written, %one, %one, %one)
>   %square = Multiply(%nothing, %nothing)
>   %out = Result(%square)
> }
> END
$ inlay opt refuses.inlay --passes fold-constants --verify -o folded.inlay
fold-constants           same: 64 of 64 trials counted
  not covered: states after step 6
verified: 1 of 1 pass changed the graph, 0 rules were applied; each step is the same function in all of 64 trials that counted

# Two numbers of 4 bits have 256 points, which are all; of two of 64 bits only those near the sizes are tried.
$ cat >bytes.inlay <<'END'
> graph "g" {
>   %a = Parameter {element_type = u4, shape = [1]}
>   %b = Parameter {element_type = u4, shape = [1]}
>   %sum = Maximum(%a, %b)
>   %out = Result(%sum)
> }
> END
$ sed 's/Maximum(%a, %b)/Maximum(%b, %a)/' bytes.inlay >turned.inlay
$ inlay verify bytes.inlay turned.inlay --exhaustive
same: 256 of 256 trials counted
$ sed 's/u4/i64/' bytes.inlay >words.inlay; sed 's/u4/i64/' turned.inlay >turned_words.inlay
$ inlay verify words.inlay turned_words.inlay --exhaustive
inconclusive: 16 of 16 trials counted
  no difference in this part of the space
  not covered by a trial that counted: elements of "a" but those from -2 to 1, elements of "b" but those from -2 to 1
[4]

# A run of many products: trials end when they have computed some thousand million of them.
$ cat >product.inlay <<'END'
> graph "g" {
>   %a = Parameter {element_type = f32, shape = [400,400]}
>   %b = Parameter {element_type = f32, shape = [400,400]}
>   %y = MatMul(%a, %b)
>   %out = Result(%y)
> }
> END
$ inlay verify product.inlay product.inlay
same: 16 of 16 trials counted
  not covered by a trial that counted: 48 of 64 trials, which a budget of work cut off
