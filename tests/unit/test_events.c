/* The stream of events: what passes tell while they run, and what vetoes do. The expected streams
 * are written by hand from the graph and the rules. */
#include "graphs.h"
#include "models.h"

#include "passes/passes.h"

/* What is told, with a line for each event; the applications above LAST are vetoed. */
typedef struct log {
    inlay_strbuf text;
    uint64_t last;
    const char *stop; /* the pass at whose end the run is stopped, or NULL */
} log_t;

static const char *const kinds[] = {"begins",  "ends",   "tries",  "applied",
                                    "decided", "copies", "missed", "said"};

static void put_application(inlay_strbuf *b, const inlay_application *a)
{
    inlay_strbuf_printf(b, " %d %s at %s%s", (int)a->serial, a->rule ? a->rule->name : "-",
                        a->at->name, a->first ? " first" : "");
    for (size_t i = 0; i < a->n_replaced; i++)
        inlay_strbuf_printf(b, " -%s", a->replaced[i]->name);
    for (const inlay_node *n = a->made; n; n = n->next)
        inlay_strbuf_printf(b, " +%s", n->name);
}

static void put_event(inlay_strbuf *b, const inlay_event *e)
{
    inlay_strbuf_printf(b, "%s %s", e->pass, kinds[e->kind]);
    switch (e->kind) {
    case INLAY_EVENT_PASS_BEGINS:
        break;
    case INLAY_EVENT_PASS_ENDS:
        inlay_strbuf_printf(b, " %d", (int)e->as.stats->changes);
        break;
    case INLAY_EVENT_WILL_APPLY:
    case INLAY_EVENT_APPLIED:
        put_application(b, e->as.application);
        break;
    case INLAY_EVENT_DECIDED:
        inlay_strbuf_printf(b, " %s %d", e->as.in_place->scatter->name,
                            e->as.in_place->overwrite.made);
        break;
    case INLAY_EVENT_COPIES:
        inlay_strbuf_printf(b, " %s %d", e->as.copy->node->name, (int)e->as.copy->bytes);
        break;
    case INLAY_EVENT_MISSED:
        inlay_strbuf_printf(b, " %s: %s", e->as.miss->rule->name, e->as.miss->why);
        break;
    case INLAY_EVENT_SAID:
        inlay_strbuf_printf(b, " %s", e->as.message->text);
    }
    inlay_strbuf_puts(b, "\n");
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    log_t *log = ctx;

    assert_non_null(e->graph);
    put_event(&log->text, e);
    if (e->kind == INLAY_EVENT_WILL_APPLY)
        return e->as.application->serial <= log->last;
    if (e->kind == INLAY_EVENT_PASS_ENDS && log->stop && strcmp(log->stop, e->pass) == 0)
        return inlay_fail(d, NULL, "enough");
    return true;
}

static const char rules[] = "rule same exact: Abs(Abs(x)) => Abs(x)\n"
                            "rule lift exact: Negative(Transpose(x, p)) => "
                            "Transpose(Negative(x), p)\n";

static bool run_passes(inlay_graph *g, const char *passes, log_t *log, bool misses, inlay_diags *d)
{
    inlay_rules *own = inlay_rules_parse("own.rules", rules, strlen(rules), d);
    const inlay_rules *sets[1] = {own};
    inlay_evaluator ev = inlay_reference_evaluator(NULL);
    inlay_pass_options o = {.passes = passes,
                            .check = true,
                            .evaluator = &ev,
                            .rules = sets,
                            .n_rules = 1,
                            .events = {receive, log, misses}};
    bool ok = inlay_run_passes(g, &o, d);

    inlay_rules_free(own);
    return ok;
}

