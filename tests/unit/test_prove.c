/* What passes/prove makes of a rule, before any solver is asked: tests/prove/ has what a solver
 * says. */
#include "interp/interp.h"
#include "passes/prove/case.h"
#include "passes/prove/law.h"
#include "unit.h"

/* Every condition that a rule may call says what it means, or why it does not. One without a
 * contract of its own has that which says nothing of elements, for the one reason. */
static void test_contracts(void **state)
{
    const prove_contract *none = prove_contract_of("no such condition");

    assert_null(none->state);
    assert_string_equal(none->unknown, "it has no contract");
    for (size_t i = 0; rule_function_at(i); i++) {
        const prove_contract *contract = prove_contract_of(rule_function_at(i)->name);

        assert_true((contract->state != NULL) != (contract->unknown != NULL));
        if (contract != none)
            assert_string_equal(contract->name, rule_function_at(i)->name);
    }
}

/* A solver that gives the same answer to each question, the first of each case apart. */
struct answers {
    const char *to_void, *to_others;
    int n_asked, n_calls;
};

static bool answer(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    struct answers *a = ctx;
    bool first = false;

    (void)n;
    (void)d;
    a->n_calls++;
    for (; *text; text++) {
        if (strncmp(text, "(declare-fun ", 13) == 0)
            first = true;
        if (strncmp(text, "(check-sat)", 11) != 0)
            continue;
        inlay_strbuf_printf(out, "%s\n", first ? a->to_void : a->to_others);
        first = false;
        a->n_asked++;
    }
    return true;
}

static inlay_proof proof_by(const char *text, inlay_solver solver)
{
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("test.rules", text, strlen(text), d);
    inlay_prove_options o = {.solver = solver};
    inlay_proof proof;

    assert_non_null(rules);
    assert_true(inlay_prove(rules, 0, &o, &proof, d));
    inlay_rules_free(rules);
    inlay_diags_free(d);
    return proof;
}

static inlay_proof proof_of(const char *text, struct answers *a)
{
    return proof_by(text, (inlay_solver){answer, a});
}

static const char same_window[] = "rule a exact:\n"
                                  "  Slice(SliceScatter(_, u, window w), window r) => Slice(u, "
                                  "window p)\n  where let p = relative(r, w)\n";

static void test_answers(void **state)
{
    struct answers yes = {"unknown", "unsat", 0, 0}, no = {"unknown", "sat", 0, 0},
                   empty = {"unsat", "unsat", 0, 0};
    inlay_proof proof = proof_of(same_window, &yes);

    assert_int_equal(proof.verdict, INLAY_PROVEN);
    assert_int_equal(proof.cases, 5); /* of 0 to 4 axes */
    assert_int_equal(yes.n_calls, 1);
    proof = proof_of(same_window, &no);
    assert_int_equal(proof.verdict, INLAY_NOT_PROVEN);
    assert_non_null(strstr(proof.why, "the solver says sat"));
    proof = proof_of(same_window, &empty);
    assert_int_equal(proof.verdict, INLAY_NOT_PROVEN);
    assert_int_equal(proof.cases, 0);
}

/* A solver that ends before it has said anything of numbers, and then finds a model of everything.
 */
static bool silent_of_numbers(void *ctx, const char *text, size_t n, inlay_strbuf *out,
                              inlay_diags *d)
{
    struct answers a = {"unknown", "sat", 0, 0};

    (void)ctx;
    return strncmp(text, "(reset)", 7) == 0 || answer(&a, text, n, out, d);
}

/* A law of which nothing was said does not hold, be it of one type, which the answer does not name,
 * or of several. */
static void test_no_answer_of_numbers(void **state)
{
    static const char *const rules[] = {
        "rule a exact:\n  Less(Subtract(x, y), 0) => Less(x, y)\n",
        "rule a exact:\n  Negative(Subtract(x, y)) => Subtract(y, x)\n"};

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        inlay_proof proof = proof_by(rules[i], (inlay_solver){silent_of_numbers, NULL});

        assert_int_equal(proof.verdict, INLAY_NOT_PROVEN);
        assert_non_null(strstr(proof.why, "nothing of numbers"));
    }
}

/* A solver that says of each question that it holds, and notes in CTX whether floats were in one.
 */
