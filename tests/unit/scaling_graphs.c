#include "scaling_graphs.h"

/* Joins nodes %VALUE0, %VALUE1, ... up to COUNT to one node, %all, which is the graph's result. */
static void join(inlay_strbuf *b, const char *value, int count)
{
    inlay_strbuf_puts(b, "%all = Concat-1(");
    for (int i = 0; i < count; i++)
        inlay_strbuf_printf(b, "%s%%%s%d", i ? ", " : "", value, i);
    inlay_strbuf_puts(b, ") {axis = 0}\n%out = Result-1(%all)\n");
}

static void parameter(inlay_strbuf *b, int rows)
{
    inlay_strbuf_printf(b, "%%x = Parameter-1 {element_type = f32, shape = [%d,4]}\n", rows);
}

static void scalar(inlay_strbuf *b, const char *name, int i, int value)
{
    inlay_strbuf_printf(b, "%%%s%d = Const-1 {value = f32[] %d}\n", name, i, value);
}

static void integer(inlay_strbuf *b, const char *name, int i, int value)
{
    inlay_strbuf_printf(b, "%%%s%d = Const-1 {value = i64[1] [%d]}\n", name, i, value);
}

/* A chain is as deep as it is long. */
static void chain(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(b, "%v0 = Abs-1(%x)\n");
    for (int i = 1; i < n; i++)
        inlay_strbuf_printf(b, "%%v%d = %s(%%v%d)\n", i, i % 2 ? "Exp-1" : "Tanh-1", i - 1);
    inlay_strbuf_printf(b, "%%out = Result-1(%%v%d)\n", n - 1);
}

/* Writes COUNT updates of two rows, one after another; step i is on window i % WINDOWS. */
static void windows(inlay_strbuf *b, int count, int windows)
{
    parameter(b, 2 * windows);
    integer(b, "step", 0, 1);
    inlay_strbuf_puts(b, "%r0 = Abs-1(%x)\n");
    for (int i = 0; i < count; i++) {
        integer(b, "b", i, 2 * (i % windows));
        integer(b, "e", i, 2 * (i % windows) + 2);
        inlay_strbuf_printf(b,
                            "%%s%d = Slice-8(%%r%d, %%b%d, %%e%d, %%step0)\n%%u%d = Tanh-1(%%s%d)\n"
                            "%%r%d = SliceScatter-15(%%r%d, %%u%d, %%b%d, %%e%d, %%step0)\n",
                            i, i, i, i, i, i, i + 1, i, i, i, i);
    }
    inlay_strbuf_printf(b, "%%out = Result-1(%%r%d)\n", count);
}

static void windows_in_turn(inlay_strbuf *b, int n)
{
    windows(b, n / 5, 8);
}

static void windows_distinct(inlay_strbuf *b, int n)
{
    windows(b, n / 5, n / 5);
}

/* One value has many uses, and one node has many operands. */
static void wide(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    for (int i = 0; i < n / 2; i++) {
        scalar(b, "c", i, i);
        inlay_strbuf_printf(b, "%%v%d = Add-1(%%x, %%c%d)\n", i, i);
    }
    join(b, "v", n / 2);
}

/* A chain depends on constants only. */
static void foldable(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(b, "%s0 = Const-1 {value = f32[] 1}\n");
    for (int i = 0; i < n / 2; i++) {
        scalar(b, "c", i, i % 7);
        inlay_strbuf_printf(b, "%%s%d = Add-1(%%s%d, %%c%d)\n", i + 1, i, i);
    }
    inlay_strbuf_printf(b, "%%r = Add-1(%%x, %%s%d)\n%%out = Result-1(%%r)\n", n / 2);
}

/* Writes an Exp of x; every second one has a tensor name. */
static void exp_of_x(inlay_strbuf *b, int i)
{
    inlay_strbuf_printf(b, "%%v%d = Exp-1(%%x)", i);
    if (i % 2)
        inlay_strbuf_printf(b, " : f32[1,4] as \"y%d\"", i);
    inlay_strbuf_puts(b, "\n");
}

