#include "claims.h"

#include "graphs.h"
#include "ir/shared.h"

inlay_value *value_called(inlay_graph *g, const char *name)
{
    char node[64];
    int index = 0;

    if (sscanf(name, "%63[^.].%d", node, &index) < 1 || !inlay_graph_node(g, node))
        fail_msg("there is no node \"%s\"", name);
    return &inlay_graph_node(g, node)->out[index];
}

/* LIST is `{O3 z, N1 d}`: what the note of V states. */
static void set_grounds(inlay_value *v, const char *list)
{
    char word[8], node[64];

    assert_true(inlay_value_state_grounds(v, NULL));
    for (list++; list += strspn(list, " ,"), *list && *list != '}'; list += strcspn(list, ",}")) {
        assert_int_equal(sscanf(list, "%7s %63[^,} ]", word, node), 2);
        assert_true(inlay_value_add_ground(v, inlay_condition_of_word(word, strlen(word)),
                                           inlay_graph_node(v->node->graph, node), NULL));
    }
}

static void set_note(inlay_graph *g, const char *claim)
{
    char a[64], kind[64], b[64];

    if (sscanf(claim, " %63s view of %63s", a, b) == 2) {
        assert_true(
            inlay_value_set_note(value_called(g, a), INLAY_VIEW_OF, value_called(g, b), NULL));
        return;
    }
    assert_int_equal(sscanf(claim, " %63s %63s %63s", a, kind, b), 3);
    if (strcmp(kind, "before") == 0)
        assert_true(
            inlay_graph_add_order_edge(g, inlay_graph_node(g, a), inlay_graph_node(g, b), NULL));
    else
        assert_true(inlay_value_set_note(value_called(g, a),
                                         strcmp(kind, "into") == 0 ? INLAY_INTO : INLAY_OVERWRITES,
                                         value_called(g, b), NULL));
}

static void set_claim(inlay_graph *g, const char *claim)
{
    const char *grounds = strchr(claim, '{');
    char name[64];

    set_note(g, claim);
    if (grounds && sscanf(claim, " %63s", name) == 1)
        set_grounds(value_called(g, name), grounds);
}

void set_claims(inlay_graph *g, const char *claims)
{
    char copy[1024], *at = copy;

    snprintf(copy, sizeof copy, "%s", claims);
    while (at && *at) {
        char *end = strchr(at, ';');

        if (end)
            *end++ = '\0';
        set_claim(g, at);
        at = end;
    }
}

void judge_claims(const char *body, const char *claims, char *text, size_t size)
{
    inlay_graph *g = graph_of(body);
    inlay_diags *d = inlay_diags_new();
    inlay_order_list order;
    const inlay_value *bad = NULL;
    bool ok;

    set_claims(g, claims);
    assert_true(inlay_order(g, false, &order, d));
    ok = inlay_check_notes(g, &order, &bad, d);
    assert_int_equal(ok, bad == NULL);
    assert_int_equal(ok, inlay_diags_count(d) == 0);
    snprintf(text, size, "%s", ok ? "" : inlay_diags_at(d, 0)->text);
    inlay_order_free(&order);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

void check_legal(const char *body, const char *claims)
{
    char text[1024];

    judge_claims(body, claims, text, sizeof text);
    if (*text)
        fail_msg("%s\n%s\nis legal, but: %s", body, claims, text);
}

void check_illegal(const char *body, const char *claims, const char *note, const char *why)
{
    char text[1024], wanted[1024];

    judge_claims(body, claims, text, sizeof text);
    snprintf(wanted, sizeof wanted, "the storage note %s is illegal: %s", note, why);
    if (!strstr(text, wanted) || strlen(strstr(text, wanted)) != strlen(wanted))
        fail_msg("%s\n%s\nwanted: %s\nfound:  %s", body, claims, wanted, text);
}
