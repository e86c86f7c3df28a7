# Operators beside ONNX's own, on numbers that are computed by hand.

# Of 2 + 1 and 5 - 1 the root mean square is the root of 12.5.
$ cat >rms.onnxtxt <<'END'
> <ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
> g () => (float[1,1,2] y) <float[1,1,2] x = {2, 5}, float[1,1,2] s = {1, -1}, float[2] g = {1, 2}> { y = com.microsoft.SkipSimplifiedLayerNormalization <epsilon: float = 0.0> (x, s, g) }
> END
$ inlay run rms.onnxtxt | sed -n 2p
  [[[0.8485281, 2.262742]]]

# A forget gate of nothing: tanh(tanh(1) / 2) / 2.
$ cat >lstm.onnxtxt <<'END'
> <ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
> g () => (float[1,1,1,1] y) <float[1,1,1] x = {1}, uint8[1,1,4] w = {128, 128, 128, 192}, uint8[1,1,4] r = {128, 128, 128, 128}, float[1] s = {0.015625}, uint8[1] z = {128}> { y = com.microsoft.DynamicQuantizeLSTM <hidden_size: int = 1> (x, w, r, , , , , , s, z, s, z) }
> END
$ inlay run lstm.onnxtxt | sed -n 2p
  [[[[0.1816998]]]]

# 5 is not at most 0.
$ cat >tree.onnxtxt <<'END'
> <ir_version: 10, opset_import: ["" : 20, "ai.onnx.ml" : 3]>
> g () => (float[1,1] y) <float[1,1] x = {5}> { y = ai.onnx.ml.TreeEnsembleRegressor <n_targets: int = 1, nodes_treeids: ints = [0, 0, 0], nodes_nodeids: ints = [0, 1, 2], nodes_featureids: ints = [0, 0, 0], nodes_modes: strings = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values: floats = [0.0, 0.0, 0.0], nodes_truenodeids: ints = [1, 0, 0], nodes_falsenodeids: ints = [2, 0, 0], target_treeids: ints = [0, 0], target_nodeids: ints = [1, 2], target_ids: ints = [0, 0], target_weights: floats = [1.0, 2.0]> (x) }
> END
$ inlay run tree.onnxtxt | sed -n 2p
  [[2]]

# A sink of the score that the only key has takes half.
$ cat >sink.onnxtxt <<'END'
> <ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>
> g () => (float[1,1,2] y, float[1,1,1,2] pk, float[1,1,1,2] pv) <float[1,1,2] q = {0, 0}, float[1,1,2] v = {2, 4}, int32[1] last = {0}, int32 all = {1}, float[1] sink = {0}> { y, pk, pv = com.microsoft.GroupQueryAttention <num_heads: int = 1, kv_num_heads: int = 1> (q, q, v, , , last, all, , , , , sink) }
> END
$ inlay run sink.onnxtxt | sed -n 2p
  [[[1, 2]]]

# Codes less 128 in blocks of 16, with a scale for each.
$ printf '<ir_version: 10, opset_import: ["" : 20, "com.microsoft" : 1]>\ng () => (float[1,32] y) <uint8[2,32] d = {%s}, int64[1] i = {1}, float[2,2] s = {1, 1, 1, 10}> { y = com.microsoft.GatherBlockQuantized <bits: int = 8, block_size: int = 16> (d, i, s) }\n' "$(seq -s ', ' 128 191)" >gather.onnxtxt
$ inlay run gather.onnxtxt | sed -n 2p | cut -d , -f 1,16,17,32
  [[32, 47, 480, 630]]

# What is replaced may be NaN, which equals nothing.
$ cat >nan.onnxtxt <<'END'
> <ir_version: 10, opset_import: ["" : 20, "ai.onnx.ml" : 1]>
> g (float[1,2] x) => (float[1,2] y) { y = ai.onnx.ml.Imputer <imputed_value_floats: floats = [7.0], replaced_value_float: float = nan> (x) }
> END
$ inlay print nan.onnxtxt | grep -c IsNaN
1
