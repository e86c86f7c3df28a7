/* Is a rule right for all sizes, windows and elements? Each case of it becomes three questions to a
 * solver. */
#include "passes/prove/prove.h"
#include "passes/check/maker.h"
#include "passes/prove/meaning.h"
#include "passes/prove/real.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    HIGHEST_RANK = 4,
    MAX_CASES = 600,       /* that are asked about; with more, fewer axes are tried */
    MAX_REAL_CASES = 2000, /* where the laws are not asked about */
    MAX_WAYS = 100000,     /* that are tried, most of which no graph is like */
    MAX_FAILED = 8,        /* questions that lead to a search for a counterexample */
    MAX_MADE = 2000,       /* graphs that are made up where that finds none */
    TRIED = 500            /* comparisons of both sides of a rule that is proven */
};

/* The questions, in the order in which a case asks them. */
static const char *const questions[] = {"sizes or errors of the right side", "elements",
                                        "errors of the left side"};

struct proof {
    const rule *rule;
    int max_rank;
    int n_cases, n_asked;
    inlay_strbuf text, kinds; /* kinds: one letter a question, '0' + its number */
    inlay_proof *out;
    const inlay_prove_options *o;
    inlay_diags *d;
    /* Numbers of the questions without proof; when the cases are gone through for the second time,
     * a model of each of them is asked for. */
    int failed[MAX_FAILED], n_failed, n_seen;
    bool refuting, broken; /* BROKEN: an error is recorded in D */
    prove_laws laws;
    prove_limits limits;
    int n_told; /* questions answered without the solver, because both sides are the same term */
    prove_numbers numbers;
    inlay_type_set
        others; /* types besides floats that a rule takes whose floats are read as reals */
    inlay_check found;
};

/* Asks whether the assumptions and HELD contradict each other: then no graph matches this case. */
static void ask_whether_void(struct proof *proof, const smt *held)
{
    proof->n_seen++;
    if (proof->refuting)
        return;
    inlay_strbuf_puts(&proof->text, "(push)\n");
    prove_say(&proof->text, held);
    inlay_strbuf_puts(&proof->text, "(check-sat)\n(pop)\n");
    inlay_strbuf_puts(&proof->kinds, "v");
}

/* Looks for a graph of case C on which AGAINST holds, if the current question is one that failed.
 */
static void refute(struct proof *proof, prove_case *c, const smt *against)
{
    int now = proof->n_seen++;

    for (int i = 0; i < proof->n_failed; i++) {
        if (proof->failed[i] != now || proof->broken || proof->found.verdict == INLAY_CHECK_REFUTED)
            continue;
        inlay_check_free(&proof->found);
        proof->broken = !prove_refute(c, against, proof->o, &proof->found, proof->d);
    }
}

/* Asks whether HELD implies GOAL: it does if the solver finds no model of the opposite. */
static void ask(struct proof *proof, prove_case *c, const smt *held, const smt *goal, int kind)
{
    goal = smt_implies(&c->pool, held, goal);
    if (goal->op == SMT_TRUE) {
        proof->n_told += !proof->refuting;
        return;
    }
    if (proof->refuting) {
        refute(proof, c, smt_not(&c->pool, goal));
        return;
    }
    proof->n_seen++;
    inlay_strbuf_puts(&proof->text, "(push)\n");
    prove_say(&proof->text, smt_not(&c->pool, goal));
    inlay_strbuf_puts(&proof->text, "(check-sat)\n(pop)\n");
    inlay_strbuf_printf(&proof->kinds, "%d", kind);
    proof->n_asked++;
}

/* An index of V: variables that are only known to lie within its sizes. */
static const smt *a_place(prove_case *c, const prove_value *v, const smt **at)
{
    const smt *within = smt_bool(true);

    for (int i = 0; i < v->rank; i++) {
        at[i] = smt_constant(&c->pool, "at", "Int");
        within =
            smt_and(&c->pool, within, smt_within(&c->pool, smt_int(&c->pool, 0), at[i], v->dim[i]));
    }
    return within;
}

static const smt *same_sizes(prove_case *c, const prove_node *root)
{
    const smt *same = smt_bool(true);

    for (int i = 0; i < root->n_out; i++)
        same = smt_and(&c->pool, same, prove_same_sizes(c, &root->out[i], c->results[i]));
    return same;
}

