# eliminate-common: what merges and what only looks alike. Which nodes stay is told by the files' first lines.

# Equal nodes, equal constants, a commuted sum, a default that is written out.
$ inlay opt --passes eliminate-common --verify "$ROOT/tests/passes/eliminate-common/yes_merge.inlay" 2>verdict
graph "yes_merge" {
  %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %b = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %s1 = Add-1(%a, %b) : f32[2]
  %c1 = Const-1 {value = f32[2] [1, nan]}
  %p1 = Multiply-1(%s1, %c1) : f32[2]
  %t = Subtract-1(%p1, %p1) : f32[2]
  %result = Result-1(%t)
}

$ cat verdict
eliminate-common         same: 64 of 64 trials counted
verified: 1 of 1 pass changed the graph, 0 rules were applied; each step is the same function in all of 64 trials that counted

# What looks alike and is not: another attribute, another order, 0-D and [1], -0 and 0, i32 and i64, two outputs.
$ inlay opt --passes eliminate-common --verify "$ROOT/tests/passes/eliminate-common/no_merge.inlay" 2>verdict
graph "no_merge" {
  %a = Parameter-1 {element_type = f32, shape = [2,2]} : f32[2,2]
  %b = Parameter-1 {element_type = f32, shape = [2,2]} : f32[2,2]
  %d1 = Subtract-1(%a, %b) : f32[2,2]
  %d2 = Subtract-1(%b, %a) : f32[2,2]
  %m1 = MatMul-1(%d1, %d2) {transpose_a = true} : f32[2,2]
  %axis64 = Const-1 {value = i64[1] [1]}
  %k1 = ReduceSum-1(%m1, %axis64) {keep_dims = true} : f32[2,1]
  %zero = Const-1 {value = f32[] 0}
  %z1 = Add-1(%k1, %zero) : f32[2,1]
  %zero_1d = Const-1 {value = f32[1] [0]}
  %z2 = Add-1(%z1, %zero_1d) : f32[2,1]
  %minus_zero = Const-1 {value = f32[1] [-0]}
  %z3 = Add-1(%z2, %minus_zero) : f32[2,1]
  %r1 = ReLU-1(%z3) : f32[2,1]
  %result1 = Result-1(%r1)
  %r2 = ReLU-1(%z3) : f32[2,1]
  %result2 = Result-1(%r2)
  %m2 = MatMul-1(%d1, %d2) : f32[2,2]
  %axis32 = Const-1 {value = i32[1] [1]}
  %k2 = ReduceSum-1(%m2, %axis32) {keep_dims = false} : f32[2]
  %result3 = Result-1(%k2)
}

$ cat verdict
eliminate-common         unchanged
verified: 0 of 1 pass changed the graph, 0 rules were applied
