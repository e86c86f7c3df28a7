/* Is a rule right whatever the sizes, windows and elements are? Each case of it becomes three
 * questions for a solver. */
#include "passes/prove/case.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    HIGHEST_RANK = 4,
    MAX_CASES = 400,    /* that are asked about; with more, fewer axes are tried */
    MAX_WAYS = 100000,  /* that are tried, most of which no graph is like */
    MAX_BUDGET = 300000 /* of the solver, for one question */
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
};

static const char prelude[] =
    "(set-option :auto_config false)\n(set-option :smt.mbqi false)\n"
    "(declare-sort E 0)\n(declare-fun zero () E)\n(declare-fun holds (E) Bool)\n"
    "(declare-fun as_int (E) Int)\n(declare-fun of_int (Int) E)\n"
    "(assert (not (holds zero)))\n"
    "(assert (forall ((k Int)) (! (= (as_int (of_int k)) k) :pattern ((of_int k)))))\n";

static void say(inlay_strbuf *out, const smt *t)
{
    if (t->op == SMT_AND) {
        say(out, t->arg[0]);
        say(out, t->arg[1]);
    } else if (t->op != SMT_TRUE) {
        inlay_strbuf_puts(out, "(assert ");
        smt_print(out, t);
        inlay_strbuf_puts(out, ")\n");
    }
}

/* Asks whether what is assumed, and HELD, contradicts itself: then no graph is like this case. */
static void ask_whether_void(struct proof *proof, const smt *held)
{
    inlay_strbuf_puts(&proof->text, "(push)\n");
    say(&proof->text, held);
    inlay_strbuf_puts(&proof->text, "(check-sat)\n(pop)\n");
    inlay_strbuf_puts(&proof->kinds, "v");
}

/* Asks whether HELD makes GOAL so; that is so where no model of its opposite is found. */
static void ask(struct proof *proof, prove_case *c, const smt *held, const smt *goal, int kind)
{
    goal = smt_implies(&c->pool, held, goal);
    if (goal->op == SMT_TRUE)
        return;
    inlay_strbuf_puts(&proof->text, "(push)\n");
    say(&proof->text, smt_not(&c->pool, goal));
    inlay_strbuf_puts(&proof->text, "(check-sat)\n(pop)\n");
    inlay_strbuf_printf(&proof->kinds, "%d", kind);
    proof->n_asked++;
}

/* A place in V: an index that nothing is known of, but that it lies within. */
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

/* The questions of a case. They are written when all functions that they call are declared. */
static void ask_all(struct proof *proof, prove_case *c)
{
    prove_node *root = c->left[c->rule->root];
    const smt *sizes = smt_and(&c->pool, c->right_valid, same_sizes(c, root));
    const smt *elements[PROVE_LIST];

    for (int i = 0; i < root->n_out; i++) {
        const smt *at[PROVE_RANK], *within = a_place(c, &root->out[i], at);
        bool comparable = root->out[i].rank == c->results[i]->rank;

        elements[i] = smt_bool(false);
        if (comparable)
            elements[i] = smt_implies(
                &c->pool, smt_and(&c->pool, smt_and(&c->pool, c->left_valid, sizes), within),
                smt_eq(&c->pool, prove_element(c, &root->out[i], at),
                       prove_element(c, c->results[i], at)));
    }
    if (c->cut || c->unknown || c->pool.no_memory)
        return;
    inlay_strbuf_puts(&proof->text, "(push)\n");
    if (c->pool.declared.bytes)
        inlay_strbuf_puts(&proof->text, c->pool.declared.bytes);
    say(&proof->text, c->assumed);
    ask_whether_void(proof, c->left_valid);
    ask(proof, c, c->left_valid, sizes, 0);
    for (int i = 0; i < root->n_out; i++)
        ask(proof, c, smt_bool(true), elements[i], 1);
    if (proof->rule->exactness == INLAY_EXACT)
        ask(proof, c, c->right_valid, c->left_valid, 2);
    inlay_strbuf_puts(&proof->text, "(pop)\n");
    proof->n_cases++;
}

static bool has_reshape(const rule_side *s)
{
    for (int i = 0; i < s->n_nodes; i++) {
        const rule_node *n = &s->nodes[i];

        if (n->type && strcmp(n->type, "Reshape") == 0)
            return true;
    }
    return false;
}

static bool speaks_of_views(const rule *r)
{
    for (int i = 0; i < r->n_clauses; i++) {
        if (r->clauses[i].fn->flags == INLAY_RESHAPES)
            return true;
    }
    return has_reshape(&r->left) || has_reshape(&r->right);
}

static void begin_case(prove_case *c, const struct proof *proof, inlay_arena *arena)
{
    int choice[PROVE_CHOICES], range[PROVE_CHOICES];

    memcpy(choice, c->choice, sizeof choice);
    memcpy(range, c->range, sizeof range);
    *c = (prove_case){.rule = proof->rule, .max_rank = proof->max_rank};
    memcpy(c->choice, choice, sizeof choice);
    memcpy(c->range, range, sizeof range);
    c->pool.arena = arena;
    c->assumed = c->left_valid = c->right_valid = smt_bool(true);
    c->flat = speaks_of_views(proof->rule);
}