static void begin_text_of_case(struct proof *proof, const prove_case *c)
{
    inlay_strbuf_puts(&proof->text, "(push)\n");
    if (c->pool.declared.bytes)
        inlay_strbuf_puts(&proof->text, c->pool.declared.bytes);
    prove_say(&proof->text, c->assumed);
}

static const smt *real_law_of(struct proof *proof, prove_case *c, const smt *left, const smt *right)
{
    const smt *known = smt_bool(true);
    const char *why = NULL;

    real_law(c, left, right, &known, &why);
    if (why)
        snprintf(proof->laws.why, sizeof proof->laws.why, ", and %s", why);
    return known;
}

/* What laws of numbers tell of two elements that should be equal. */
static const smt *law_of(struct proof *proof, prove_case *c, const smt *left, const smt *right)
{
    const smt *known = smt_bool(true);
    bool asks = !proof->refuting && !proof->broken && prove_goes_on(c) && c->meanings.n_symbols > 0;

    if (asks && c->meanings.numbers == PROVE_REAL)
        known = real_law_of(proof, c, left, right);
    else if (asks)
        proof->broken =
            !prove_law(c, &proof->laws, left, right, &proof->o->solver, &known, proof->d);
    return known;
}

/* What laws of numbers tell of two elements, and of those that scatters combine. */
static const smt *laws_of(struct proof *proof, prove_case *c, const smt *left, const smt *right)
{
    const smt *known = law_of(proof, c, left, right);

    for (int i = 0; i < c->terms.n_steps; i++)
        known = smt_and(&c->pool, known,
                        law_of(proof, c, c->terms.steps[i].step, c->terms.steps[i].there));
    return known;
}

/* Under the condition HELD, element AT of A equals that of B, two values of the same rank. */
static const smt *same_element(struct proof *proof, prove_case *c, const prove_value *a,
                               const prove_value *b, const smt *const *at, const smt *held)
{
    const smt *left = prove_element(c, a, at), *right = prove_element(c, b, at);

    held = smt_and(&c->pool, held, laws_of(proof, c, left, right));
    return smt_implies(&c->pool, held, smt_eq(&c->pool, left, right));
}

/* Asks the questions of a case. They are written after all functions that they use are declared. */
static void ask_all(struct proof *proof, prove_case *c)
{
    prove_node *root = c->left[c->rule->root];
    const smt *sizes = smt_and(&c->pool, c->right_valid, same_sizes(c, root));
    const smt *elements[PROVE_OUTS];

    for (int i = 0; i < root->n_out; i++) {
        const smt *at[PROVE_RANK], *within = a_place(c, &root->out[i], at);
        bool comparable = root->out[i].rank == c->results[i]->rank;

        elements[i] = smt_bool(root->out[i].unread);
        if (comparable && !root->out[i].unread)
            elements[i] =
                same_element(proof, c, &root->out[i], c->results[i], at,
                             smt_and(&c->pool, smt_and(&c->pool, c->left_valid, sizes), within));
    }
    if (!prove_goes_on(c) || c->pool.no_memory || proof->broken)
        return;
    if (!proof->refuting)
        begin_text_of_case(proof, c);
    ask_whether_void(proof, c->faulty ? smt_bool(true) : c->left_valid);
    if (!c->faulty)
        ask(proof, c, c->left_valid, sizes, 0);
    for (int i = 0; i < root->n_out && !c->faulty; i++)
        ask(proof, c, smt_bool(true), elements[i], 1);
    if (proof->rule->exactness == INLAY_EXACT)
        ask(proof, c, c->right_valid, c->left_valid, 2);
    inlay_strbuf_puts(&proof->text, "(pop)\n");
    prove_note_limits(c, &proof->limits);
    proof->n_cases++;
}

/* Real numbers are of one type: what makes one of another rounds, or wraps. */
static void note_types(struct proof *proof, prove_case *c)
{
    inlay_type_set types;

    if (!prove_one_type(c, &types))
        prove_unknown(c, "numbers of several types over the reals");
    proof->others |= types & ~number_class_types(NUMBER_FLOAT);
}

static void try_case(struct proof *proof, prove_case *c)
{
    prove_build_left(c);
    if (prove_goes_on(c))
        prove_state_clauses(c);
    if (prove_goes_on(c))
        prove_build_right(c);
    if (prove_goes_on(c) && c->meanings.numbers == PROVE_REAL)
        note_types(proof, c);
    if (prove_goes_on(c) && !c->pool.no_memory)
        ask_all(proof, c);
}