static bool notes_floats(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    struct answers a = {"unknown", "unsat", 0, 0};
    bool *floats = ctx;

    *floats = *floats || strstr(text, "fp.") != NULL;
    return answer(&a, text, n, out, d);
}

/* What is known of floats that hold integers is asked of these integers; of others it is not. */
static void test_exact_floats(void **state)
{
    static const char *const cases[] = {"Less(%s, %s) => Less(x, y)",
                                        "Equal(%s, %s) => Equal(x, y)",
                                        "GreaterEqual(%s, %s) => LogicalNot(Less(x, y))"};
    static const char *const types[] = {"i8", "u8", "i16", "u16", "i32"};

    for (size_t i = 0; i < sizeof cases / sizeof *cases * 5; i++) {
        const char *type = types[i % 5];
        char left[300], text[400];
        bool floats = false;

        snprintf(left, sizeof left, cases[i / 5], "Convert(x) {destination_type = f32}",
                 "Convert(y) {destination_type = f32}");
        snprintf(text, sizeof text,
                 "rule a exact:\n  %s\n  where has_type(x, %s), has_type(y, %s)\n", left, type,
                 type);
        proof_by(text, (inlay_solver){notes_floats, &floats});
        if (floats != (strcmp(type, "i32") == 0))
            fail_msg("%s", text);
    }
}

/* A solver that notes in CTX whether a total is told by its elements. */
static bool notes_totals(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    struct answers a = {"unknown", "unsat", 0, 0};
    bool *totals = ctx;

    *totals = *totals || strstr(text, "(declare-fun along!") != NULL;
    return answer(&a, text, n, out, d);
}

/* Sums of what is cast to integers are totals; those of floats depend on the order. */
static void test_totals_of_casts(void **state)
{
    static const char *const types[] = {"i8", "u64", "i32", "f16", "f32", "f64"};

    for (int i = 0; i < 6; i++) {
        char text[500], cast[60];
        bool totals = false;

        snprintf(cast, sizeof cast, "{destination_type = %s}", types[i]);
        snprintf(
            text, sizeof text,
            "rule a exact:\n  ReduceSum(Add(Convert(x) %s, Convert(y) %s), [0]) {keep_dims = k}\n"
            "  => Add(ReduceSum(Convert(x) %s, [0]) {keep_dims = k}, ReduceSum(Convert(y) %s, [0]) "
            "{keep_dims = k})\n  where same_shape(x, y)\n",
            cast, cast, cast, cast);
        proof_by(text, (inlay_solver){notes_totals, &totals});
        assert_int_equal(totals, i < 3);
    }
}

/* A solver that counts in CTX the uses of functions for positions, each of which is declared. */
static bool finds_declared(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    struct answers a = {"unknown", "unsat", 0, 0};
    int *used = ctx;

    for (const char *at = text; (at = strstr(at, "(axis_")) != NULL; at++) {
        char declared[60];

        snprintf(declared, sizeof declared, "(declare-fun %.*s ", (int)strcspn(at + 1, " "),
                 at + 1);
        if (!strstr(text, declared))
            fail_msg("%s is missing", declared);
        *used += 1;
    }
    return answer(&a, text, n, out, d);
}

/* The place of an element by its number is declared for each axis of each number of axes. */
static void test_places_are_declared(void **state)
{
    static const char flattened[] =
        "rule a exact:\n  Reshape(Concat(x, y) {axis = 0}, [-1]) {special_zero = false}\n"
        "  => Concat(Reshape(x, [-1]) {special_zero = false}, Reshape(y, [-1]) {special_zero = "
        "false}) {axis = 0}\n  where same_beside(x, y, 0)\n";
    int used = 0;

    proof_by(flattened, (inlay_solver){finds_declared, &used});
    assert_true(used > 0);
}

/* What needs no solver is not asked: an order of axes is a number in each case. */
static void test_told_without(void **state)
{
    struct answers a = {"unknown", "sat", 0, 0};
    inlay_proof proof = proof_of("rule a exact:\n  Transpose(Transpose(x, p), q) => Transpose(x, "
                                 "r)\n  where let r = compose_orders(p, q)\n",
                                 &a);

    assert_int_equal(proof.verdict, INLAY_PROVEN);
    assert_int_equal(proof.questions, 3 * (1 + 1 + 4 + 36)); /* none of which was asked */
    assert_int_equal(proof.rank, 3);
    assert_int_equal(proof.cases, 1 + 1 + 4 + 36); /* r! * r! orders of r axes */
}

