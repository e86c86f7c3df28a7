/* Rows of operations that a program adds, of any bytes: the first lines are the texts of rows, each ROW_LINES of them,
 * up to an empty one; a graph that may have these operations follows. */
#include "fuzz.h"
#include "ir/infer.h"
#include "parser/parser.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 4, ROW_LINES = 6 };

/* Says of every output what is known of operand 0. */
static bool infer_like_first(inlay_infer *cx)
{
    for (int i = 0; i < cx->n_out; i++)
        if (cx->n_in < 1 || !cx->in[0] || !inlay_infer_set_out_like(cx, i, 0))
            return inlay_infer_fail(cx, "there is no operand");
    return true;
}

/* Takes the next line off *TEXT, which becomes NULL behind the last one. */
static const char *take_line(char **text)
{
    return *text ? strsep(text, "\n") : "";
}

static size_t take_rows(char **text, inlay_op_def *rows)
{
    size_t n = 0;

    while (n < MOST_ROWS) {
        const char *type = take_line(text);

        if (!*type)
            break;
        rows[n] = (inlay_op_def){.type = type, .version = 1, .infer = infer_like_first};
        rows[n].opsets = take_line(text);
        rows[n].inputs = take_line(text);
        rows[n].outputs = take_line(text);
        rows[n].attributes = take_line(text);
        rows[n++].flags = take_line(text);
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char *copy = malloc(n + 1), *text = copy;
    inlay_op_def rows[MOST_ROWS];
    inlay_diags *d = inlay_diags_new();
    inlay_read_options o = {.max_bytes = FUZZ_MOST_BYTES, .max_memory = 16 * FUZZ_MOST_BYTES};

    if (!copy)
        return 0;
    if (n > 0)
        memcpy(copy, bytes, n);
    copy[n] = '\0';
    o.ops = inlay_op_set_new(NULL, rows, take_rows(&text, rows), d);
    if (o.ops && text) {
        fuzz_model(inlay_read_text("fuzz.inlay", text, strlen(text), &o, d), d);
    } else {
        if (!o.ops && !inlay_diags_error(d))
            fuzz_broken("a row that is refused has a reason", d);
        inlay_diags_free(d);
    }
    inlay_op_set_release(o.ops);
    free(copy);
    return 0;
}