/* Equal nodes are all operands of one node. */
static void common(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    for (int i = 0; i < n; i++)
        exp_of_x(b, i);
    join(b, "v", n);
}

/* There is a slice for each row of one value. */
static void many_slices(inlay_strbuf *b, int n)
{
    int rows = n / 3;

    parameter(b, rows);
    integer(b, "step", 0, 1);
    integer(b, "c", 0, 0);
    for (int i = 0; i < rows; i++) {
        integer(b, "c", i + 1, i + 1);
        inlay_strbuf_printf(b,
                            "%%s%d = Slice-8(%%x, %%c%d, %%c%d, %%step0)\n%%v%d = Exp-1(%%s%d)\n",
                            i, i, i + 1, i, i);
    }
    join(b, "v", rows);
}

/* Half of the outputs are the same value. */
static void many_outputs(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(b, "%shared = Abs-1(%x)\n");
    for (int i = 0; i < n / 4; i++) {
        exp_of_x(b, i);
        inlay_strbuf_printf(b,
                            "%%o%d = Result-1(%%v%d)\n%%p%d = Result-1(%%shared)\n"
                            "%%q%d = Result-1(%%shared)\n",
                            i, i, i, i);
    }
}

/* Every variable is read, changed and written; of every second one the old value does not matter.
 */
static void many_variables(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    for (int i = 0; i < n / 4; i++) {
        scalar(b, "c", i, i);
        inlay_strbuf_printf(
            b,
            "%%v%d = ReadValue-6(%%c%d) {variable_id = \"v%d\", variable_type = f32, "
            "variable_shape = []}\n%%e%d = Exp-1(%%%s%d)\n"
            "%%w%d = Assign-6(%%e%d) {variable_id = \"v%d\"}\n",
            i, i, i, i, i % 2 ? "c" : "v", i, i, i, i);
    }
    inlay_strbuf_puts(b, "%r = Abs-1(%x)\n%out = Result-1(%r)\n");
}

/* Writes a body for the node %choice: each of its N inputs is one output. */
static void branch(inlay_strbuf *b, const char *role, const char *op, int n)
{
    inlay_strbuf_printf(b, "%s \"b\" {\n", role);
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b,
                            "%%a%d = Parameter-1 {element_type = f32, shape = [1,4]}\n"
                            "%%e%d = %s(%%a%d)\n%%r%d = Result-1(%%e%d)\n",
                            i, i, op, i, i, i);
    inlay_strbuf_puts(b, "}\n");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b, "in %d -> %%a%d\n", i + 1, i);
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b, "out %%r%d -> %d\n", i, i);
}

/* One node has bodies with many parameters and results. */
static void many_ports(inlay_strbuf *b, int n)
{
    int ports = n / 8;

    inlay_strbuf_puts(b, "%c = Parameter-1 {element_type = boolean, shape = []}\n");
    for (int i = 0; i < ports; i++)
        inlay_strbuf_printf(b, "%%p%d = Parameter-1 {element_type = f32, shape = [1,4]}\n", i);
    inlay_strbuf_printf(b, "%%choice:%d = If-8(%%c", ports);
    for (int i = 0; i < ports; i++)
        inlay_strbuf_printf(b, ", %%p%d", i);
    inlay_strbuf_puts(b, ")\n");
    branch(b, "then_body", "Exp-1", ports);
    branch(b, "else_body", "Abs-1", ports);
    for (int i = 0; i < ports; i++)
        inlay_strbuf_printf(b, "%%o%d = Result-1(%%choice:%d)\n", i, i);
}

/* Each row of one value is gathered, and all rows are joined: one node reads many windows of a
 * buffer. */