/* Checks that PASSES over BODY tell WANTED when what comes after application LAST is vetoed. */
static void check_told(const char *body, const char *passes, uint64_t last, bool misses,
                       const char *wanted)
{
    log_t log = {.last = last};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of(body);

    if (!run_passes(g, passes, &log, misses, d))
        fail_msg("%s", model_messages(d));
    assert_string_equal(log.text.bytes, wanted);
    inlay_strbuf_free(&log.text);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

#define RULES                                                                                      \
    "%x = Parameter-1 {element_type = f32, shape = [2,3]}\n%p = Const {value = i64[2] [1, 0]}\n"   \
    "%a = Abs(%x)\n%b = Abs(%a)\n%c = Abs(%b)\n%t = Transpose(%c, %p)\n%n = Negative(%t)\n"        \
    "%r = Result(%n)\n"

/* The worklist goes in canonical order: b is Abs(Abs(x)) and goes, then c follows, and n is
 * last. */
static void test_rules(void **state)
{
    check_told(RULES, "rules", UINT64_MAX, false,
               "rules begins\n"
               "rules tries 1 same at b first\n"
               "rules applied 1 same at b first -a -b +b\n"
               "rules tries 2 same at c\n"
               "rules applied 2 same at c -b -c +c\n"
               "rules tries 3 lift at n first\n"
               "rules applied 3 lift at n first -t -n +Negative +n\n"
               "rules ends 3\n");
}

/* An application that is vetoed is no change, and the next one has its number. */
static void test_vetoed_rules(void **state)
{
    check_told(RULES, "rules", 1, false,
               "rules begins\n"
               "rules tries 1 same at b first\n"
               "rules applied 1 same at b first -a -b +b\n"
               "rules tries 2 same at c\n"
               "rules tries 2 lift at n first\n"
               "rules tries 2 same at c\n"
               "rules tries 2 lift at n first\n"
               "rules ends 1\n");
    check_told(RULES, "rules", 0, false,
               "rules begins\n"
               "rules tries 1 same at b first\n"
               "rules tries 1 same at c first\n"
               "rules tries 1 lift at n first\n"
               "rules ends 0\n");
}

/* A caller who asks is told why a rule did nothing. */
static void test_misses(void **state)
{
    const char *body = "%x = Parameter-1 {element_type = f32, shape = [2]}\n%a = Abs(%x)\n"
                       "%r = Result(%a)\n";

    check_told(body, "rules", 0, false, "rules begins\nrules ends 0\n");
    check_told(body, "rules", 0, true,
               "rules begins\n"
               "rules missed same: Parameter \"x\" is no Abs\n"
               "rules missed lift: there is no Negative\n"
               "rules ends 0\n");
}

#define PASSES                                                                                     \
    "%d = Parameter-1 {element_type = f32, shape = [8,2]}\n"                                       \
    "%u = Parameter-1 {element_type = f32, shape = [3,2]}\n"                                       \
    "%one = Const {value = i64[3] [1, 1, 1]}\n%two = Const {value = i64[3] [0, 2, 4]}\n"           \
    "%i = Add(%one, %two)\n%axis = Const {value = i64[] 0}\n%s = ScatterUpdate(%d, %i, %u, "       \
    "%axis)\n"                                                                                     \
    "%e = Exp(%s)\n%f = Exp(%s)\n%g = Add(%e, %f)\n%r = Result(%g)\n"

static const char all[] =
    "fold-constants,fold-scatter-update,eliminate-common,eliminate-dead,in-place-windows";

/* The sum of the indices is a constant; the indices are a window, which is looked at again and
 * stays; the Exps are one. Then nobody reads the constants that were added, the sum, and the axis
 * of the old scatter (the new scatter has its own). */
static void test_passes(void **state)
{
    check_told(PASSES, all, UINT64_MAX, false,
               "fold-constants begins\n"
               "fold-constants tries 1 - at i\n"
               "fold-constants applied 1 - at i -i +i\n"
               "fold-constants ends 1\n"
               "fold-scatter-update begins\n"
               "fold-scatter-update tries 2 - at s\n"
               "fold-scatter-update applied 2 - at s -s +start +stop +step +axes +s\n"
               "fold-scatter-update tries 3 - at s\n"
               "fold-scatter-update ends 1\n"
               "eliminate-common begins\n"
               "eliminate-common tries 3 - at f\n"
               "eliminate-common applied 3 - at f -f\n"
               "eliminate-common ends 1\n"
               "eliminate-dead begins\n"
               "eliminate-dead tries 4 - at one\n"
               "eliminate-dead applied 4 - at one -one -two -axis -i\n"
               "eliminate-dead ends 4\n"
               "in-place-windows begins\n"
               "in-place-windows decided s 1\n"
               "in-place-windows ends 1\n");
}

/* The graph is what it was when everything is vetoed. */
static void test_vetoed_passes(void **state)
{
    log_t log = {.last = 0};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of(PASSES), *before = inlay_graph_clone(g, d);

    if (!run_passes(g, "fold-constants,fold-scatter-update,eliminate-common,eliminate-dead,rules",
                    &log, false, d))
        fail_msg("%s", model_messages(d));
    assert_true(inlay_graph_equal(before, g, NULL, 0));
    assert_string_equal(log.text.bytes, "fold-constants begins\n"
                                        "fold-constants tries 1 - at i\n"
                                        "fold-constants ends 0\n"
                                        "fold-scatter-update begins\n"
                                        "fold-scatter-update tries 1 - at s\n"
                                        "fold-scatter-update ends 0\n"
                                        "eliminate-common begins\n"
                                        "eliminate-common tries 1 - at f\n"
                                        "eliminate-common ends 0\n"
                                        "eliminate-dead begins\n"
                                        "eliminate-dead ends 0\n"
                                        "rules begins\n"
                                        "rules ends 0\n");
    inlay_strbuf_free(&log.text);
    inlay_graph_free(before);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* A pass leaves a note, an operation that is only moved is copied. */
static void test_messages_and_copies(void **state)
{
    check_told(
        "%x = Parameter-1 {element_type = f32, shape = [4]}\n"
        "%p = Const {value = i64[1] [0]}\n%q = Parameter-1 {element_type = i32, shape = [2]}\n"
        "%a = Concat(%x, %x) {axis = 0}\n%r = Result(%a)\n",
        "in-place-windows", 0, false,
        "in-place-windows begins\n"
        "in-place-windows copies a 32\n"
        "in-place-windows ends 0\n");
    check_told("%a = Const {value = i64[1] [1]}\n%b = Const {value = i64[1] [0]}\n"
               "%c = Divide(%a, %b)\n%r = Result(%c)\n",
               "fold-constants", 0, false,
               "fold-constants begins\n"
               "fold-constants said node \"c\" (Divide-1): b[0] is 0: integers cannot be divided "
               "by zero; the "
               "node is left as it is\n"
               "fold-constants ends 0\n");
}

/* False at the end of a pass is an error. */
static void test_stop(void **state)
{
    log_t log = {.last = UINT64_MAX, .stop = "rules"};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of(RULES);

    assert_false(run_passes(g, "eliminate-dead,rules,eliminate-dead", &log, false, d));
    assert_string_equal(model_messages(d), "error: enough");
    assert_string_equal(strrchr(log.text.bytes, 'r'), "rules ends 3\n");
    inlay_strbuf_free(&log.text);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),         cmocka_unit_test(test_vetoed_rules),
        cmocka_unit_test(test_misses),        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_vetoed_passes), cmocka_unit_test(test_messages_and_copies),
        cmocka_unit_test(test_stop),
    };

    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
