/* Prints which values of two graphs are equal, and where the graphs begin to differ. */
#include "cli/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 6, MOST_ROWS = 20 };

/* Outputs with a smaller error are perhaps those of a model that was made less precise. */
#define NEAR 0.3

struct tell {
    const match *m;
    bool *in_a, *in_b; /* the values of the piece */
};

static size_t count_values(const match_side *s, bool paired)
{
    size_t n = 0;

    for (int i = 0; i < s->n; i++)
        n += s->values[i].varies && (!paired || s->values[i].pair >= 0);
    return n;
}

/* ---- the piece ---- */

/* Is value I the first output of a node in the piece? */
static bool begins_node(const match_side *s, const bool *in, int i)
{
    const inlay_node *n = s->values[i].v->node;
    bool before = false;

    for (int j = s->first[n->id]; j < i; j++)
        before = before || in[j];
    return in[i] && !before;
}

static int count_nodes(const match_side *s, const bool *in)
{
    int n = 0;

    for (int i = 0; i < s->n; i++)
        n += begins_node(s, in, i);
    return n;
}

/* Of a piece of many nodes the last ones are printed. */
static void print_nodes(const char *name, const match_side *s, const bool *in)
{
    int n = count_nodes(s, in), skip = n - MOST_NODES;

    cli_say(stdout, "    %s:", name);
    if (skip > 0)
        printf(" %d more nodes, then", skip);
    for (int i = 0, k = 0; i < s->n; i++) {
        if (!begins_node(s, in, i) || k++ < skip)
            continue;
        fputs(k > 1 && k > skip + 1 ? ", " : " ", stdout);
        cli_print_node(stdout, s->values[i].v->node);
    }
    putchar('\n');
}

static void json_nodes(const char *name, const match_side *s, const bool *in)
{
    bool first = true;

    cli_say(stdout, "\"%s\": [", name);
    for (int i = 0; i < s->n; i++) {
        if (!begins_node(s, in, i))
            continue;
        fputs(first ? "" : ", ", stdout);
        cli_json_string(stdout, s->values[i].v->node->name);
        first = false;
    }
    putchar(']');
}

/* Is value J, a counterpart, read in the piece? */
static bool is_read(const match_side *s, const bool *in, int j)
{
    bool read = false;

    for (const inlay_use *u = s->values[j].v->uses; u && !read; u = u->next) {
        for (int k = 0; k < u->node->n_out && !read; k++)
            read = in[match_index(s, &u->node->out[k])];
    }
    return read && !in[j] && s->values[j].varies;
}

static void print_value(const match_side *s, int i)
{
    const inlay_value *v = s->values[i].v;

    cli_say(stdout, "\"%s", v->node->name);
    if (v->node->n_out > 1)
        printf(".%d", v->index);
    putchar('"');
}

static void print_inputs(const struct tell *t)
{
    const match *m = t->m;
    bool first = true;

    fputs("    both begin with ", stdout);
    for (int j = 0; j < m->b.n; j++) {
        if (!is_read(&m->b, t->in_b, j))
            continue;
        fputs(first ? "" : ", ", stdout);
        print_value(&m->b, j);
        if (m->b.values[j].pair >= 0) {
            fputs(" = ", stdout);
            print_value(&m->a, m->b.values[j].pair);
        }
        first = false;
    }
    puts(first ? "constants" : "");
}

static void describe(const match *m, char *why, size_t size)
{
    const match_value *x = &m->a.values[m->piece.a], *y = &m->b.values[m->piece.b];

    if (!y->t[m->draw])
        snprintf(why, size, "the second graph cannot compute it: %s", m->b.failure);
    else if (!match_comparable(x->t[m->draw], y->t[m->draw]))
        snprintf(why, size, "types or numbers of elements differ");
    else
        snprintf(why, size, "the error is %.3g of what is usual",
                 match_error(x->t[m->draw], y->t[m->draw]));
}

static void print_piece(const struct tell *t)
{
    const match *m = t->m;
    char why[700];

    describe(m, why, sizeof why);
    puts("  the first piece that differs:");
    print_nodes("A", &m->a, t->in_a);
    print_nodes("B", &m->b, t->in_b);
    print_inputs(t);
    fputs("    A gives ", stdout);
    print_value(&m->a, m->piece.a);
    fputs(", B ", stdout);
    print_value(&m->b, m->piece.b);
    cli_say(stdout, ": %s\n", why);
}

static void json_piece(const struct tell *t)
{
    const match *m = t->m;
    char why[700];
    bool first = true;

    describe(m, why, sizeof why);
    fputs(", \"piece\": {", stdout);
    json_nodes("a", &m->a, t->in_a);
    fputs(", ", stdout);
    json_nodes("b", &m->b, t->in_b);
    fputs(", \"inputs\": [", stdout);
    for (int j = 0; j < m->b.n; j++) {
        int i = m->b.values[j].pair;

        if (!is_read(&m->b, t->in_b, j))
            continue;
        fputs(first ? "{\"b\": " : ", {\"b\": ", stdout);
        cli_json_string(stdout, m->b.values[j].v->node->name);
        cli_json_field(stdout, "a", i >= 0 ? m->a.values[i].v->node->name : NULL);
        putchar('}');
        first = false;
    }
    putchar(']');
    cli_json_field(stdout, "why", why);
    putchar('}');
}

/* ---- the errors of pairs ---- */

struct row {
    int a, b;
    double error;
};

