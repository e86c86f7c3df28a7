#include "cli/match.h"
#include "cli/rewritten.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct verify {
    const cli_command *self;
    cli_model_options model;
    const char *trials, *seed, *rtol, *atol, *ulp, *exec, *kernels_name;
    cli_list shapes, given;
    cli_picture picture;
    inlay_verify_options o;
    bool prove, exhaustive, values, json, match, errors;
    int begun;             /* trials, this one included */
    inlay_exec_mode mode;  /* of B */
    inlay_kernels kernels; /* the same */
};

static bool read_options(struct verify *v)
{
    const cli_command *self = v->self;
    int64_t trials = 0, seed = 0, ulp = 0;

    if ((v->trials && !cli_number(self, "--trials", v->trials, 1, &trials)) ||
        (v->seed && !cli_number(self, "--seed", v->seed, 0, &seed)) ||
        (v->ulp && !cli_number(self, "--ulp", v->ulp, 0, &ulp)) ||
        (v->rtol && !cli_real(self, "--rtol", v->rtol, &v->o.tolerance.rtol)) ||
        (v->atol && !cli_real(self, "--atol", v->atol, &v->o.tolerance.atol)) ||
        !cli_settle(self, &v->model))
        return false;
    v->o.trials = trials > 1000000 ? 1000000 : (int)trials;
    v->o.seed = (uint64_t)seed;
    v->o.tolerance.ulp = (uint64_t)ulp;
    return true;
}

/* Evaluates G with the planned executor after deciding its places again, because a reduced graph
 * has lost its notes. CTX: the options of the executor. */
static bool eval_placed(void *ctx, const inlay_graph *g, const inlay_tensor *const *in,
                        inlay_tensor **out, inlay_tensor **variables, inlay_diags *d)
{
    const inlay_pass_options places = {.passes = "in-place-windows"};
    inlay_evaluator planned = inlay_planned_evaluator(ctx);
    inlay_graph *placed = inlay_graph_clone(g, d);
    bool ok = placed && inlay_run_passes(placed, &places, d) &&
              planned.eval_graph(planned.ctx, placed, in, out, variables, d);

    inlay_graph_free(placed);
    return ok;
}

static void print_value(const inlay_value_difference *found, bool json)
{
    char op[160];

    if (json) {
        cli_json_field(stdout, "value", found->b ? found->b->node->name : NULL);
        return;
    }
    if (!found->b) {
        printf("  values: none of %zu pair%s of values differs by itself\n", found->compared,
               inlay_plural(found->compared, "", "s"));
        return;
    }
    cli_say(stdout,
            "  values: the first that differs is \"%s\" (%s) of the second graph, \"%s\" of the "
            "first: %s\n",
            found->b->node->name, inlay_op_text(found->b->node->op, op, sizeof op),
            found->a->node->name, found->why);
}

/* For --values: finds the first value in which the graphs differ, on the inputs of the trial that
 * differed. */
static bool tell_values(const struct verify *v, const inlay_graph *a, const inlay_evaluator *first,
                        const inlay_graph *b, const inlay_evaluator *second, inlay_diags *d)
{
    inlay_evaluator placed = {second->eval_node, eval_placed, second->ctx};
    inlay_value_difference found;

    if (!inlay_find_difference(a, first, b, b->has_notes ? &placed : second,
                               (const inlay_tensor *const *)v->o.kept, &v->o.tolerance, &found, d))
        return false;
    print_value(&found, v->json);
    return true;
}

/* Makes the inputs of each draw; where all are given there is one draw. */
static bool make_draws(const struct verify *v, const inlay_graph *a, match *m, inlay_tensor ***in,
                       inlay_diags *d)
{
    bool ok = true, given = true;

    for (int i = 0; i < a->n_params; i++)
        given = given && v->o.inputs[i];
    m->draws = given ? 1 : v->o.trials > 0 && v->o.trials < MATCH_DRAWS ? v->o.trials : MATCH_DRAWS;
    for (int k = 0; ok && k < m->draws; k++) {
        const inlay_make_options make = {.seed = v->o.seed + (uint64_t)k,
                                         .fills = v->o.fills,
                                         .shapes = v->o.shapes,
                                         .ranges = v->o.ranges,
                                         .max_memory = v->o.max_memory};

        in[k] = calloc((size_t)a->n_params + 1, sizeof *in[k]);
        if (!in[k])
            return inlay_fail_memory(d);
        for (int i = 0; i < a->n_params; i++)
            in[k][i] = v->o.inputs[i] ? inlay_tensor_retain(v->o.inputs[i]) : NULL;
        ok = inlay_make_inputs(a, &make, in[k], d);
    }
    return ok;
}

