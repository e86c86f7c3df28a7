#include "tests/unit/texts.h"
#include "unit.h"

#include "tests/unit/models.h"

static inlay_graph *read(const char *text, inlay_diags *d)
{
    static const inlay_read_options options = {.allow_unknown = true};

    assert_non_null(d);
    return inlay_read_text("test.inlay", text, strlen(text), &options, d);
}

inlay_graph *graph_of_text(const char *text)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read(text, d);

    if (!g)
        fail_msg("not read: %s", model_messages(d));
    assert_int_equal(inlay_diags_count(d), 0);
    inlay_diags_free(d);
    return g;
}

const char *text_refusal(const char *text)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = read(text, d);
    const char *said = model_messages(d);

    if (g)
        fail_msg("this was read: %s", text);
    assert_int_equal(inlay_diags_status(d), INLAY_INVALID);
    inlay_diags_free(d);
    return said;
}

char *text_of_graph(const inlay_graph *g, bool full)
{
    inlay_strbuf b = {0};
    inlay_sink to = {inlay_strbuf_sink, &b};
    inlay_diags *d = inlay_diags_new();

    if (!inlay_print(g, full, &to, d))
        fail_msg("not printed: %s", model_messages(d));
    inlay_diags_free(d);
    return b.bytes;
}

void check_round_trip(const inlay_graph *g, const char *expected)
{
    char *text = text_of_graph(g, true), *again, why[300] = "";
    inlay_graph *back;

    assert_string_equal(text, expected);
    back = graph_of_text(text);
    again = text_of_graph(back, true);
    assert_string_equal(again, text);
    if (!inlay_graph_equal(g, back, why, sizeof why))
        fail_msg("not equal: %s", why);
    inlay_graph_free(back);
    free(text);
    free(again);
}

void append_meta(inlay_meta **list, inlay_meta *m)
{
    while (*list)
        list = &(*list)->next;
    *list = m;
}