static void test_reasons(void **state)
{
    struct answers a = {"unknown", "unsat", 0, 0};
    inlay_proof proof = proof_of("rule a exact:\n  Inverse(x) {...} => Inverse(x) {...}\n", &a);

    assert_int_equal(proof.verdict, INLAY_NOT_PROVEN);
    assert_string_equal(proof.why, "Inverse has no encoding");
    proof =
        proof_of("rule a approx:\n  Clamp(Convert(x) {destination_type = f16}) {min = 0.0, max = "
                 "1.0} => Convert(x) {destination_type = f16}\n",
                 &a);
    assert_int_equal(proof.verdict, INLAY_NOT_PROVEN);
    assert_string_equal(proof.why, "numbers of several types over the reals");
    assert_int_equal(a.n_calls, 0);
}

/* A condition on an operation that may be a Reshape tells how many axes its operands have. */
static void test_ranks_of_operands(void **state)
{
    struct answers a = {"unknown", "unsat", 0, 0};
    inlay_proof proof = proof_of("rule a exact:\n  y = any g(any f(x, [_a]), [_b]) => x\n"
                                 "  where never_fails(f), reshapes(g), same_shape(x, y)\n",
                                 &a);

    assert_int_equal(proof.verdict, INLAY_PROVEN);
}

/* What promises a tolerance is never called proven bit for bit, and literals that stand for other
 * numbers are named. */
static void test_over_reals(void **state)
{
    struct answers a = {"unknown", "unsat", 0, 0};
    inlay_proof proof = proof_of("rule a approx:\n  Multiply(x, Sigmoid(x)) => Swish(x)\n", &a);

    assert_int_equal(proof.verdict, INLAY_PROVEN_OVER_REALS);
    assert_string_equal(proof.read, "");
    proof =
        proof_of("rule a approx:\n  HardSigmoid(x, 0.16666666666666666, 0.5) => HSigmoid(x)\n", &a);
    assert_int_equal(proof.verdict, INLAY_PROVEN_OVER_REALS);
    assert_string_equal(proof.read, "0.16666666666666666 as 1/6");
}

/* An attribute that a row does not look at is not taken for the same. */
static void test_not_encoded(void **state)
{
    static const struct {
        const char *rule, *why;
    } cases[] = {
        {"MaxPool@opset1..7(x) {strides = s, pads_begin = p, pads_end = q, kernel = k,\n"
         "  rounding_type = ceil}\n"
         "  => MaxPool@opset1..7(x) {strides = s, pads_begin = p, pads_end = q, kernel = k}",
         "MaxPool: its rounding_type is not encoded"},
        {"Reshape(Gather@opset8..(x, i, a) {batch_dims = b}, s) {special_zero = z}\n"
         "  => Reshape(Gather@opset8..(x, i, a), s) {special_zero = z}",
         "batches of a gather are not encoded"},
        {"Add(x, a) => Add(a, x)\n  where let b = axes_before(a, a)",
         "integers that no operation asks for"},
        {"Elu(x) {alpha = a} => Elu(x) {alpha = a}\n  where let b = front_axis(a, x)",
         "an axis that no operation asks for"},
    };
    struct answers a = {"unknown", "unsat", 0, 0};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        inlay_proof proof;

        snprintf(text, sizeof text, "rule a exact:\n  %s\n", cases[i].rule);
        proof = proof_of(text, &a);
        assert_int_equal(proof.verdict, INLAY_NOT_PROVEN);
        assert_string_equal(proof.why, cases[i].why);
    }
}

/* A solver that says the word CTX of each question, and whose numbers are all 1. */
static bool has_numbers(void *ctx, const char *text, size_t n, inlay_strbuf *out, inlay_diags *d)
{
    (void)n;
    (void)d;
    for (; *text; text++) {
        if (strncmp(text, "(check-sat)", 11) == 0)
            inlay_strbuf_printf(out, "%s\n", (const char *)ctx);
        if (strncmp(text, "(eval ", 6) == 0)
            inlay_strbuf_puts(out, "1\n");
    }
    return true;
}