static int worst_first(const void *x, const void *y)
{
    const struct row *p = x, *q = y;

    return p->error != q->error ? (p->error < q->error) - (p->error > q->error)
                                : (p->b > q->b) - (p->b < q->b);
}

/* The mean error of a pair in all draws. */
static double error_of(const match *m, int a, int b)
{
    const match_value *x = &m->a.values[a], *y = &m->b.values[b];
    double error = 0;

    for (int k = 0; k < m->draws; k++)
        error += x->t[k] && y->t[k] && match_comparable(x->t[k], y->t[k])
                     ? match_error(x->t[k], y->t[k])
                     : INFINITY;
    return error / m->draws;
}

static struct row *list_rows(const match *m, size_t *n, inlay_diags *d)
{
    struct row *rows = calloc((size_t)m->b.n + 1, sizeof *rows);

    *n = 0;
    for (int b = 0; rows && b < m->b.n; b++) {
        int a = m->b.values[b].pair;

        if (a >= 0 && m->b.values[b].varies &&
            !inlay_node_is(m->b.values[b].v->node, INLAY_OP_PARAMETER))
            rows[(*n)++] = (struct row){a, b, error_of(m, a, b)};
    }
    if (rows)
        qsort(rows, *n, sizeof *rows, worst_first);
    else
        inlay_fail_memory(d);
    return rows;
}

static bool print_errors(const match *m, inlay_diags *d)
{
    size_t n;
    struct row *rows = list_rows(m, &n, d);

    cli_say(stdout, "  %10s  value of A, and of B\n", "error");
    for (size_t i = 0; rows && i < n && i < MOST_ROWS; i++) {
        printf("  %10.3g  ", rows[i].error);
        cli_print_node(stdout, m->a.values[rows[i].a].v->node);
        fputs(", ", stdout);
        cli_print_node(stdout, m->b.values[rows[i].b].v->node);
        putchar('\n');
    }
    if (n > MOST_ROWS)
        printf("  and %zu with smaller errors\n", n - MOST_ROWS);
    free(rows);
    return rows != NULL;
}

static bool json_errors(const match *m, inlay_diags *d)
{
    size_t n;
    struct row *rows = list_rows(m, &n, d);

    fputs(", \"errors\": [", stdout);
    for (size_t i = 0; rows && i < n; i++) {
        fputs(i ? ",\n  {\"a\": " : "\n  {\"a\": ", stdout);
        cli_json_string(stdout, m->a.values[rows[i].a].v->node->name);
        cli_json_field(stdout, "b", m->b.values[rows[i].b].v->node->name);
        if (isfinite(rows[i].error))
            printf(", \"error\": %.6g}", rows[i].error);
        else
            fputs(", \"error\": null}", stdout);
    }
    putchar(']');
    free(rows);
    return rows != NULL;
}

/* ---- all of it ---- */

/* The largest error of an output. */
static double worst_output(const match *m)
{
    double worst = 0;

    for (int i = 0; i < m->b.g->n_results; i++)
        worst =
            fmax(worst, error_of(m, match_output(&m->a, m->outputs[i]), match_output(&m->b, i)));
    return worst;
}

static void print_verdict(const match *m)
{
    size_t differ = match_differing(m);
    double worst = worst_output(m);
    int n = m->b.g->n_results;

    if (differ > 0)
        printf("different: %zu of %d output%s differ%s, by %.3g of what is usual%s\n", differ, n,
               inlay_plural(n, "", "s"), inlay_plural((int64_t)differ, "s", ""), worst,
               worst < NEAR && !m->near ? "; --errors lists where that comes from" : "");
    else
        printf("same: %d output%s agree%s on %d draw%s of inputs\n", n, inlay_plural(n, "", "s"),
               inlay_plural(n, "s", ""), m->draws, inlay_plural(m->draws, "", "s"));
    printf("  values with a counterpart: %zu of %zu in A, %zu of %zu in B\n",
           count_values(&m->a, true), count_values(&m->a, false), count_values(&m->b, true),
           count_values(&m->b, false));
}

static void json_verdict(const match *m)
{
    size_t differ = match_differing(m);
    double worst = worst_output(m);

    printf("{\"result\": \"%s\", \"draws\": %d, \"outputs\": %d, \"different\": %zu, \"values\": "
           "{\"a\": %zu, \"a_paired\": %zu, \"b\": %zu, \"b_paired\": %zu}",
           differ ? "different" : "same", m->draws, m->b.g->n_results, differ,
           count_values(&m->a, false), count_values(&m->a, true), count_values(&m->b, false),
           count_values(&m->b, true));
    if (isfinite(worst))
        printf(", \"error\": %.6g", worst);
}

int match_tell(const match *m, bool json, inlay_diags *d)
{
    struct tell t = {m, calloc((size_t)m->a.n + 1, 1), calloc((size_t)m->b.n + 1, 1)};
    size_t differ = match_differing(m);
    bool ok = (t.in_a && t.in_b) || inlay_fail_memory(d);

    if (ok && m->piece.b >= 0) {
        match_mark_piece(m, false, t.in_a);
        match_mark_piece(m, true, t.in_b);
    }
    if (ok)
        (json ? json_verdict : print_verdict)(m);
    if (ok && m->piece.b >= 0)
        (json ? json_piece : print_piece)(&t);
    if (ok && m->near)
        ok = (json ? json_errors : print_errors)(m, d);
    if (ok && json)
        puts("}");
    free(t.in_a);
    free(t.in_b);
    return !ok ? INLAY_NO_RESOURCE : differ > 0 ? INLAY_DIFFERENT : INLAY_OK;
}