static void gathers(inlay_strbuf *b, int n)
{
    int rows = n / 2;

    parameter(b, rows);
    inlay_strbuf_puts(b, "%axis = Const-1 {value = i64[] 0}\n");
    for (int i = 0; i < rows; i++) {
        integer(b, "i", i, (int)((int64_t)i * 7 % rows));
        inlay_strbuf_printf(b, "%%v%d = Gather-8(%%x, %%i%d, %%axis)\n", i, i);
    }
    join(b, "v", rows);
}

/* Each Concat is the only reader of the one before. */
static void concats(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(b, "%y = Abs-1(%x)\n%v0 = Concat-1(%x, %y) {axis = 0}\n");
    for (int i = 1; i < n; i++)
        inlay_strbuf_printf(b, "%%v%d = Concat-1(%%v%d, %s) {axis = 0}\n", i, i - 1,
                            i % 2 ? "%x" : "%y");
    inlay_strbuf_printf(b, "%%out = Result-1(%%v%d)\n", n - 1);
}

/* Two chains, each step of which reads both. */
static void ladder(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(b, "%l0 = Abs-1(%x)\n%r0 = Exp-1(%x)\n");
    for (int i = 1; i < n / 2; i++)
        inlay_strbuf_printf(b, "%%l%d = Add-1(%%l%d, %%r%d)\n%%r%d = Tanh-1(%%l%d)\n", i, i - 1,
                            i - 1, i, i - 1);
    inlay_strbuf_printf(b, "%%all = Add-1(%%l%d, %%r%d)\n%%out = Result-1(%%all)\n", n / 2 - 1,
                        n / 2 - 1);
}

/* A sum of many inputs, added in pairs. */
static void tree(inlay_strbuf *b, int n)
{
    int leaves = n / 3, at = 0;

    for (int i = 0; i < leaves; i++)
        inlay_strbuf_printf(
            b, "%%p%d = Parameter-1 {element_type = f32, shape = [4]}\n%%v%d = Exp-1(%%p%d)\n", i,
            i, i);
    for (int next = leaves; at + 1 < next; at += 2, next++)
        inlay_strbuf_printf(b, "%%v%d = Add-1(%%v%d, %%v%d)\n", next, at, at + 1);
    inlay_strbuf_printf(b, "%%out = Result-1(%%v%d)\n", at);
}

/* Opens a choice of bodies that are nested DEPTH deep, each of which has EACH nodes. */
static void storey(inlay_strbuf *b, int depth, int each)
{
    for (int k = 0; k < 2; k++) {
        inlay_strbuf_printf(
            b,
            "%s \"b\" {\n%%c = Parameter-1 {element_type = boolean, shape = []}\n"
            "%%x = Parameter-1 {element_type = f32, shape = [1,4]}\n%%v0 = %s(%%x)\n",
            k ? "else_body" : "then_body", k ? "Exp-1" : "Tanh-1");
        for (int i = 1; i < each; i++)
            inlay_strbuf_printf(b, "%%v%d = %s(%%v%d)\n", i, i % 2 ? "Exp-1" : "Tanh-1", i - 1);
        if (k == 0 && depth > 1) {
            inlay_strbuf_printf(b, "%%y = If-8(%%c, %%v%d)\n", each - 1);
            storey(b, depth - 1, each);
        } else {
            inlay_strbuf_printf(b, "%%y = Abs-1(%%v%d)\n", each - 1);
        }
        inlay_strbuf_puts(b, "%r = Result-1(%y)\n}\nin 0 -> %c\nin 1 -> %x\nout %r -> 0\n");
    }
}

static void tower(inlay_strbuf *b, int n)
{
    enum { DEPTH = 30 };

    parameter(b, 1);
    inlay_strbuf_puts(b, "%c = Parameter-1 {element_type = boolean, shape = []}\n"
                         "%y = If-8(%c, %x)\n");
    storey(b, DEPTH, n / (2 * DEPTH));
    inlay_strbuf_puts(b, "%out = Result-1(%y)\n");
}

