/* The pass in-place-windows and the checker of storage notes call what they refuse by one name. In
 * the cases no_<condition>* of tests/passes/in-place-windows the pass refuses a note; here that
 * note is set all the same, beside all that the pass made, and the checker must refuse it because
 * of the same condition. */
#include "graphs.h"
#include "ir/shared.h"

#include "parser/parser.h"
#include "passes/passes.h"

#include <dirent.h>

#define FOLDER "tests/passes/in-place-windows/"

enum { MAX_REFUSED = 32 };

/* A note that the pass refused to V, because of CONDITION. */
struct refused {
    inlay_value *v, *target;
    inlay_note_kind kind;
    char condition[32];
};

struct told {
    struct refused list[MAX_REFUSED];
    int n;
};

static void add(struct told *t, const inlay_decision *d, const inlay_node *node, int output,
                inlay_note_kind kind, const inlay_value *target)
{
    if (!d->asked || d->made || !d->condition || !target || node->n_out <= output)
        return;
    assert_true(t->n < MAX_REFUSED);
    t->list[t->n].v = (inlay_value *)&node->out[output];
    t->list[t->n].target = (inlay_value *)target;
    t->list[t->n].kind = kind;
    snprintf(t->list[t->n].condition, sizeof t->list[t->n].condition, "%s", d->condition);
    t->n++;
}

static void add_scatter(struct told *t, const inlay_in_place *what)
{
    const inlay_node *n = what->scatter;
    int data = n->n_bodies > 0 ? what->input : n->op->overwrites;
    const inlay_value *updates = inlay_node_operand(n, INLAY_ROLE_UPDATES);

    for (int i = 0; i < n->n_out; i++)
        add(t, &what->overwrite, n, i, INLAY_OVERWRITES, n->in[data].value);
    if (what->slice)
        add(t, &what->view, what->slice, 0, INLAY_VIEW_OF, what->slice->in[0].value);
    if (updates)
        add(t, &what->into, updates->node, updates->index, INLAY_INTO, &n->out[0]);
}

static void add_link(struct told *t, const inlay_in_place *what, const inlay_node *link,
                     const char *condition)
{
    inlay_decision d = {.asked = true, .condition = condition};

    add(t, &d, link, 0, INLAY_INTO, &what->scatter->out[0]);
}

/* Links of a chain that are computed elsewhere: only the remark on the chain says so, and why: the
 * links before are computed outside (I6 element-width: "h"). Who is named is the link, or reads it.
 */
static void add_rest(struct told *t, const inlay_in_place *what)
{
    const char *remark = what->into.made ? what->into.remark : NULL;
    const char *open = remark ? strrchr(remark, '(') : NULL;
    char name[80], rest[32];
    const inlay_node *link;

    if (!open || sscanf(open, "(%31[^:]: \"%79[^\"]\"", rest, name) != 2)
        return;
    link = inlay_graph_node(what->scatter->graph, name);
    add_link(t, what, link, rest);
    for (int i = 0; i < link->n_in; i++) {
        if (link->in[i].value)
            add_link(t, what, link->in[i].value->node, rest);
    }
}

static void add_copy(struct told *t, const inlay_copy *copy)
{
    const inlay_value *held = copy->input >= 0 ? copy->node->in[copy->input].value : NULL;

    add(t, &copy->view, copy->node, 0, INLAY_VIEW_OF, copy->node->in[0].value);
    if (held)
        add(t, &copy->into, held->node, held->index, INLAY_INTO, &copy->node->out[0]);
}

static void add_decided(struct told *t, const inlay_in_place *what)
{
    add_scatter(t, what);
    add_rest(t, what);
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    (void)d;
    if (e->kind == INLAY_EVENT_DECIDED)
        add_decided(ctx, e->as.in_place);
    else if (e->kind == INLAY_EVENT_COPIES)
        add_copy(ctx, e->as.copy);
    return true;
}