static void free_draws(const inlay_graph *a, inlay_tensor ***in)
{
    for (int k = 0; k < MATCH_DRAWS; k++) {
        for (int i = 0; in[k] && i < a->n_params; i++)
            inlay_tensor_release(in[k][i]);
        free(in[k]);
    }
}

static void json_proof(const inlay_symbolic_result *r)
{
    cli_say(stdout,
            "{%s\"proven\": %s, \"all_sizes\": %s, \"sizes\": %d, \"elements\": %" PRIu64
            ", \"terms\": %" PRIu64,
            r->all_sizes ? "\"result\": \"same\", \"not_covered\": [], " : "",
            r->proven ? "true" : "false", r->all_sizes ? "true" : "false", r->sizes, r->elements,
            r->terms);
    cli_json_field(stdout, "not_proven_because", r->why);
}

static void print_proof(const inlay_symbolic_result *r)
{
    if (!r->proven)
        cli_say(stdout, "not proven: %s\n", r->why);
    else if (r->all_sizes && r->sizes == 0)
        printf("proven: the same for all values and all sizes\n");
    else if (r->all_sizes)
        printf("proven: the same for all values, %" PRIu64 " element%s, %" PRIu64 " term%s\n",
               r->elements, inlay_plural(r->elements, "", "s"), r->terms,
               inlay_plural(r->terms, "", "s"));
    else
        printf("proven: the same for all values at %d choice%s of open sizes, %" PRIu64
               " element%s, %" PRIu64 " term%s; not for other sizes\n",
               r->sizes, inlay_plural(r->sizes, "", "s"), r->elements,
               inlay_plural(r->elements, "", "s"), r->terms, inlay_plural(r->terms, "", "s"));
}

/* What a proof says that relies on rewrites. */
static const char *relative_verdict(const cli_rewrites *r)
{
    static const char *const verdicts[] = {
        [INLAY_EXACT] = "the same for all values",
        [INLAY_REFINES] = "the same for all values for which neither fails",
        [INLAY_APPROX] = "equal over the reals, by rewrites within a tolerance"};

    return verdicts[cli_rewrites_exactness(r)];
}

/* PIECES: how many were proven; 0: all of it at once. */
static void tell_relative(const struct verify *v, const cli_rewrites *r,
                          const inlay_pieces_result *pieces)
{
    const char *verdict = relative_verdict(r);

    if (!v->json) {
        cli_say(stdout, "proven %s, for all sizes: %s\n",
                pieces->proven ? "piece by piece" : "by rewrites", verdict);
        if (pieces->proven)
            cli_say(stdout, "  %zu piece%s, %zu proof%s\n", pieces->pieces,
                    inlay_plural(pieces->pieces, "", "s"), pieces->proofs,
                    inlay_plural(pieces->proofs, "", "s"));
        if (r->n > 0)
            cli_print_rewrites(r, pieces->proven ? "in one piece of each structure"
                                                 : "to both graphs");
        return;
    }
    cli_json_field(stdout, "proven_by_rewrites", verdict);
    if (pieces->proven)
        printf(", \"pieces\": %zu, \"proofs\": %zu", pieces->pieces, pieces->proofs);
    cli_json_rewrites(r);
    if (cli_rewrites_exactness(r) == INLAY_EXACT)
        printf(", \"result\": \"same\", \"not_covered\": [\"mistakes of the rewrites\"]");
}

/* Values of the same name, in the order of B, which rewrites keep where they can. NULL: out of
 * memory. */
static inlay_value_pair *pairs_by_name(const inlay_graph *a, const inlay_graph *b, size_t *n,
                                       inlay_diags *d)
{
    inlay_order_list order = {0};
    inlay_value_pair *pairs = NULL;

    if (inlay_order(b, false, &order, d) && !(pairs = calloc(order.n + 1, sizeof *pairs)))
        inlay_fail_memory(d);
    for (size_t i = 0; pairs && i < order.n; i++) {
        const inlay_node *y = order.nodes[i], *x = inlay_graph_node(a, y->name);

        if (x && x->n_out > 0 && y->n_out > 0)
            pairs[(*n)++] = (inlay_value_pair){&x->out[0], &y->out[0]};
    }
    inlay_order_free(&order);
    return pairs;
}

/* Values that are equal in what is drawn for them. There are none where nothing can be drawn or
 * run. NULL: out of memory. */