/* What refutes is a graph on which both sides differ, not what the solver says. */
static void test_refuted(void **state)
{
    static const char wrong[] = "rule a exact:\n  Slice(x, window w) => x\n  where covers(w)\n";
    static const char right[] = "rule a exact:\n  Slice(x, window w) => x\n  where full(w)\n";
    inlay_prove_options o = {{has_numbers, (void *)"sat"}, inlay_reference_evaluator(NULL)};
    inlay_diags *d = inlay_diags_new();
    const char *const texts[] = {wrong, right};

    for (int i = 0; i < 2; i++) {
        inlay_rules *rules = inlay_rules_parse("test.rules", texts[i], strlen(texts[i]), d);
        inlay_proof proof;

        assert_true(inlay_prove(rules, 0, &o, &proof, d));
        assert_int_equal(proof.verdict, i == 0 ? INLAY_REFUTED : INLAY_NOT_PROVEN);
        assert_int_equal(proof.counterexample != NULL, i == 0);
        inlay_proof_free(&proof);
        inlay_rules_free(rules);
    }
    inlay_diags_free(d);
}

/* Numbers behind any word but "sat" are no model: the counterexample is one of those made up. */
static void test_models(void **state)
{
    static const char wrong[] =
        "rule a exact:\n  Concat(x, y) {axis = n} => Concat(y, x) {axis = n}\n";
    static const char *const words[] = {"", "unknown", "timeout", "(error \"sat\")", "sat"};
    enum { WORDS = sizeof words / sizeof *words };
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("test.rules", wrong, strlen(wrong), d);
    inlay_proof proofs[WORDS];

    for (int i = 0; i < WORDS; i++) {
        inlay_prove_options o = {{has_numbers, (void *)words[i]}, inlay_reference_evaluator(NULL)};

        assert_true(inlay_prove(rules, 0, &o, &proofs[i], d));
        assert_int_equal(proofs[i].verdict, INLAY_REFUTED);
        assert_int_equal(strcmp(proofs[i].counterexample, proofs[0].counterexample) == 0,
                         strcmp(words[i], "sat") != 0);
    }
    for (int i = 0; i < WORDS; i++)
        inlay_proof_free(&proofs[i]);
    inlay_rules_free(rules);
    inlay_diags_free(d);
}

/* A graph on which a rule is wrong counts for more than a proof of it. */
static void test_contradicted(void **state)
{
    static const char wrong[] = "rule a exact:\n  Add(x, y) => Subtract(x, y)\n";
    struct answers a = {"sat", "unsat", 0, 0};
    inlay_prove_options o = {{answer, &a}, inlay_reference_evaluator(NULL)};
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("test.rules", wrong, strlen(wrong), d);
    inlay_proof proof;

    assert_true(inlay_prove(rules, 0, &o, &proof, d));
    assert_int_equal(proof.verdict, INLAY_REFUTED);
    assert_non_null(strstr(proof.why, "a graph contradicts its proof: "));
    assert_non_null(proof.counterexample);
    inlay_proof_free(&proof);
    o.evaluator = (inlay_evaluator){0};
    assert_true(inlay_prove(rules, 0, &o, &proof, d));
    assert_int_equal(proof.verdict, INLAY_PROVEN);
    inlay_proof_free(&proof);
    inlay_rules_free(rules);
    inlay_diags_free(d);
}

static void print(const smt *t, const char *expected)
{
    inlay_strbuf text = {0};

    smt_print(&text, t);
    assert_string_equal(text.bytes, expected);
    inlay_strbuf_free(&text);
}

/* Terms as SMT-LIB 2.6 writes them; what is plain is told at once. */
static void test_terms(void **state)
{
    smt_pool p = {.arena = inlay_arena_new()};
    const smt *x = smt_constant(&p, "x", "Int"), *two = smt_int(&p, 2);

    print(smt_add(&p, two, smt_int(&p, -5)), "(- 3)");
    print(smt_add(&p, x, smt_int(&p, 0)), "x!0");
    print(smt_lt(&p, x, two), "(not (<= 2 x!0))");
    print(smt_within(&p, smt_int(&p, 0), two, smt_int(&p, 3)), "true");
    print(smt_ite(&p, smt_eq(&p, x, x), x, two), "x!0");
    print(smt_implies(&p, smt_eq(&p, x, two), smt_bool(false)), "(not (= x!0 2))");
    print(smt_all(&p, x, smt_le(&p, x, two), smt_apply1(&p, "f", x)),
          "(forall ((x!0 Int)) (! (<= x!0 2) :pattern ((f x!0))))");
    print(smt_ground(&p, smt_all(&p, x, smt_eq(&p, smt_apply1(&p, "f", x), two), x), 1, 2),
          "(and (= (f 1) 2) (= (f 2) 2))");
    inlay_strbuf_free(&p.declared);
    inlay_arena_free(p.arena);
}

