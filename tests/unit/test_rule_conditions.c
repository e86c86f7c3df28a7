/* Every condition of every built-in rule is seen to refuse: some no_ case of tests/rules/<rule>
 * must be refused by exactly that condition. The conditions of a rule are asked in order, so those
 * before it hold there; without it, the rule would go on. The same holds for what a left side says
 * besides types: a name that stands twice, a literal, an attribute. */
#include "models.h"
#include "rule_cases.h"
#include "unit.h"

enum { MAX_ATTRS = 32 };

/* Says what has refused a case of RULE: clauses by index; operands by node and index. */
struct refusals {
    const rule *rule;
    bool clause[RULE_CLAUSES], operand[RULE_NODES][RULE_TERMS], extra[RULE_NODES];
    const char *attr[RULE_NODES][MAX_ATTRS];
};

static void add_attr(const char **names, const char *attr)
{
    for (int i = 0; i < MAX_ATTRS; i++) {
        if (names[i] && strcmp(names[i], attr) == 0)
            return;
        if (!names[i]) {
            names[i] = attr;
            return;
        }
    }
}

static void mark(void *ctx, const inlay_node *n, const rule_match *m)
{
    struct refusals *seen = ctx;
    const rule_node *part = m->miss.part;
    size_t node = part ? (size_t)(part - m->rule->left.nodes) : 0;

    (void)n;
    if (m->failed)
        seen->clause[m->failed - m->rule->clauses] = true;
    else if (!part)
        return; /* it matched and does not fit */
    else if (m->miss.attr)
        add_attr(seen->attr[node], m->miss.attr);
    else if (m->miss.term)
        seen->operand[node][m->miss.term - part->in] = true;
    else if (m->miss.input >= 0)
        seen->extra[node] = true;
}

/* Runs the rule alone on its no_ cases, and returns how often it applied. */
static uint64_t run_cases(const inlay_rules *alone, struct refusals *seen)
{
    size_t n_cases;
    const rule_case *cases = rule_cases(&n_cases);
    uint64_t *counts = calloc(alone->n, sizeof *counts), applied;
    rule_run run = {.sets = &alone, .n_sets = 1, .counts = &counts, .refused = mark, .ctx = seen};

    assert_non_null(counts);
    for (size_t i = 0; i < n_cases; i++) {
        inlay_diags *d;
        inlay_graph *g;
        char *text;

        if (cases[i].yes || strcmp(cases[i].rule, seen->rule->name) != 0)
            continue;
        d = inlay_diags_new();
        g = rule_case_graph(&cases[i], &text, d);
        if (!rule_drive(g, &run, d))
            fail_msg("%s: %s", cases[i].path, model_messages(d));
        inlay_graph_free(g);
        inlay_diags_free(d);
        free(text);
    }
    applied = counts[seen->rule->index];
    free(counts);
    return applied;
}

/* What no graph can make fail first, or need alone, and why. Either text may be the beginning
 * only. */