/* The next way; false: this was the last. */
static bool next_way(prove_case *c)
{
    int i = c->n_choices;

    while (i > 0 && c->choice[i - 1] + 1 >= c->range[i - 1])
        i--;
    if (i == 0)
        return false;
    c->choice[i - 1]++;
    memset(&c->choice[i], 0, (PROVE_CHOICES - (size_t)i) * sizeof c->choice[0]);
    memset(&c->range[i], 0, (PROVE_CHOICES - (size_t)i) * sizeof c->range[0]);
    return true;
}

static void try_case(struct proof *proof, prove_case *c)
{
    prove_build_left(c);
    if (!c->cut && !c->unknown)
        prove_state_clauses(c);
    if (!c->cut && !c->unknown)
        prove_build_right(c);
    if (!c->cut && !c->unknown && !c->pool.no_memory)
        ask_all(proof, c);
}

static void unknown(struct proof *proof, const char *why)
{
    proof->out->verdict = INLAY_NOT_PROVEN;
    snprintf(proof->out->why, sizeof proof->out->why, "%s", why);
}

/* Goes through all cases with up to max_rank axes. False: memory ran out. */
static bool try_cases(struct proof *proof, bool *too_many)
{
    prove_case c = {0};
    inlay_arena *arena = inlay_arena_new();
    bool more = arena != NULL, ok = more;

    *too_many = false;
    for (int ways = 0; more && proof->out->verdict == INLAY_PROVEN && !*too_many; ways++) {
        begin_case(&c, proof, arena);
        try_case(proof, &c);
        ok = !c.pool.no_memory && !c.pool.declared.failed;
        inlay_strbuf_free(&c.pool.declared);
        if (!c.cut && c.unknown)
            unknown(proof, c.unknown);
        *too_many = ways > MAX_WAYS || proof->n_cases > MAX_CASES;
        more = ok && next_way(&c);
        inlay_arena_clear(arena);
    }
    inlay_arena_free(arena);
    return ok;
}

/* The next line of *AT. */
static bool next_line(const char **at, char *out, size_t size)
{
    size_t n = strcspn(*at, "\n");

    if (n == 0)
        return false;
    snprintf(out, size, "%.*s", (int)n, *at);
    *at += n + ((*at)[n] == '\n');
    return true;
}

static void read_answers(struct proof *proof, const char *answer)
{
    char line[100], why[200];
    int n_void = 0;

    for (size_t i = 0; i < proof->kinds.n; i++) {
        if (!next_line(&answer, line, sizeof line))
            snprintf(line, sizeof line, "nothing");
        if (proof->kinds.bytes[i] == 'v') {
            n_void += strcmp(line, "unsat") == 0;
            continue;
        }
        if (strcmp(line, "unsat") == 0)
            continue;
        snprintf(why, sizeof why, "%s: the solver says %s in question %zu",
                 questions[proof->kinds.bytes[i] - '0'], line, i + 1);
        unknown(proof, why);
        return;
    }
    proof->n_cases -= n_void;
    if (proof->n_cases == 0)
        unknown(proof, "what it says contradicts itself: no graph is like that");
}

static bool ask_solver(struct proof *proof, const inlay_solver *solver, inlay_diags *d)
{
    inlay_strbuf answer = {0}, text = {0};
    bool ok;

    inlay_strbuf_printf(&text, "(set-option :rlimit %d)\n", MAX_BUDGET);
    inlay_strbuf_puts(&text, prelude);
    if (proof->text.bytes)
        inlay_strbuf_add(&text, proof->text.bytes, proof->text.n);
    ok = text.failed || proof->text.failed || proof->kinds.failed
             ? inlay_fail_memory(d)
             : solver->ask(solver->ctx, text.bytes, text.n, &answer, d);
    if (ok)
        read_answers(proof, answer.bytes ? answer.bytes : "");
    inlay_strbuf_free(&answer);
    inlay_strbuf_free(&text);
    return ok;
}

bool inlay_prove(const inlay_rules *rules, size_t i, const inlay_solver *solver, inlay_proof *out,
                 inlay_diags *d)
{
    struct proof proof = {.max_rank = HIGHEST_RANK, .out = out};
    bool ok = true, too_many = false;

    *out = (inlay_proof){.verdict = INLAY_PROVEN};
    if (!rules || i >= rules->n)
        return inlay_fail(d, NULL, "there is no rule %zu", i);
    if (!solver || !solver->ask)
        return inlay_fail(d, NULL, "no solver is given");
    proof.rule = rules->rules[i];
    if (proof.rule->exactness == INLAY_APPROX)
        unknown(&proof, "it is not exact");
    do {
        inlay_strbuf_free(&proof.text);
        inlay_strbuf_free(&proof.kinds);
        proof.text = proof.kinds = (inlay_strbuf){0};
        proof.n_cases = proof.n_asked = 0;
        ok = try_cases(&proof, &too_many) || inlay_fail_memory(d);
    } while (ok && too_many && proof.max_rank-- > 1);
    if (ok && proof.n_cases == 0 && out->verdict == INLAY_PROVEN)
        unknown(&proof, "no case was found");
    if (ok && proof.n_cases > 0 && out->verdict == INLAY_PROVEN)
        ok = ask_solver(&proof, solver, d);
    out->cases = proof.n_cases;
    out->questions = proof.n_asked;
    out->rank = proof.max_rank;
    inlay_strbuf_free(&proof.text);
    inlay_strbuf_free(&proof.kinds);
    return ok;
}