/* A sum is the same on all numbers of axes if it is on as many as tell apart each way in which its
 * axes are taken, and each in which its values are broadcast: with three values these are more
 * axes than are tried. */
static void test_axes_of_sums(void **state)
{
    static const struct {
        const char *sum, *turned, *only;
    } cases[] = {
        {"x", "Add(x, 0)", ""},
        {"Add(x, y)", "Add(y, x)", "known numbers of axes"},
        {"Add(x, Add(y, z))", "Add(Add(z, y), x)", "up to 2 axes, known numbers of axes"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct answers a = {"unknown", "unsat", 0, 0};
        char text[300];
        inlay_proof proof;

        snprintf(text, sizeof text,
                 "rule a exact:\n  ReduceSum(%s, a) {keep_dims = k} => ReduceSum(%s, a) {keep_dims "
                 "= k}\n  where integers(x)\n",
                 cases[i].sum, cases[i].turned);
        proof = proof_of(text, &a);
        assert_int_equal(proof.verdict, *cases[i].only ? INLAY_PROVEN_FOR : INLAY_PROVEN);
        assert_string_equal(proof.only, cases[i].only);
    }
}

/* What is written at a place has the axes of the data, and as many of them as it has may be the one
 * that it is written along. */
static void test_placed(void **state)
{
    struct answers a = {"unknown", "unsat", 0, 0};
    inlay_proof proof = proof_of("rule a exact:\n  ScatterUpdate(x, i, u, n) => SliceScatter(x, u, "
                                 "window w)\n  where let w = placed(i, u, x, n)\n",
                                 &a);

    assert_int_equal(proof.rank, 4);
    assert_int_equal(proof.cases, 1 + 2 + 3 + 4);
}

/* What an integer type can represent is all numbers between its least and its greatest. */
static void test_types_that_hold_all(void **state)
{
    static const struct {
        inlay_type type;
        double least, most;
    } of[] = {{INLAY_BOOLEAN, 0, 1},
              {INLAY_I64, -0x1p63, 0x1p63 - 0x1p9},
              {INLAY_I32, -0x1p31, 0x1p31 - 1},
              {INLAY_I16, -0x1p15, 0x1p15 - 1},
              {INLAY_I8, -128, 127},
              {INLAY_I4, -8, 7},
              {INLAY_I2, -2, 1},
              {INLAY_U64, 0, 0x1p64 - 0x1p11},
              {INLAY_U32, 0, 0x1p32 - 1},
              {INLAY_U16, 0, 0x1p16 - 1},
              {INLAY_U8, 0, 255},
              {INLAY_U6, 0, 63},
              {INLAY_U4, 0, 15},
              {INLAY_U3, 0, 7},
              {INLAY_U2, 0, 3},
              {INLAY_U1, 0, 1}};

    for (size_t i = 1; i < sizeof of / sizeof *of; i++) {
        for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
            bool holds = of[i].least <= of[k].least && of[k].most <= of[i].most;

            if (law_holds_all(of[i].type, of[k].type) != holds)
                fail_msg("type %d, of type %d: wanted %d", of[i].type, of[k].type, holds);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms),           cmocka_unit_test(test_contracts),
        cmocka_unit_test(test_answers),         cmocka_unit_test(test_told_without),
        cmocka_unit_test(test_axes_of_sums),    cmocka_unit_test(test_placed),
        cmocka_unit_test(test_models),          cmocka_unit_test(test_no_answer_of_numbers),
        cmocka_unit_test(test_reasons),         cmocka_unit_test(test_over_reals),
        cmocka_unit_test(test_not_encoded),     cmocka_unit_test(test_contradicted),
        cmocka_unit_test(test_refuted),         cmocka_unit_test(test_ranks_of_operands),
        cmocka_unit_test(test_exact_floats),    cmocka_unit_test(test_types_that_hold_all),
        cmocka_unit_test(test_totals_of_casts), cmocka_unit_test(test_places_are_declared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