static const struct exception {
    const char *rule, *what, *why;
} exceptions[] = {
    {"", "let axis = list(n)", "an attribute that must be there is known"},
    {"", "folds(f)", "no operation but reductions has keep_dims"},
    {"", "without folds(f)", "no operation but reductions has keep_dims"},
    {"reduction-of-", "let b = axes_before(a, p)", "the rest wants the same"},
    {"float-reduction-of-", "let b = axes_before(a, p)", "the rest wants the same"},
    {"onnx-slice-of-attributes", "let ", "attributes are known"},
    {"mindspore-scatter", "attribute value", "with src there is no number"},
    {"mindspore-scatter-number", "another operand", "with a number there is no src"},
    {"mindspore-scatter-number", "let s = static_shape(index)", "in_range wants a constant"},
    {"pad-nothing", "without ranked(x)",
     "the shape rule of Pad knows the rank, and less may not be known"},
    {"slice-of-concat", "let part = window_of_part(xs, n, w)", "part_of found it"},
    {"slice-of-concat-parts", "let ws = windows_of_parts(xs, n, w)", "parts_cut found them"},
    {"write-into-part", "let part = window_of_part(xs, n, w)", "part_of found it"},
    {"write-into-part", "let before = parts_before(xs, n, w)", "part_of found it"},
    {"write-into-part", "let behind = parts_behind(xs, n, w)", "part_of found it"},
    {"write-as-concat", "let ahead = ahead_of_cut(w)", "cut_axis found the axis"},
    {"write-as-concat", "let behind = behind_cut(w)", "cut_axis found the axis"},
    {"slice-as-variadic-split", "let lengths = cut_lengths(w)", "cut_axis found the axis"},
    {"select-", "let s = lengths(w)", "the window is known"},
    {"slice-of-padding", "let s = static_shape(z)", "in_padding wants a window that is known"},
    {"slice-of-zeros", "let s = static_shape(z)", "in_padding wants a window that is known"},
    {"slice-into-padding", "let before = padding_before(w, b, x)", "padded_part found it"},
    {"slice-into-padding", "let behind = padding_behind(w, b, x)", "padded_part found it"},
    {"slice-of-reshape", "let s = static_shape(z)", "unreshaped wants a window that is known"},
    {"slice-of-bidirectional", "let s = static_shape(z)", "the window is known by then"},
    {"slice-of-explicit", "let s = static_shape(z)", "the window is known by then"},
    {"slice-of-gather", "let q = gathered_indices(w, d, i, a)", "gathered_data wants the same"},
    {"slice-of-older-gather", "let q = gathered", "gathered_data wants the same"},
    {"slice-of-tile", "let r = tiled_repeats(w, x)", "tiled_part found it"},
    {"strided-slice", "let s = strided_steps(y)", "strided_starts wants the strides"},
    {"strided-slice", "let a = strided_axes(y)", "the attributes say it"},
    {"write-as-select", "let behind = room_behind(w, u)", "room_before wants the same"},
    {"write-as-select", "let n = lengths(w)", "room_before wants a window that is known"},
    {"write-into-number", "let behind = room_behind(w, u)", "room_before wants the same"},
    {"gather-of-unsqueeze", "attribute batch_dims", "an index without axes has no batch"},
    {"write-all-backward", "without covers(w)", "the new value has the old shape"},
    {"convert-nothing", "without has_type(x, t)", "the new value has the old type"},
    {"batch-norm", "let c = float(e, y)", "with constant numbers the type is known"},
    {"masked-softmax", "let k = only_number(l)", "very_low wants the same"},
    {"split-of-rotary", "let second = output_window(hi)", "first wants the same"},
    {"variadic-split-of-rotary", "let second = output_window(hi)", "first wants the same"},
    {"matmul-by-rows", "let r = swapped_last(p)", "last_is_before_last wants the same"},
    {"rotary", "let c2 = repeated_part(second, c, x)", "c1 wants the same"},
    {"rotary-of-part", "let c2 = repeated_part(g, c, x)", "c1 wants the same"},
    {"rotary-of-part", "let s2 = repeated_part(g, s, x)", "s1 wants the same"},
    {"rotary", "let s2 = repeated_part(second, s, x)", "s1 wants the same"},
    {"matmul-", "let x = unrepeated(z, r, q)", "split_sizes found the axis"},
    {"attention-of-repeated", "let x = unrepeated(z, r, q)", "split_sizes found the axis"},
    {"attention-of-repeated-open", "let i = axis_in_parts(r, z)", "split_sizes found the axis"},
    {"matmul-of-repeated-open", "let s = whole_kept(r, z)", "axis_in_parts found the axis"},
    {"gather-elements-of-transpose", "let q = inverse", "turned_back knows the order"},
    {"gather-elements-of-transpose", "let k = axis_before", "the shape rule has checked the axis"},
    {"tensor-scatter-of-transpose", "let q = inverse", "keeps_first wants an order"},
    {"tensor-scatter-of-transpose", "let k = axis_before", "the shape rule has checked the axis"},
    {"write-forward", "let back = mirrored(w)", "backward wants a window that is known"},
    {"write-forward", "let ahead = forward(w)", "backward wants a window that is known"},
};

enum { N_EXCEPTIONS = sizeof exceptions / sizeof exceptions[0] };