/* Puts into TEXT what the checker says of R's note beside the others of its graph; "": nothing. */
static void plant(const struct refused *r, char *text, size_t size)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = r->v->node->graph;
    inlay_note_kind kind = r->v->note;
    inlay_value *target = r->v->note_target;
    inlay_order_list order;

    inlay_graph_forget_grounds(g); /* one note more changes what the others rely on */
    assert_true(inlay_value_set_note(r->v, r->kind, r->target, d));
    assert_true(inlay_order(g, false, &order, d));
    *text = '\0';
    if (!inlay_check_notes(g, &order, NULL, d))
        snprintf(text, size, "%s", inlay_diags_at(d, 0)->text);
    assert_true(inlay_value_set_note(r->v, kind, target, d));
    inlay_order_free(&order);
    inlay_diags_free(d);
}

/* Is there a note in T that the pass refused because of CONDITION ("O3"; "": of any), and the
 * checker because of the same? TEXT receives what it said of the last one. */
static bool same_name(const struct told *t, const char *condition, char *text, size_t size)
{
    size_t letters = strlen(condition);
    bool same = false;

    snprintf(text, size, "no note is refused");
    for (int i = 0; !same && i < t->n; i++) {
        const struct refused *r = &t->list[i];
        char name[80];

        if (letters > 0 &&
            (strncmp(r->condition, condition, letters) != 0 || r->condition[letters] != ' '))
            continue;
        plant(r, text, size);
        snprintf(name, sizeof name, "(%s)", r->condition);
        same = strstr(text, name) != NULL;
    }
    return same;
}

/* Cases in which the checker accepts what the pass does not make. */
static bool is_legal(const char *file)
{
    static const char *const legal[] = {
        "no_V2.inlay",        /* it would be copied for its reader all the same */
        "no_V2_scalar.inlay", /* the same */
        "no_V2_part.inlay",   /* the same */
        "no_V2_open.inlay",   /* the same */
        "no_V2_listed.inlay", /* the same */
        "no_I5_listed.inlay", /* the same */
        "no_N10.inlay",       /* the value has one note, which moves to the other window */
        "no_O5_needed.inlay"  /* the second successor covers all that the first wrote */
    };

    for (size_t i = 0; i < sizeof legal / sizeof legal[0]; i++) {
        if (strcmp(file, legal[i]) == 0)
            return true;
    }
    return false;
}

/* N3, N8, N10 and N12 permit something; what is not allowed breaks another condition. */
static const char *condition_of(const char *file, char *buf)
{
    static const char *const permit[] = {"N3", "N8", "N10", "N12"};

    assert_int_equal(sscanf(file, "no_%7[A-Z0-9]", buf), 1);
    for (size_t i = 0; i < sizeof permit / sizeof permit[0]; i++) {
        if (strcmp(buf, permit[i]) == 0)
            *buf = '\0';
    }
    return buf;
}

static bool judge(const char *file)
{
    struct told told = {0};
    inlay_evaluator reference = inlay_reference_evaluator(NULL);
    inlay_pass_options o = {.passes = "in-place-windows", .evaluator = &reference};
    inlay_diags *d = inlay_diags_new();
    char path[300], text[1024], condition[8];
    inlay_graph *g;
    bool same;

    snprintf(path, sizeof path, FOLDER "%s", file);
    g = inlay_read_file(path, NULL, d);
    if (!g)
        fail_msg("%s: %s", file, inlay_diags_at(d, 0)->text);
    o.events = (inlay_events){receive, &told, false};
    assert_true(inlay_run_passes(g, &o, d));
    condition_of(file, condition);
    same = same_name(&told, condition, text, sizeof text);
    if (!same && is_legal(file))
        assert_string_equal(text, "");
    if (!same && !is_legal(file))
        print_error("%s: %s\n", file, *text ? text : "legal");
    same = same || is_legal(file);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return same;
}

static void test_one_name(void **state)
{
    DIR *folder = opendir(FOLDER);
    struct dirent *e;
    int n = 0, wrong = 0;

    assert_non_null(folder);
    while ((e = readdir(folder))) {
        if (strncmp(e->d_name, "no_", 3) != 0 || !strpbrk(e->d_name, "OVIBN"))
            continue;
        n++;
        wrong += !judge(e->d_name);
    }
    closedir(folder);
    assert_true(n > 60);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_name)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