/* There are many choices with small bodies. */
static void many_bodies(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(b,
                      "%c = Parameter-1 {element_type = boolean, shape = []}\n%y0 = Abs-1(%x)\n");
    for (int i = 0; i < n / 8; i++) {
        inlay_strbuf_printf(b, "%%y%d = If-8(%%c, %%y%d)\n", i + 1, i);
        storey(b, 1, 1);
    }
    inlay_strbuf_printf(b, "%%out = Result-1(%%y%d)\n", n / 8);
}

/* Each input has an open size of its own, with a name. */
static void many_sizes(inlay_strbuf *b, int n)
{
    for (int i = 0; i < n / 3; i++)
        inlay_strbuf_printf(
            b,
            "%%p%d = Parameter-1 {element_type = f32, shape = [?,4]} : f32[?#s%d,4]\n"
            "%%v%d = Exp-1(%%p%d)\n%%o%d = Result-1(%%v%d)\n",
            i, i, i, i, i, i);
}

/* One value has many tensor names. */
static void many_names(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(b, "%y = Exp-1(%x) : f32[1,4]");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b, "%s \"y%d\"", i ? "" : " as", i);
    inlay_strbuf_puts(b, "\n%out = Result-1(%y)\n");
}

/* Every node is taken by a rule. */
static void many_rewrites(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(b, "%zero0 = Const-1 {value = f32[] 0}\n%v0 = Exp-1(%x)\n");
    for (int i = 0; i < n / 3; i++)
        inlay_strbuf_printf(b, "%%a%d = Abs-1(%%v%d)\n%%b%d = Abs-1(%%a%d)\n%%v%d = Exp-1(%%b%d)\n",
                            i, i, i, i, i + 1, i);
    inlay_strbuf_printf(b, "%%out = Result-1(%%v%d)\n", n / 3);
}

/* Layers of a network. */
static void layers(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(
        b, "%w = Const-1 {value = f32[4,4] [1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2]}\n"
           "%v0 = Abs-1(%x)\n");
    for (int i = 0; i < n / 4; i++) {
        scalar(b, "c", i, i % 5 + 1);
        inlay_strbuf_printf(b,
                            "%%m%d = MatMul-1(%%v%d, %%w)\n%%a%d = Add-1(%%m%d, %%c%d)\n"
                            "%%v%d = ReLU-1(%%a%d)\n",
                            i, i, i, i, i, i + 1, i);
    }
    inlay_strbuf_printf(b, "%%out = Result-1(%%v%d)\n", n / 4);
}

/* Equal constants, each with a reader. */
static void equal_constants(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(b, "%v0 = Exp-1(%x)\n");
    for (int i = 0; i < n / 2; i++) {
        scalar(b, "c", i, 3);
        inlay_strbuf_printf(b, "%%v%d = Multiply-1(%%v%d, %%c%d)\n", i + 1, i, i);
    }
    inlay_strbuf_printf(b, "%%out = Result-1(%%v%d)\n", n / 2);
}

/* One constant has many elements. */
static void long_constant(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_printf(b, "%%c = Const-1 {value = f32[%d,4] [", n / 4);
    for (int i = 0; i < n / 4 * 4; i++)
        inlay_strbuf_printf(b, "%s%d", i ? ", " : "", i);
    inlay_strbuf_puts(b, "]}\n%y = Add-1(%x, %c)\n%out = Result-1(%y)\n");
}

/* Parts of one value that are joined again. */
static void split(inlay_strbuf *b, int n)
{
    parameter(b, n / 2);
    inlay_strbuf_puts(b, "%axis = Const-1 {value = i64[] 0}\n");
    inlay_strbuf_printf(b, "%%parts:%d = Split-1(%%x, %%axis) {num_splits = %d}\n", n / 2, n / 2);
    for (int i = 0; i < n / 2; i++)
        inlay_strbuf_printf(b, "%%v%d = Exp-1(%%parts:%d)\n", i, i);
    join(b, "v", n / 2);
}