static void unknown(struct proof *proof, const char *why)
{
    proof->out->verdict = INLAY_NOT_PROVEN;
    snprintf(proof->out->why, sizeof proof->out->why, "%.*s", (int)sizeof proof->out->why - 1, why);
}

static bool goes_on(const struct proof *proof)
{
    return !proof->broken && (proof->refuting ? proof->found.verdict != INLAY_CHECK_REFUTED
                                              : proof->out->verdict == INLAY_PROVEN);
}

/* Goes through all cases with up to max_rank axes. False: out of memory. */
static bool try_cases(struct proof *proof, bool *too_many)
{
    prove_case c = {.meanings.numbers = proof->numbers};
    inlay_arena *arena = inlay_arena_new();
    bool more = arena != NULL, ok = more;

    *too_many = false;
    proof->n_cases = proof->n_seen = 0;
    for (int ways = 0; more && goes_on(proof) && !*too_many; ways++) {
        prove_begin_case(&c, proof->rule, proof->max_rank, arena);
        try_case(proof, &c);
        ok = !c.pool.no_memory && !c.pool.declared.failed;
        inlay_strbuf_free(&c.pool.declared);
        if (!c.cut && c.unknown)
            unknown(proof, c.unknown);
        *too_many =
            ways > MAX_WAYS ||
            proof->n_cases > (c.meanings.numbers == PROVE_REAL ? MAX_REAL_CASES : MAX_CASES);
        more = ok && prove_next_way(&c);
        inlay_arena_clear(arena);
    }
    inlay_arena_free(arena);
    return ok;
}

/* LINE, the answer to question I, is no proof. */
static void note_failed(struct proof *proof, size_t i, const char *line)
{
    char why[350];

    if (proof->n_failed < MAX_FAILED)
        proof->failed[proof->n_failed++] = (int)i;
    snprintf(why, sizeof why, "%s: the solver says %s in question %zu%s",
             questions[proof->kinds.bytes[i] - '0'], line, i + 1, proof->laws.why);
    if (proof->out->verdict == INLAY_PROVEN)
        unknown(proof, why);
}

static void read_answers(struct proof *proof, const char *answer)
{
    char line[100];
    int n_void = 0;

    for (size_t i = 0; i < proof->kinds.n; i++) {
        if (!prove_next_line(&answer, line, sizeof line))
            snprintf(line, sizeof line, "nothing");
        if (proof->kinds.bytes[i] == 'v')
            n_void += strcmp(line, "unsat") == 0;
        else if (strcmp(line, "unsat") != 0)
            note_failed(proof, i, line);
    }
    if (proof->out->verdict != INLAY_PROVEN)
        return;
    proof->n_cases -= n_void;
    if (proof->n_cases == 0)
        unknown(proof, "what it says contradicts itself: no graph is like that");
}

static bool ask_solver(struct proof *proof)
{
    const inlay_solver *solver = &proof->o->solver;
    inlay_strbuf answer = {0}, text = {0};
    bool ok;

    prove_begin_text(&text, true);
    if (proof->text.bytes)
        inlay_strbuf_add(&text, proof->text.bytes, proof->text.n);
    ok = text.failed || proof->text.failed || proof->kinds.failed
             ? inlay_fail_memory(proof->d)
             : solver->ask(solver->ctx, text.bytes, text.n, &answer, proof->d);
    if (ok)
        read_answers(proof, answer.bytes ? answer.bytes : "");
    inlay_strbuf_free(&answer);
    inlay_strbuf_free(&text);
    return ok;
}

/* The rule is what was found of it, which WHY introduces, if that is a graph on which it is wrong.
 */
static void take_found(struct proof *proof, const char *why)
{
    inlay_proof *out = proof->out;
    int n;

    if (proof->found.verdict == INLAY_CHECK_REFUTED) {
        out->verdict = INLAY_REFUTED;
        *out->only = '\0';
        n = snprintf(out->why, sizeof out->why, "%s", why);
        snprintf(out->why + n, sizeof out->why - (size_t)n, "%.*s", (int)sizeof out->why - n - 1,
                 proof->found.why);
        out->counterexample = proof->found.counterexample;
        proof->found.counterexample = NULL;
    }
    inlay_check_free(&proof->found);
}

/* Looks for a graph on which the rule is wrong: one that a model of the solver describes, else one
 * of those that are made up. */