static inlay_value_pair *pairs_by_run(const struct verify *v, const inlay_graph *a,
                                      const inlay_graph *b, const inlay_symbolic_options *o,
                                      size_t *n, inlay_diags *d)
{
    inlay_tensor **in[MATCH_DRAWS] = {0};
    inlay_diags *said = inlay_diags_new();
    match m = {.a.g = a,
               .b.g = b,
               .ev = o->evaluator,
               .rtol = 1e-4,
               .atol = 1e-6,
               .max_memory = v->model.memory};
    bool drawn = said && make_draws(v, a, &m, in, said) && match_graphs(&m, in, said);
    const inlay_diag *e = inlay_diags_error(said);
    bool lacked = !said || (e && strcmp(e->text, "out of memory") == 0); /* and no limit */
    inlay_value_pair *pairs = lacked ? NULL : calloc((size_t)m.b.n + 1, sizeof *pairs);

    if (!pairs)
        inlay_fail_memory(d);
    for (int i = 0; pairs && drawn && i < m.b.n; i++) {
        if (m.b.values[i].pair >= 0)
            pairs[(*n)++] = (inlay_value_pair){m.a.values[m.b.values[i].pair].v, m.b.values[i].v};
    }
    match_free(&m);
    free_draws(a, in);
    inlay_diags_free(said);
    return pairs;
}

static bool prove_pieces(const struct verify *v, const inlay_graph *a, const inlay_graph *b,
                         const inlay_symbolic_options *o, cli_rewrites *r,
                         inlay_pieces_result *result, inlay_diags *d)
{
    size_t n = 0;
    inlay_value_pair *pairs = pairs_by_name(a, b, &n, d);
    bool ok = pairs && cli_prove_pieces(a, b, pairs, n, o, result, r, d);
    inlay_pieces_result other = {.proven = false};

    free(pairs);
    if (!ok || result->proven)
        return ok;
    n = 0;
    pairs = pairs_by_run(v, a, b, o, &n, d);
    ok = pairs && cli_prove_pieces(a, b, pairs, n, o, &other, r, d);
    free(pairs);
    if (other.proven || other.pieces > result->pieces)
        *result = other;
    return ok;
}

/* Where terms alone decide nothing: do both graphs become one by the passes of "default", are they
 * equal piece by piece, or do they become one by the passes of "aggressive"? *R is what it took, of
 * which there is nothing if they do not. */
static bool prove_otherwise(const struct verify *v, const inlay_graph *a, const inlay_graph *b,
                            const inlay_symbolic_options *o, cli_rewrites *r,
                            inlay_pieces_result *pieces, bool *proven, inlay_diags *d)
{
    inlay_symbolic_result result;
    bool ok = cli_prove_rewritten(a, b, "default", o, &result, r, d);

    *proven = ok && result.proven && result.all_sizes;
    if (ok && !*proven) {
        ok = prove_pieces(v, a, b, o, r, pieces, d);
        *proven = ok && pieces->proven;
    }
    if (ok && !*proven) {
        ok = cli_prove_rewritten(a, b, "aggressive", o, &result, r, d);
        *proven = ok && result.proven && result.all_sizes;
    }
    if (!*proven)
        cli_free_rewrites(r);
    return ok;
}

static void tell_unproven(const struct verify *v, const inlay_pieces_result *pieces)
{
    if (!v->json) {
        cli_say(stdout, "  %zu piece%s proven, %zu not: %s\n", pieces->pieces,
                inlay_plural(pieces->pieces, "", "s"), pieces->unproven, pieces->why);
        return;
    }
    printf(", \"pieces\": %zu, \"pieces_not_proven\": %zu", pieces->pieces, pieces->unproven);
    cli_json_field(stdout, "piece_not_proven", pieces->why);
}

/* For --prove: decides for all inputs. *STATUS is the exit status, or -1 if trials have to look for
 * a difference. */
static bool prove(const struct verify *v, const inlay_graph *a, const inlay_graph *b,
                  const inlay_evaluator *reference, int *status, inlay_symbolic_result *result,
                  inlay_diags *d)
{
    enum { MOST_TERMS = 1 << 22 };
    const inlay_symbolic_options o = {
        .evaluator = *reference, .shapes = v->o.shapes, .max_terms = MOST_TERMS};
    cli_rewrites rewrites = {0};
    inlay_pieces_result pieces = {.proven = false};
    bool proven = false;

    if (!inlay_symbolic_same(a, b, &o, result, d) ||
        (!result->all_sizes && !prove_otherwise(v, a, b, &o, &rewrites, &pieces, &proven, d)))
        return false;
    if (v->json)
        json_proof(result);
    else if (!proven)
        print_proof(result);
    if (!proven && pieces.unproven > 0)
        tell_unproven(v, &pieces);
    if (proven)
        tell_relative(v, &rewrites, &pieces);
    if (proven && cli_rewrites_exactness(&rewrites) == INLAY_EXACT)
        result->all_sizes = true;
    *status = result->all_sizes ? INLAY_OK : -1;
    cli_free_rewrites(&rewrites);
    return true;
}