/* What reads a value comes before what overwrites it, says an edge for each reader. */
static void order_edges(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(b, "%y = Tanh-1(%x)\n%end = Result-1(%y)\n");
    for (int i = 0; i < n / 2; i++)
        inlay_strbuf_printf(b, "%%v%d = Exp-1(%%x)\n%%r%d = Result-1(%%v%d)\n", i, i, i);
    for (int i = 0; i < n / 2; i++)
        inlay_strbuf_printf(b, "order %%v%d before %%y\n", i);
}

/* Operations of ONNX that no rule takes. */
static void dialect(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    inlay_strbuf_puts(b, "%axis = Const-1 {value = i64[] 0}\n%v0 = Exp-1(%x)\n");
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b, "%%v%d = CumProd-26@onnx26(%%v%d, %%axis)\n", i + 1, i);
    inlay_strbuf_printf(b, "%%out = Result-1(%%v%d)\n", n);
}

/* An input of its own for each row. */
static void parameters(inlay_strbuf *b, int n)
{
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b, "%%v%d = Parameter-1 {element_type = f32, shape = [1,4]}\n", i);
    join(b, "v", n);
}

/* Many constants that differ, of strings, which one node reads. */
static void strings(inlay_strbuf *b, int n)
{
    parameter(b, 1);
    for (int i = 0; i < n; i++)
        inlay_strbuf_printf(b, "%%v%d = Const-1 {value = string[1] [\"s%d\"]}\n", i, i);
    join(b, "v", n);
    inlay_strbuf_puts(b, "%y = Exp-1(%x)\n%end = Result-1(%y)\n");
}

/* What is made last is read first, so that half of all values live at once. */
static void long_lives(inlay_strbuf *b, int n)
{
    int half = n / 2;

    parameter(b, 1);
    inlay_strbuf_puts(b, "%v0 = Abs-1(%x)\n");
    for (int i = 1; i < half; i++)
        inlay_strbuf_printf(b, "%%v%d = %s(%%v%d)\n", i, i % 2 ? "Exp-1" : "Tanh-1", i - 1);
    inlay_strbuf_printf(b, "%%s%d = Sin-1(%%v%d)\n", half - 1, half - 1);
    for (int i = half - 1; i > 0; i--)
        inlay_strbuf_printf(b, "%%s%d = Maximum-1(%%s%d, %%v%d)\n", i - 1, i, i - 1);
    inlay_strbuf_puts(b, "%out = Result-1(%s0)\n");
}

/* A piece that stands again and again, each on what the one before made: @ is its number, which
 * begins at 0, ^ the next one. The first piece reads %v0, which is computed of %x, and the last one
 * makes the result. */