static int used[N_EXCEPTIONS];

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_exception(const rule *r, const char *what)
{
    for (int i = 0; i < N_EXCEPTIONS; i++) {
        if (begins(r->name, exceptions[i].rule) && begins(what, exceptions[i].what)) {
            used[i]++;
            return true;
        }
    }
    return false;
}

/* Checks that the rule applies to one of its no_ cases when condition I is left out. */
static int check_without(const inlay_rules *alone, rule *r, int i)
{
    const rule_clause clause = r->clauses[i];
    struct refusals seen = {.rule = r};
    size_t after = (size_t)(r->n_clauses - i - 1);
    uint64_t applied;
    char what[160];

    memmove(&r->clauses[i], &r->clauses[i + 1], after * sizeof clause);
    r->n_clauses--;
    applied = run_cases(alone, &seen);
    r->n_clauses++;
    memmove(&r->clauses[i + 1], &r->clauses[i], after * sizeof clause);
    r->clauses[i] = clause;
    snprintf(what, sizeof what, "without %s", clause.text);
    if (applied > 0 || is_exception(r, what))
        return 0;
    print_error("rule %s: it applies to no no_ case %s\n", r->name, what);
    return 1;
}

/* Reports WHAT of R as not seen to refuse, unless SEEN. */
static int missing(const rule *r, const char *what, bool seen)
{
    if (seen || is_exception(r, what))
        return 0;
    print_error("rule %s: no no_ case is refused by %s\n", r->name, what);
    return 1;
}

/* Names that have a meaning, in the order of matching. */
struct walk {
    const struct refusals *seen;
    bool known[RULE_NAMES], visited[RULE_NODES];
    int missing;
};

static void walk_node(struct walk *w, int index);

static void walk_operand(struct walk *w, int index, int i)
{
    const rule *r = w->seen->rule;
    const rule_node *node = &r->left.nodes[index];
    const rule_term *t = &node->in[i];
    bool named = t->kind == TERM_NAME || t->kind == TERM_REST || t->kind == TERM_WINDOW;
    const rule_name *name = named ? &r->names[t->name] : NULL;
    bool from_node = name && name->node >= 0;
    char what[160];

    if (t->kind == TERM_NODE)
        walk_node(w, t->node);
    if (from_node)
        walk_node(w, name->node);
    snprintf(what, sizeof what, "operand %d of %s: %s", i, node->type ? node->type : "any",
             name ? name->text : "a literal");
    if (t->kind == TERM_INTS || (name && w->known[t->name] && !from_node) ||
        (from_node && t->kind == TERM_REST))
        w->missing += missing(r, what, w->seen->operand[index][i]);
    if (name)
        w->known[t->name] = true;
}

static bool has_attr(const char *const *names, const char *attr)
{
    for (int i = 0; i < MAX_ATTRS && names[i]; i++) {
        if (strcmp(names[i], attr) == 0)
            return true;
    }
    return false;
}

static void check_attr(struct walk *w, int index, const char *attr)
{
    const rule *r = w->seen->rule;
    char what[160];

    snprintf(what, sizeof what, "attribute %s of %s", attr, r->left.nodes[index].type);
    w->missing += missing(r, what, has_attr(w->seen->attr[index], attr));
}

static bool is_named(const rule_node *node, const char *attr)
{
    for (int i = 0; i < node->n_attrs; i++) {
        if (strcmp(node->attrs[i].name, attr) == 0)
            return true;
    }
    return false;
}

/* Walks the attributes that are named, where their value is demanded, and those of the newest row
 * that are not named, which must have their defaults. */
static void walk_attrs(struct walk *w, int index)
{
    const rule_node *node = &w->seen->rule->left.nodes[index];
    const inlay_op *row = node->n_rows > 0 ? node->rows[node->n_rows - 1] : NULL;

    for (int i = 0; i < node->n_attrs; i++) {
        const rule_attr *a = &node->attrs[i];

        if (a->var < 0 || w->known[a->var])
            check_attr(w, index, a->name);
        if (a->var >= 0)
            w->known[a->var] = true;
    }
    for (int i = 0; row && !node->any_attrs && i < row->n_attrs; i++) {
        if (!is_named(node, row->attrs[i].name))
            check_attr(w, index, row->attrs[i].name);
    }
}