/* When it is interrupted: each trial before this one agreed, or did not count. */
static void tell(void *ctx)
{
    const struct verify *v = ctx;
    int trials = v->begun > 0 ? v->begun - 1 : 0;

    cli_progress_end();
    if (v->json)
        printf("%s\"result\": \"interrupted\", \"trials\": %d}\n", v->prove ? ", " : "{", trials);
    else
        printf("no difference in %d trial%s\n", trials, inlay_plural(trials, "", "s"));
}

static void begin_trial(void *ctx, int trial, int trials)
{
    struct verify *v = ctx;

    cli_progress_trial(NULL, trial, trials);
    v->begun = trial + 1;
}

static int tell_verdict(const struct verify *v, const inlay_graph *a, const inlay_verify_result *r)
{
    int status;

    if (v->json) {
        fputs(v->prove ? ", " : "{", stdout);
        return cli_json_verdict(stdout, r, v->exhaustive ? NULL : a, &v->o);
    }
    status = cli_print_verdict(stdout, r);
    if (r->verdict == INLAY_SAME && !v->exhaustive)
        cli_print_untried(stdout, a, &v->o);
    return status;
}

/* Runs the trials, prints the result, and returns the exit status. */
static int try_graphs(struct verify *v, const inlay_graph *a, const inlay_evaluator *first,
                      const inlay_graph *b, const inlay_evaluator *second, inlay_diags *d)
{
    enum { POINTS = 1000000 };
    cli_recorder of_a, of_b;
    const inlay_evaluator recorded[] = {cli_record(&of_a, first), cli_record(&of_b, second)};
    inlay_verify_result result;
    int status = INLAY_INVALID;
    bool done;

    v->o.kept = calloc((size_t)a->n_params + 1, sizeof(inlay_tensor *));
    cli_on_interrupt(tell, v);
    cli_progress_begin("verify");
    if (!v->o.kept)
        done = inlay_fail_memory(d);
    else if (v->exhaustive)
        done = inlay_verify_exhaustive(a, &recorded[0], b, &recorded[1], &v->o, POINTS, &result, d);
    else
        done = inlay_verify(a, &recorded[0], b, &recorded[1], &v->o, &result, d);
    cli_progress_end();
    cli_on_interrupt(NULL, NULL);
    if (done)
        status = tell_verdict(v, a, &result);
    if (done && result.verdict == INLAY_NOT_SAME && result.counted > 0)
        cli_print_refutation(&(cli_printer){stdout, v->json}, a, &of_a, b, &of_b,
                             (const inlay_tensor *const *)v->o.kept);
    if (done && v->values && result.verdict == INLAY_NOT_SAME && result.counted > 0 &&
        !tell_values(v, a, first, b, second, d))
        status = INLAY_INVALID;
    cli_free_recorder(&of_a);
    cli_free_recorder(&of_b);
    for (int i = 0; v->o.kept && i < a->n_params; i++)
        inlay_tensor_release(v->o.kept[i]);
    free(v->o.kept);
    v->o.kept = NULL;
    return status;
}

/* --match: pairs values in place of trials. Returns the exit status. */
static int match_values(const struct verify *v, const inlay_graph *a, const inlay_graph *b,
                        const inlay_evaluator *ev, inlay_diags *d)
{
    inlay_tensor **in[MATCH_DRAWS] = {0};
    match m = {.a.g = a,
               .b.g = b,
               .ev = *ev,
               .rtol = v->rtol ? v->o.tolerance.rtol : 1e-4,
               .atol = v->atol ? v->o.tolerance.atol : 1e-6,
               .max_memory = v->model.memory,
               .near = v->errors,
               .piece = {-1, -1}};
    bool ok = make_draws(v, a, &m, in, d) && match_graphs(&m, in, d);
    int status = INLAY_INVALID;

    if (ok && v->errors)
        match_pair_near(&m);
    else if (ok && match_differing(&m) > 0)
        ok = match_find_piece(&m, d);
    if (ok)
        status = match_tell(&m, v->json, d);
    match_free(&m);
    free_draws(a, in);
    return status;
}