static const struct repeated {
    const char *name;
    int nodes; /* of a piece */
    const char *before, *piece;
} repeated[] = {
    {"diamonds", 3, "", "%a@ = Exp-1(%v@)\n%b@ = Tanh-1(%v@)\n%v^ = Maximum-1(%a@, %b@)\n"},
    {"own-weights", 5, "",
     "%w@ = Const-1 {value = f32[4,4] [1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, @]}\n"
     "%c@ = Const-1 {value = f32[4] [1, 2, 3, @]}\n"
     "%m@ = MatMul-1(%v@, %w@)\n%a@ = Add-1(%m@, %c@)\n%v^ = ReLU-1(%a@)\n"},
    {"loops", 16, "%n = Const-1 {value = i64[] 3}\n%go = Const-1 {value = boolean[] true}\n",
     "%v^ = Loop-5(%n, %go, %v@)\nbody \"b\" {\n"
     "%i = Parameter-1 {element_type = i64, shape = []}\n"
     "%p = Parameter-1 {element_type = f32, shape = [1,4]}\n"
     "%t = Const-1 {value = boolean[] true}\n%y = Sin-1(%p)\n"
     "%next = Result-1(%t)\n%r = Result-1(%y)\n}\n"
     "in none -> %i iteration\nin 2 -> %p\nout %next -> none condition\n"
     "out %r -> 0\nback %r -> %p\n"},
    {"transposes", 4, "%o = Const-1 {value = i64[2] [1, 0]}\n",
     "%a@ = Transpose-1(%v@, %o)\n%b@ = Sin-1(%a@)\n%c@ = Transpose-1(%b@, %o)\n"
     "%v^ = Tanh-1(%c@)\n"},
    {"reshapes", 5,
     "%f = Const-1 {value = i64[2] [2, 2]}\n%g = Const-1 {value = i64[2] [1, 4]}\n"
     "%z = Const-1 {value = i64[1] [0]}\n",
     "%a@ = Reshape-1(%v@, %f) {special_zero = false}\n%b@ = Sin-1(%a@)\n"
     "%c@ = Unsqueeze-1(%b@, %z)\n%d@ = Tanh-1(%c@)\n"
     "%v^ = Reshape-1(%d@, %g) {special_zero = false}\n"},
    {"norms", 9, "%ax = Const-1 {value = i64[1] [-1]}\n%eps = Const-1 {value = f32[] 0.001}\n",
     "%m@ = ReduceMean-1(%v@, %ax) {keep_dims = true}\n%d@ = Subtract-1(%v@, %m@)\n"
     "%p@ = Multiply-1(%d@, %d@)\n%q@ = ReduceMean-1(%p@, %ax) {keep_dims = true}\n"
     "%e@ = Add-1(%q@, %eps)\n%s@ = Sqrt-1(%e@)\n%v^ = Divide-1(%d@, %s@)\n"},
    {"attention", 5, "%h = Const-1 {value = f32[] 0.5}\n%k = Abs-1(%x)\n",
     "%y@ = MatMul-1(%v@, %k) {transpose_b = true}\n%b@ = Multiply-1(%y@, %h)\n"
     "%z@ = SoftMax-8(%b@) {axis = -1}\n%u@ = MatMul-1(%z@, %v@)\n%v^ = Sin-1(%u@)\n"},
    {"splits", 5, "%ax = Const-1 {value = i64[] 1}\n",
     "%s@:2 = Split-1(%v@, %ax) {num_splits = 2}\n%a@ = Sin-1(%s@:0)\n%b@ = Exp-1(%s@:1)\n"
     "%v^ = Concat-1(%a@, %b@) {axis = 1}\n"},
    {"computed-sizes", 6,
     "%i = Const-1 {value = i64[1] [0]}\n%ax = Const-1 {value = i64[] 0}\n"
     "%m = Const-1 {value = i64[1] [-1]}\n",
     "%s@ = ShapeOf-3(%v@)\n%g@ = Gather-8(%s@, %i, %ax)\n%c@ = Concat-1(%g@, %m) {axis = 0}\n"
     "%a@ = Sin-1(%v@)\n%v^ = Reshape-1(%a@, %c@) {special_zero = false}\n"},
    {"convolutions", 7,
     "%f = Const-1 {value = i64[4] [1, 1, 2, 2]}\n%g = Const-1 {value = i64[2] [1, 4]}\n",
     "%a@ = Reshape-1(%v@, %f) {special_zero = false}\n"
     "%w@ = Const-1 {value = f32[1,1,1,1] [@]}\n%c@ = Const-1 {value = f32[1,1,1,1] [0.5]}\n"
     "%y@ = Convolution-1(%a@, %w@) {strides = [1, 1], pads_begin = [0, 0], pads_end = [0, 0], "
     "dilations = [1, 1]}\n"
     "%b@ = Add-1(%y@, %c@)\n%u@ = ReLU-1(%b@)\n%v^ = Reshape-1(%u@, %g) {special_zero = false}\n"},
    {"appends", 4, "%ax = Const-1 {value = i64[] 0}\n%z = Const-1 {value = i64[1] [-1]}\n",
     "%t@ = Gather-8(%v@, %z, %ax)\n%u@ = Sin-1(%t@)\n%w@ = Tanh-1(%u@)\n"
     "%v^ = Concat-1(%v@, %w@) {axis = 0}\n"},
    {"joins-read", 4, "%y = Exp-1(%x)\n",
     "%v^ = Concat-1(%v@, %y) {axis = 0}\n%a@ = Sin-1(%v@)\n%r@ = Result-1(%a@)\n"},
    {"pads-read", 4, "%b = Const-1 {value = i64[2] [1, 0]}\n%e = Const-1 {value = i64[2] [1, 0]}\n",
     "%v^ = Pad-1(%v@, %b, %e) {pad_mode = \"constant\"}\n%a@ = Sin-1(%v@)\n"
     "%r@ = Result-1(%a@)\n"},
    {"transposes-read", 4, "%o = Const-1 {value = i64[2] [1, 0]}\n",
     "%w@ = Transpose-1(%v@, %o)\n%v^ = Sin-1(%w@)\n%a@ = Exp-1(%w@)\n%r@ = Result-1(%a@)\n"},
    {"slices-read", 4,
     "%big = Parameter-1 {element_type = f32, shape = [200000,4]}\n%s0 = Exp-1(%big)\n"
     "%o = Const-1 {value = i64[1] [1]}\n%n = Const-1 {value = i64[1] [1000000]}\n",
     "%s^ = Slice-8(%s@, %o, %n, %o)\n%a@ = Sin-1(%s@)\n%r@ = Result-1(%a@)\n%v^ = Exp-1(%v@)\n"},
    {"splits-read", 6, "%ax = Const-1 {value = i64[] 1}\n",
     "%s@:2 = Split-1(%v@, %ax) {num_splits = 2}\n%a@ = Sin-1(%s@:0)\n%r@ = Result-1(%a@)\n"
     "%b@ = Exp-1(%s@:1)\n%v^ = Concat-1(%a@, %b@) {axis = 1}\n%q@ = Result-1(%v^)\n"},
    {"scatters-read", 4,
     "%b = Const-1 {value = i64[1] [1]}\n%e = Const-1 {value = i64[1] [2]}\n"
     "%u = Const-1 {value = f32[1,1] [3]}\n",
     "%v^ = SliceScatter-15(%v@, %u, %b, %e, %b, %b)\n%a@ = Sin-1(%v@)\n%r@ = Result-1(%a@)\n"},
    {"scatters-fan", 4,
     "%b = Const-1 {value = i64[1] [1]}\n%e = Const-1 {value = i64[1] [2]}\n"
     "%k = Exp-1(%x)\n",
     "%t@ = SliceScatter-15(%k, %u@, %b, %e, %b, %b)\n%u@ = Const-1 {value = f32[1,1] [@]}\n"
     "%r@ = Result-1(%t@)\n%v^ = Sin-1(%v@)\n"},
    {"views-fan", 5,
     "%o = Const-1 {value = i64[2] [1, 0]}\n%f = Const-1 {value = i64[2] [2, 2]}\n"
     "%k = Exp-1(%x)\n%b = Const-1 {value = i64[1] [1]}\n%n = Const-1 {value = i64[1] [3]}\n",
     "%w@ = Transpose-1(%k, %o)\n%q@ = Reshape-1(%k, %f) {special_zero = false}\n"
     "%s@ = Slice-8(%k, %b, %n, %b, %b)\n%r@ = Result-1(%w@)\n%z@ = Result-1(%q@)\n"
     "%y@ = Result-1(%s@)\n%v^ = Sin-1(%v@)\n"},
    {"joins-of-views", 5, "%b = Const-1 {value = i64[1] [1]}\n%n = Const-1 {value = i64[1] [3]}\n",
     "%s@ = Slice-8(%v@, %b, %n, %b, %b)\n%c@ = Concat-1(%s@, %s@) {axis = 1}\n"
     "%v^ = Sin-1(%c@)\n%r@ = Result-1(%c@)\n%y@ = Result-1(%s@)\n"},
    {"joins-own", 5, "",
     "%y@ = Exp-1(%x)\n"
     "%v^ = Concat-1(%v@, %y@) {axis = 0}\n%a@ = Sin-1(%v@)\n%r@ = Result-1(%a@)\n"},
    {"tiles-read", 4,
     "%t = Const-1 {value = i64[2] [1, 1]}\n%i = Const-1 {value = i64[1] [0]}\n%ax = Const-1 "
     "{value = i64[] 0}\n%d = Const-1 {value = i64[2] [2, 1]}\n",
     "%w@ = Tile-1(%v@, %d)\n%v^ = Gather-8(%w@, %i, %ax)\n%a@ = Sin-1(%w@)\n%r@ = "
     "Result-1(%a@)\n"},
    {"states-read", 6, "",
     "%q@ = ReadValue-6(%x) {variable_id = \"s@\", variable_type = f32, variable_shape = [1,4]}\n"
     "%c@ = Concat-1(%q@, %v@) {axis = 0}\n%g@ = Sin-1(%q@)\n%z@ = Assign-6(%g@) {variable_id = "
     "\"s@\"}\n"
     "%r@ = Result-1(%c@)\n%v^ = Maximum-1(%v@, %q@)\n"},
    {"converts", 4, "",
     "%a@ = Convert-1(%v@) {destination_type = f64}\n%b@ = Sin-1(%a@)\n"
     "%c@ = Convert-1(%b@) {destination_type = f32}\n%v^ = Tanh-1(%c@)\n"},
};