/* A node whose row has more operands than the rule says must have no more. */
static bool may_have_more(const rule_node *node)
{
    const inlay_op *row = node->n_rows > 0 ? node->rows[node->n_rows - 1] : NULL;
    int n = 0;

    for (int i = 0; i < node->n_in; i++) {
        if (node->in[i].kind == TERM_REST)
            return false;
        n += node->in[i].kind == TERM_WINDOW ? 4 : 1;
    }
    return row && (n < row->n_in || row->variadic_in);
}

static void walk_node(struct walk *w, int index)
{
    const rule *r = w->seen->rule;
    const rule_node *node = &r->left.nodes[index];
    char what[160];

    if (w->visited[index])
        return;
    w->visited[index] = true;
    for (int i = 0; i < node->n_outs; i++) {
        if (node->outs[i] >= 0)
            w->known[node->outs[i]] = true;
    }
    for (int i = 0; i < node->n_in; i++)
        walk_operand(w, index, i);
    snprintf(what, sizeof what, "another operand of %s", node->type ? node->type : "any");
    if (may_have_more(node))
        w->missing += missing(r, what, w->seen->extra[index]);
    walk_attrs(w, index);
}

static int check_rule(const char *name)
{
    inlay_rules *alone = rule_alone(name);
    struct refusals seen = {0};
    struct walk w = {.seen = &seen};
    rule *r = NULL;

    for (size_t i = 0; i < alone->n; i++) {
        if (strcmp(alone->rules[i]->name, name) == 0)
            seen.rule = r = alone->rules[i];
    }
    assert_int_equal(run_cases(alone, &seen), 0);
    for (int i = 0; i < r->n_clauses; i++) {
        if (r->clauses[i].target < 0)
            w.missing += check_without(alone, r, i);
    }
    for (int i = 0; i < seen.rule->n_clauses; i++)
        w.missing += missing(seen.rule, seen.rule->clauses[i].text, seen.clause[i]);
    walk_node(&w, seen.rule->root);
    inlay_rules_free(alone);
    return w.missing;
}

static void test_conditions(void **state)
{
    int n = 0;

    for (size_t s = 0; inlay_rule_set_at(s); s++) {
        inlay_rules *rules = inlay_rules_builtin(inlay_rule_set_at(s), NULL);

        for (size_t i = 0; i < inlay_rules_count(rules); i++)
            n += check_rule(inlay_rules_at(rules, i).name);
        inlay_rules_free(rules);
    }
    if (n > 0)
        fail_msg("%d conditions have no case", n);
    for (int i = 0; i < N_EXCEPTIONS; i++) {
        if (used[i] == 0)
            fail_msg("rule %s: %s needs no exception (%s)", exceptions[i].rule, exceptions[i].what,
                     exceptions[i].why);
    }
}

static bool is_called(const inlay_rules *rules, const rule_function *fn)
{
    for (size_t i = 0; i < rules->n; i++) {
        for (int k = 0; k < rules->rules[i]->n_clauses; k++) {
            if (rules->rules[i]->clauses[k].fn == fn)
                return true;
        }
    }
    return false;
}

/* Returns whether no built-in rule needs NAME yet, but rules of users do: golden/rules.t tests
 * it. */
static bool is_for_users(const char *name)
{
    return strcmp(name, "equals") == 0 || strcmp(name, "less") == 0;
}

/* Each condition and function is called by some rule, and so is tested with it. */
static void test_functions(void **state)
{
    static const char *const names[] = {
#define RULE_FN(name, signature, result, help) #name,
#include "passes/rules/functions.def"
#undef RULE_FN
    };
    int n = 0;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const rule_function *fn = rule_function_find(names[i], strlen(names[i]));
        bool called = is_for_users(names[i]);

        for (size_t s = 0; inlay_rule_set_at(s) && !called; s++) {
            inlay_rules *rules = inlay_rules_builtin(inlay_rule_set_at(s), NULL);

            called = is_called(rules, fn);
            inlay_rules_free(rules);
        }
        if (!called)
            print_error("no rule calls %s\n", names[i]);
        n += !called;
    }
    assert_int_equal(n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_conditions),
                                       cmocka_unit_test(test_functions)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