/* Tries a proof if asked for, and trials if it decides nothing, or not for all sizes. Returns the
 * exit status. */
static int compare(struct verify *v, const inlay_graph *a, const inlay_graph *b, inlay_diags *d)
{
    inlay_exec_options limits = {.kernels = v->kernels,
                                 .max_memory = v->model.memory,
                                 .max_iterations = v->model.iterations,
                                 .progress = cli_progress_step};
    inlay_evaluator reference = inlay_reference_evaluator(&limits);
    inlay_evaluator second =
        v->mode == INLAY_EXEC_PLANNED ? inlay_planned_evaluator(&limits) : reference;
    inlay_symbolic_result proof = {.all_sizes = true};
    int status = -1;

    if (v->match || v->errors)
        return match_values(v, a, b, &reference, d);
    if (v->prove && !prove(v, a, b, &reference, &status, &proof, d))
        return INLAY_INVALID;
    if (status < 0)
        status = try_graphs(v, a, &reference, b, &second, d);
    if (v->json && status != INLAY_INVALID)
        puts("}");
    return status == INLAY_OK && !proof.all_sizes ? INLAY_UNDECIDED : status;
}

static int verify_files(struct verify *v, const char *const *files)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *a, *b = NULL;
    inlay_shape *shapes = NULL;
    cli_inputs in = {0};
    int status = INLAY_INVALID;

    if (!d)
        return cli_no_memory();
    v->model.given = &v->given;
    a = cli_read(files[0], &v->model, d);
    if (a)
        b = cli_read_other(files[1], &v->model, d);
    if (b && cli_input_shapes(a, &v->shapes, false, &shapes, d) &&
        cli_take_inputs(a, &v->given, &v->picture, true, &in, d)) {
        v->o.shapes = shapes;
        v->o.inputs = in.tensors;
        v->o.fills = in.fills;
        v->o.ranges = in.ranges;
        v->o.max_memory = v->model.memory;
        v->o.progress = begin_trial;
        v->o.ctx = v;
        status = compare(v, a, b, d);
    }
    free(shapes);
    cli_free_inputs(&in);
    inlay_graph_free(a);
    inlay_graph_free(b);
    return cli_finish(d, status);
}

int cmd_verify(const cli_command *self, int argc, char **argv)
{
    struct verify v = {.self = self, .mode = INLAY_EXEC_REFERENCE};
    const cli_option options[] = {
        CLI_TRIALS_OPTION(v.trials, "64"),
        CLI_SEED_OPTION(v.seed, "0"),
        CLI_RTOL_OPTION(v.rtol, "0"),
        CLI_ATOL_OPTION(v.atol, "0"),
        {"--ulp", "N", "let numbers differ by N steps between neighbours of their type, too",
         .text = &v.ulp},
        CLI_GIVEN_OPTION(v.given, "of A; the same in every trial"),
        CLI_SHAPE_OPTION(v.shapes),
        CLI_PICTURE_OPTIONS(v.picture),
        {"--exhaustive", NULL,
         "instead of trials, try every value of small integer and boolean inputs, or those near "
         "the sizes where there are too many; open sizes are 0 to 3",
         .flag = &v.exhaustive},
        {"--values", NULL, "where the graphs differ, name the first value inside of them that does",
         .flag = &v.values},
        MATCH_OPTIONS(v.match, v.errors),
        {"--prove", NULL,
         "first try to prove equality for all values: on terms, where products and sums are "
         "functions; else after rewriting both, with the rewrites it relies on",
         .flag = &v.prove},
        CLI_JSON_OPTION(v.json),
        CLI_WEIGHTS_OPTION(v.model),
        CLI_DIM_OPTION(v.model),
        CLI_EXTENSION_OPTION(v.model),
        CLI_EXEC_OPTION(v.exec, "reference; for B alone"),
        CLI_KERNELS_OPTION(v.kernels_name),
        CLI_LIMIT_OPTIONS(v.model),
        CLI_LINKS_OPTION(v.model),
        {0}};
    const char *files[2];
    int n, status = cli_parse(self, options, argc, argv, files, 2, 2, &n);

    if (status < 0)
        status = read_options(&v) && cli_exec_mode(self, v.exec, &v.mode) &&
                         cli_kernels(self, v.kernels_name, &v.kernels)
                     ? verify_files(&v, files)
                     : INLAY_INVALID;
    cli_list_free(&v.shapes);
    cli_list_free(&v.given);
    cli_free_model_options(&v.model);
    return status;
}