static void repeat(inlay_strbuf *b, const struct repeated *r, int n)
{
    int count = n / r->nodes;

    parameter(b, 1);
    inlay_strbuf_printf(b, "%%v0 = Abs-1(%%x)\n%s", r->before);
    for (int i = 0; i < count; i++) {
        for (const char *c = r->piece; *c; c++) {
            if (*c == '@' || *c == '^')
                inlay_strbuf_printf(b, "%d", i + (*c == '^'));
            else
                inlay_strbuf_printf(b, "%c", *c);
        }
    }
    inlay_strbuf_printf(b, "%%out = Result-1(%%v%d)\n", count);
}

static const struct kind {
    const char *name;
    void (*write)(inlay_strbuf *b, int n);
} kinds[] = {
    {"chain", chain},
    {"windows-in-turn", windows_in_turn},
    {"windows-distinct", windows_distinct},
    {"wide", wide},
    {"foldable", foldable},
    {"common", common},
    {"many-slices", many_slices},
    {"many-outputs", many_outputs},
    {"many-variables", many_variables},
    {"many-ports", many_ports},
    {"concats", concats},
    {"gathers", gathers},
    {"ladder", ladder},
    {"tree", tree},
    {"tower", tower},
    {"many-bodies", many_bodies},
    {"many-sizes", many_sizes},
    {"many-names", many_names},
    {"many-rewrites", many_rewrites},
    {"layers", layers},
    {"equal-constants", equal_constants},
    {"long-constant", long_constant},
    {"split", split},
    {"order-edges", order_edges},
    {"dialect", dialect},
    {"parameters", parameters},
    {"strings", strings},
    {"long-lives", long_lives},
};

enum { WRITTEN = sizeof kinds / sizeof *kinds, REPEATED = sizeof repeated / sizeof *repeated };

_Static_assert(WRITTEN + REPEATED == SCALING_KINDS, "the header counts them");

const char *scaling_kind(size_t i)
{
    if (i >= SCALING_KINDS)
        return NULL;
    return i < WRITTEN ? kinds[i].name : repeated[i - WRITTEN].name;
}

void scaling_text(size_t i, int n, inlay_strbuf *out)
{
    inlay_strbuf_printf(out, "graph \"%s\" {\n", scaling_kind(i));
    if (i < WRITTEN)
        kinds[i].write(out, n);
    else
        repeat(out, &repeated[i - WRITTEN], n);
    inlay_strbuf_puts(out, "}\n");
}