static bool look_for_counterexample(struct proof *proof)
{
    inlay_check_options o = {.evaluator = proof->o->evaluator, .graphs = MAX_MADE};
    bool too_many, ok;

    proof->refuting = true;
    if (!try_cases(proof, &too_many))
        return inlay_fail_memory(proof->d);
    ok = !proof->broken;
    if (ok && proof->found.verdict != INLAY_CHECK_REFUTED)
        ok = check_rule_given(proof->rule, NULL, &o, &proof->found, proof->d);
    if (!ok)
        proof->found.verdict = INLAY_CHECK_UNKNOWN;
    take_found(proof, "");
    return ok;
}

/* An evaluator that remembers of its last two results, which verify compares, whether all of their
 * numbers are finite. */
struct watched {
    const inlay_evaluator *of;
    bool finite[2];
    int n;
};

static bool is_finite(const inlay_graph *g, inlay_tensor *const *out)
{
    bool finite = true;

    for (int i = 0; i < g->n_results; i++) {
        int64_t n = inlay_type_is_float(out[i]->type) ? inlay_tensor_count(out[i]) : 0;

        for (int64_t k = 0; k < n && finite; k++)
            finite = isfinite(inlay_tensor_get_f64(out[i], k));
    }
    return finite;
}

static bool watch_node(void *ctx, const inlay_node *n, const inlay_tensor *const *in,
                       inlay_tensor **out, inlay_diags *d)
{
    const struct watched *x = ctx;

    return x->of->eval_node(x->of->ctx, n, in, out, d);
}

static bool watch_graph(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                        inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    struct watched *x = ctx;
    bool ok = x->of->eval_graph(x->of->ctx, g, in, out, variables, d);

    x->finite[x->n++ % 2] = !ok || is_finite(g, out);
    return ok;
}

/* The words before a graph on which a rule is wrong that is proven. Over the reals nothing is said
 * of numbers that a type has not; else such a graph shows a fault of the encoding. */
static void introduce(const inlay_proof *out, bool finite, char *why, size_t size)
{
    bool over =
        out->verdict == INLAY_PROVEN_OVER_REALS || out->verdict == INLAY_PROVEN_OVER_REALS_FOR;

    if (over && !finite)
        snprintf(why, size, "it is proven over the reals, but not where numbers overflow: ");
    else if (*out->only)
        snprintf(why, size, "it is proven for %.100s, but not for all: ", out->only);
    else
        snprintf(why, size, "a graph contradicts its proof: ");
}

/* The encoding of a proof may be wrong. So what is proven is tried on random graphs, too, and one
 * on which it is wrong counts for more than the proof. */
static bool try_proven(struct proof *proof)
{
    struct watched x = {.of = &proof->o->evaluator, .finite = {true, true}};
    const inlay_check_options o = {.evaluator = {watch_node, watch_graph, &x}, .instances = TRIED};
    inlay_proof *out = proof->out;
    char why[sizeof out->only + 50];
    bool ok;

    if (out->verdict == INLAY_NOT_PROVEN || out->verdict == INLAY_REFUTED || !x.of->eval_graph)
        return true;
    ok = check_rule_given(proof->rule, NULL, &o, &proof->found, proof->d);
    if (!ok)
        proof->found.verdict = INLAY_CHECK_UNKNOWN;
    introduce(out, x.finite[0] && x.finite[1], why, sizeof why);
    take_found(proof, why);
    return ok;
}

/* The proof would need more axes than were tried, but not more than are possible. */
static bool wants_more_axes(const struct proof *proof)
{
    const prove_limits *l = &proof->limits;

    return proof->out->verdict == INLAY_PROVEN && proof->max_rank >= HIGHEST_RANK && l->axes &&
           !l->mixed && l->needed > proof->max_rank && l->needed < PROVE_RANK;
}

/* Makes the questions of all cases, with as many axes as do not make too many cases. */
static bool make_questions(struct proof *proof)
{
    bool ok, too_many = false;

    do {
        inlay_strbuf_free(&proof->text);
        inlay_strbuf_free(&proof->kinds);
        proof->text = proof->kinds = (inlay_strbuf){0};
        proof->n_asked = proof->n_told = 0;
        proof->limits = (prove_limits){.axes = false};
        ok = (try_cases(proof, &too_many) || inlay_fail_memory(proof->d)) && !proof->broken;
    } while (ok && too_many && proof->max_rank-- > 1);
    if (ok && proof->n_cases == 0 && proof->out->verdict == INLAY_PROVEN)
        unknown(proof, "no case was found");
    return ok;
}

