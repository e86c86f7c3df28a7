# LAYERS layers of an encoder, each with weights of its own: attention of one head, GELU by erf, layer norm.
function tensor(name, rows, cols,    i) {
    printf "  %%%s = Const {value = f32[%s%d] [", name, rows ? rows "," : "", cols
    for (i = 0; i < (rows ? rows : 1) * cols; i++)
        printf "%s%d", i ? ", " : "", (seed = (seed * 75 + 74) % 65537) % 7 - 3
    print "]}"
}
function norm(to, x, l) {
    printf "  %%%s_mean = ReduceMean(%%%s, %%last) {keep_dims = true}\n", to, x
    printf "  %%%s_off = Subtract(%%%s, %%%s_mean)\n", to, x, to
    printf "  %%%s_sq = Multiply(%%%s_off, %%%s_off)\n", to, to, to
    printf "  %%%s_var = ReduceMean(%%%s_sq, %%last) {keep_dims = true}\n", to, to
    printf "  %%%s_more = Add(%%%s_var, %%tiny)\n  %%%s_root = Sqrt(%%%s_more)\n", to, to, to, to
    printf "  %%%s_unit = Divide(%%%s_off, %%%s_root)\n", to, to, to
    tensor(to "_scale", 0, 8); tensor(to "_bias", 0, 8)
    printf "  %%%s_scaled = Multiply(%%%s_unit, %%%s_scale)\n", to, to, to
    printf "  %%%s = Add(%%%s_scaled, %%%s_bias)\n", to, to, to
}
BEGIN {
    seed = 1
    print "graph \"encoder\" {\n  %x0 = Parameter {element_type = f32, shape = [?,4,8]}"
    print "  %last = Const {value = i64[1] [-1]}\n  %tiny = Const {value = f32[] 1e-5}\n  %one = Const {value = f32[] 1}"
    print "  %half = Const {value = f32[] 0.5}\n  %root2 = Const {value = f32[] 1.4142135}\n  %eighth = Const {value = f32[] 0.35355338}"
    for (l = 1; l <= LAYERS; l++) {
        for (k = 1; k <= 3; k++) {
            tensor("w" k "_" l, 8, 8)
            printf "  %%p%d_%d = MatMul(%%x%d, %%w%d_%d)\n", k, l, l - 1, k, l
        }
        printf "  %%s_%d = MatMul(%%p1_%d, %%p2_%d) {transpose_b = true}\n", l, l, l
        printf "  %%t_%d = Multiply(%%s_%d, %%eighth)\n  %%m_%d = Softmax(%%t_%d) {axis = -1}\n", l, l, l, l
        printf "  %%a_%d = MatMul(%%m_%d, %%p3_%d)\n  %%r_%d = Add(%%a_%d, %%x%d)\n", l, l, l, l, l, l - 1
        norm("n_" l, "r_" l, l)
        tensor("u_" l, 8, 16); tensor("v_" l, 16, 8)
        printf "  %%h_%d = MatMul(%%n_%d, %%u_%d)\n  %%d_%d = Divide(%%h_%d, %%root2)\n  %%e_%d = Erf(%%d_%d)\n", l, l, l, l, l, l, l
        printf "  %%f_%d = Add(%%e_%d, %%one)\n  %%g_%d = Multiply(%%h_%d, %%f_%d)\n  %%i_%d = Multiply(%%g_%d, %%half)\n", l, l, l, l, l, l, l
        printf "  %%j_%d = MatMul(%%i_%d, %%v_%d)\n  %%k_%d = Add(%%j_%d, %%n_%d)\n", l, l, l, l, l, l
        norm("x" l, "k_" l, l)
    }
    printf "  %%result = Result(%%x%d)\n}\n", LAYERS
}
