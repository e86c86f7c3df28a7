#include "misused.h"
#include "graphs.h"
#include "models.h"

misused misused_of(const char *body)
{
    misused s = {.g = graph_of(body), .d = inlay_diags_new()};

    s.x = inlay_graph_node(s.g, "x");
    s.b = inlay_graph_node(s.g, "b");
    return s;
}

void misused_free(misused *s)
{
    inlay_graph_free(s->g);
    inlay_diags_free(s->d);
}

void misused_said(const misused *s, const char *said)
{
    assert_string_equal(model_messages(s->d), said);
    assert_int_equal(inlay_diags_status(s->d), INLAY_INVALID);
    inlay_diags_clear(s->d);
}