static bool make_and_ask(struct proof *proof)
{
    bool ok = make_questions(proof);

    return ok && proof->n_cases > 0 && proof->out->verdict == INLAY_PROVEN ? ask_solver(proof) : ok;
}

/* A rule that promises a tolerance is proven over the reals. */
static void over_reals(struct proof *proof)
{
    inlay_proof *out = proof->out;
    inlay_strbuf read = {0};

    if (out->verdict == INLAY_PROVEN)
        out->verdict = INLAY_PROVEN_OVER_REALS;
    else if (out->verdict == INLAY_PROVEN_FOR)
        out->verdict = INLAY_PROVEN_OVER_REALS_FOR;
    real_readings_text(proof->limits.read, &read);
    snprintf(out->read, sizeof out->read, "%s", read.bytes ? read.bytes : "");
    inlay_strbuf_free(&read);
}

/* Says for which graphs alone the rule is proven, if these are not all that it accepts. */
static void limit(struct proof *proof)
{
    inlay_proof *out = proof->out;

    if (out->verdict != INLAY_PROVEN)
        return;
    if (proof->n_asked + proof->n_told == 0)
        unknown(proof, "there is nothing to decide");
    proof->limits.types = proof->laws.skipped;
    prove_limits_text(&proof->limits, proof->max_rank, out->only, sizeof out->only);
    if (out->verdict == INLAY_PROVEN && *out->only)
        out->verdict = INLAY_PROVEN_FOR;
    if (proof->rule->exactness == INLAY_APPROX)
        over_reals(proof);
}

/* If a rule fails with few axes, it is not tried with more, whose orders are many. */
static bool prove_numbers_alone(struct proof *proof)
{
    bool ok;

    proof->max_rank = HIGHEST_RANK;
    ok = make_and_ask(proof);
    for (int tried = HIGHEST_RANK; ok && wants_more_axes(proof) && proof->limits.needed > tried;) {
        tried = proof->max_rank = proof->limits.needed;
        ok = make_and_ask(proof);
    }
    proof->out->cases += proof->n_cases;
    proof->out->questions += proof->n_asked + proof->n_told;
    proof->out->rank = proof->max_rank;
    return ok;
}

/* The same of what a rule that is proven over the reals takes beside floats. */
static bool prove_others(struct proof *proof)
{
    prove_limits first = proof->limits;
    bool ok;

    proof->numbers = PROVE_NO_FLOATS;
    ok = prove_numbers_alone(proof);
    proof->limits.read |= first.read;
    proof->limits.axes = proof->limits.axes || first.axes;
    proof->limits.ranked = proof->limits.ranked || first.ranked;
    proof->limits.attr = first.attr ? first.attr : proof->limits.attr;
    return ok;
}

static bool prove(struct proof *proof)
{
    bool ok;

    proof->numbers = proof->rule->exactness == INLAY_APPROX ? PROVE_REAL : PROVE_AS_THEY_ARE;
    ok = prove_numbers_alone(proof);
    if (ok && proof->others && proof->out->verdict == INLAY_PROVEN)
        ok = prove_others(proof);
    if (ok && proof->n_failed > 0 && proof->o->evaluator.eval_graph)
        ok = look_for_counterexample(proof);
    limit(proof);
    return ok && try_proven(proof);
}

bool inlay_prove(const inlay_rules *rules, size_t i, const inlay_prove_options *o, inlay_proof *out,
                 inlay_diags *d)
{
    struct proof proof = {.out = out, .o = o, .d = d};
    bool ok;

    *out = (inlay_proof){.verdict = INLAY_PROVEN};
    if (!rules || i >= rules->n)
        return inlay_fail(d, NULL, "there is no rule %zu", i);
    if (!o || !o->solver.ask)
        return inlay_fail(d, NULL, "no solver is given");
    proof.rule = rules->rules[i];
    ok = prove(&proof);
    inlay_strbuf_free(&proof.text);
    inlay_strbuf_free(&proof.kinds);
    prove_free_laws(&proof.laws);
    return ok;
}

void inlay_proof_free(inlay_proof *p)
{
    if (!p)
        return;
    inlay_strbuf_free(&(inlay_strbuf){.bytes = p->counterexample});
    p->counterexample = NULL;
}
