# fold-scatter-update: each file's first line says what must come of it; --verify holds it against the reference.

# B1: backwards down to position 0, where stop cannot be -1.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/yes_backward.inlay" 2>verdict
graph "yes_backward" {
  %d = Parameter-1 {element_type = f32, shape = [8,2]} : f32[8,2]
  %u = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %start = Const-1 {value = i64[1] [4]}
  %stop = Const-1 {value = i64[1] [-9]}
  %step = Const-1 {value = i64[1] [-2]}
  %axes = Const-1 {value = i64[1] [0]}
  %r = SliceScatter-15(%d, %u, %start, %stop, %step, %axes) : f32[8,2]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      same: 64 of 64 trials counted

# All operands are constants: the result is [9, 2, 8].
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/yes_constant.inlay" 2>verdict
graph "yes_constant" {
  %p = Parameter-1 {element_type = f32, shape = [3]} : f32[3]
  %r = Const-1 {value = f32[3] [9, 2, 8]}
  %s = Add-1(%p, %r) : f32[3]
  %result_s = Result-1(%s)
}

$ head -1 verdict
fold-scatter-update      same: 64 of 64 trials counted

# A18: what is left of a constant stands before and after the updates.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/yes_constant_data.inlay" 2>verdict
graph "yes_constant_data" {
  %u = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %d_2 = Const-1 {value = f32[1] [1]}
  %d_3 = Const-1 {value = f32[1] [4]}
  %r = Concat-1(%d_2, %u, %d_3) {axis = 0} : f32[4]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      same: 64 of 64 trials counted

# B12: every element to its own position.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/yes_elements.inlay" 2>verdict
graph "yes_elements" {
  %d = Parameter-1 {element_type = f32, shape = [2,3]} : f32[2,3]
  %u0 = Parameter-1 {element_type = f32, shape = [2,3]} : f32[2,3]
  %u = ReLU-1(%u0) : f32[2,3] as "r"
  %result_r = Result-1(%u)
}

$ head -1 verdict
fold-scatter-update      same: 64 of 64 trials counted

# A4: nothing is written.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/yes_empty.inlay" 2>verdict
graph "yes_empty" {
  %d0 = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %u = Parameter-1 {element_type = f32, shape = [0,2]} : f32[0,2]
  %d = ReLU-1(%d0) : f32[3,2] as "r"
  %result_r = Result-1(%d)
}

$ head -1 verdict
fold-scatter-update      same: 64 of 64 trials counted

# B4: every position in order: the updates themselves.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/yes_full.inlay" 2>verdict
graph "yes_full" {
  %d = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %u0 = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %u = ReLU-1(%u0) : f32[3,2] as "r"
  %result_r = Result-1(%u)
}

$ head -1 verdict
fold-scatter-update      same: 64 of 64 trials counted

# A3: the window is everything, by clamping.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/yes_full_window.inlay" 2>verdict
graph "yes_full_window" {
  %d = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %u0 = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %u = ReLU-1(%u0) : f32[3,2] as "r"
  %result_r = Result-1(%u)
}

$ head -1 verdict
fold-scatter-update      same: 64 of 64 trials counted

# B8, B1: tuples of one component.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/yes_nd.inlay" 2>verdict
graph "yes_nd" {
  %d = Parameter-1 {element_type = f32, shape = [8,2]} : f32[8,2]
  %u = Parameter-1 {element_type = f32, shape = [2,2]} : f32[2,2]
  %start = Const-1 {value = i64[1] [6]}
  %stop = Const-1 {value = i64[1] [8]}
  %step = Const-1 {value = i64[1] [1]}
  %axes = Const-1 {value = i64[1] [0]}
  %r = SliceScatter-15(%d, %u, %start, %stop, %step, %axes) : f32[8,2]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      same: 64 of 64 trials counted

# B5: every position once.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/yes_permutation.inlay" 2>verdict
graph "yes_permutation" {
  %d = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %u = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %inverse = Const-1 {value = i64[3] [1, 2, 0]}
  %axis_2 = Const-1 {value = i64[] 0}
  %r = Gather-8(%u, %inverse, %axis_2) : f32[3,2]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      same: 64 of 64 trials counted

# B1: indices 1, 3, 5 are a window.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/yes_range.inlay" 2>verdict
graph "yes_range" {
  %d = Parameter-1 {element_type = f32, shape = [8,2]} : f32[8,2]
  %u = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %start = Const-1 {value = i64[1] [1]}
  %stop = Const-1 {value = i64[1] [6]}
  %step = Const-1 {value = i64[1] [2]}
  %axes = Const-1 {value = i64[1] [0]}
  %r = SliceScatter-15(%d, %u, %start, %stop, %step, %axes) : f32[8,2]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      same: 64 of 64 trials counted

# B2: a 0-D index.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/yes_scalar_index.inlay" 2>verdict
graph "yes_scalar_index" {
  %d = Parameter-1 {element_type = f32, shape = [8,2]} : f32[8,2]
  %u = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %axes = Const-1 {value = i64[1] [0]}
  %Unsqueeze = Unsqueeze-1(%u, %axes) : f32[1,2]
  %start = Const-1 {value = i64[1] [5]}
  %stop = Const-1 {value = i64[1] [6]}
  %step = Const-1 {value = i64[1] [1]}
  %axes_2 = Const-1 {value = i64[1] [0]}
  %r = SliceScatter-15(%d, %Unsqueeze, %start, %stop, %step, %axes_2) : f32[8,2]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      same: 64 of 64 trials counted

# No permutation: an index is repeated.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/no_duplicates.inlay" 2>verdict
graph "no_duplicates" {
  %d = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %u = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %i = Const-1 {value = i64[3] [0, 0, 1]}
  %axis = Const-1 {value = i64[] 0}
  %r = ScatterUpdate-3(%d, %i, %u, %axis) : f32[3,2]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      unchanged

# B4, but the output would be called like the input it then is.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/no_name_lost.inlay" 2>verdict
graph "no_name_lost" {
  %d = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %u = Parameter-1 {element_type = f32, shape = [3,2]} : f32[3,2]
  %i = Const-1 {value = i64[3] [0, 1, 2]}
  %axis = Const-1 {value = i64[] 0}
  %r = ScatterUpdate-3(%d, %i, %u, %axis) : f32[3,2]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      unchanged

# ScatterUpdate refuses negative indices: that must stay an error.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/no_negative.inlay" 2>verdict
graph "no_negative" {
  %d = Parameter-1 {element_type = f32, shape = [8,2]} : f32[8,2]
  %u = Parameter-1 {element_type = f32, shape = [2,2]} : f32[2,2]
  %i = Const-1 {value = i64[2] [-2, -1]}
  %axis = Const-1 {value = i64[] 0}
  %r = ScatterUpdate-3(%d, %i, %u, %axis) : f32[8,2]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      unchanged

# Index 8 is an error of the run, a window would be clamped.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/no_out_of_range.inlay" 2>verdict
graph "no_out_of_range" {
  %d = Parameter-1 {element_type = f32, shape = [8,2]} : f32[8,2]
  %u = Parameter-1 {element_type = f32, shape = [2,2]} : f32[2,2]
  %i = Const-1 {value = i64[2] [7, 8]}
  %axis = Const-1 {value = i64[] 0}
  %r = ScatterUpdate-3(%d, %i, %u, %axis) : f32[8,2]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      unchanged

# B12 with a sum is no replacement.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/no_reduction.inlay" 2>verdict
graph "no_reduction" {
  %d = Parameter-1 {element_type = f32, shape = [2,3]} : f32[2,3]
  %u = Parameter-1 {element_type = f32, shape = [2,3]} : f32[2,3]
  %i = Const-1 {value = i64[2,3] [0, 1, 2, 0, 1, 2]}
  %axis = Const-1 {value = i64[] 1}
  %r = ScatterElementsUpdate-12(%d, %i, %u, %axis) {reduction = sum} : f32[2,3]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      unchanged

# The axis may be shorter than the indices say.
$ inlay opt --passes fold-scatter-update,eliminate-dead --verify "$ROOT/tests/passes/fold-scatter-update/no_unknown_size.inlay" 2>verdict
graph "no_unknown_size" {
  %d = Parameter-1 {element_type = f32, shape = [?,2]} : f32[?#1,2]
  %u = Parameter-1 {element_type = f32, shape = [2,2]} : f32[2,2]
  %i = Const-1 {value = i64[2] [0, 1]}
  %axis = Const-1 {value = i64[] 0}
  %r = ScatterUpdate-3(%d, %i, %u, %axis) : f32[?#1,2]
  %result_r = Result-1(%r)
}

$ head -1 verdict
fold-scatter-update      unchanged
