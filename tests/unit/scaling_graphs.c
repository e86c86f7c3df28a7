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

static const struct kind {
    const char *name;
    void (*write)(inlay_strbuf *b, int n);
} kinds[SCALING_KINDS] = {
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
};

const char *scaling_kind(size_t i)
{
    return i < SCALING_KINDS ? kinds[i].name : NULL;
}

void scaling_text(size_t i, int n, inlay_strbuf *out)
{
    inlay_strbuf_printf(out, "graph \"%s\" {\n", kinds[i].name);
    kinds[i].write(out, n);
    inlay_strbuf_puts(out, "}\n");
}
