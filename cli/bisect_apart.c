/* Runs of `inlay bisect` in a child process, which may crash or hang, judged as `inlay fuzz`
 * judges: a pass that fails, executors that give other results or messages for the graph, or other
 * ones in a second run, passes that make another graph when they run again. */
#include "cli/bisect.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { TRIALS = 6 };

/* What a child tells its parent while it runs. */
struct bisect_board {
    fuzz_failure failure;
    uint64_t applications;
    bool refused;     /* the graph after a pass */
    char names[4000]; /* of the passes that began, with a line break behind each */
    char pass[80], rule[300], rule_name[128], at[300]; /* of the last application */
};

struct apart {
    bisect *b;
    uint64_t limit;
    struct bisect_board *board;
};

static void note_application(struct bisect_board *to, const char *pass, const inlay_application *a)
{
    char op[160];

    to->applications = a->serial;
    snprintf(to->pass, sizeof to->pass, "%s", pass);
    *to->rule = *to->rule_name = '\0';
    if (a->rule) {
        snprintf(to->rule, sizeof to->rule, "%.120s (%.120s:%u)", a->rule->name, a->rule->file,
                 a->rule->line);
        snprintf(to->rule_name, sizeof to->rule_name, "%s", a->rule->name);
    }
    snprintf(to->at, sizeof to->at, "\"%.100s\" (%s)", a->at->name,
             inlay_op_text(a->at->op, op, sizeof op));
    if (a->at->line > 0)
        snprintf(to->at + strlen(to->at), sizeof to->at - strlen(to->at), ", line %u", a->at->line);
}

static bool receive(void *ctx, const inlay_event *e, inlay_diags *d)
{
    const struct apart *a = ctx;
    struct bisect_board *board = a->board;
    size_t n = strlen(board->names);

    (void)d;
    board->refused = board->refused || bisect_is_refusal(e);
    if (e->kind == INLAY_EVENT_PASS_BEGINS)
        snprintf(board->names + n, sizeof board->names - n, "%s\n", e->pass);
    if (e->kind != INLAY_EVENT_WILL_APPLY)
        return true;
    if (e->as.application->serial > a->limit)
        return false;
    note_application(board, e->pass, e->as.application);
    return true;
}

static bool fails(fuzz_failure *f, const char *kind, const char *why)
{
    snprintf(f->kind, sizeof f->kind, "%s", kind);
    snprintf(f->why, sizeof f->why, "%s", why);
    return true;
}

static inlay_graph *rewritten(const struct apart *a, bool told, inlay_diags *d)
{
    const cli_pass_hook hook = {.events = {receive, (void *)a, false}, .verify = true};
    struct bisect_board ignored = {.applications = 0};
    const struct apart silent = {a->b, a->limit, &ignored};
    const cli_pass_hook again = {.events = {receive, (void *)&silent, false}, .verify = true};
    inlay_graph *g = inlay_graph_clone(a->b->original, d);

    if (g && !cli_run_passes(g, &a->b->model, told ? &hook : &again, d)) {
        inlay_graph_free(g);
        g = NULL;
    }
    return g;
}

/* Do the passes make another graph when they run again? */
static bool varies(const struct apart *a, const inlay_graph *first, fuzz_failure *out)
{
    inlay_graph *second = rewritten(a, false, NULL);
    char why[400] = "";
    bool equal = true,
         failed = second && !inlay_graph_compare(first, second, &equal, why, sizeof why, NULL);

    inlay_graph_free(second);
    snprintf(out->way, sizeof out->way, "passes, once more");
    return !equal && !failed && fails(out, "varies", why);
}

static bool judge(const struct apart *a, inlay_diags *d)
{
    const fuzz f = {.self = a->b->self, .model = a->b->model, .trials = TRIALS};
    fuzz_failure *out = &a->board->failure;
    inlay_graph *g = rewritten(a, true, d);
    inlay_verify_result result = {.verdict = INLAY_SAME};
    bool failed;

    if (!g) /* a refused graph is compared in the parent: it is a result of the search */
        return !a->board->refused && *a->board->names &&
               inlay_diags_status(d) != INLAY_NO_RESOURCE &&
               fails(out, "error",
                     inlay_diags_error(d) ? inlay_diags_error(d)->text : "no message");
    bisect_compare(a->b, a->b->original, g, &result, d);
    failed = (result.verdict == INLAY_NOT_SAME && fails(out, "difference", result.why)) ||
             !fuzz_runs_alike(&f, g, a->b->seed, out) || varies(a, g, out);
    inlay_graph_free(g);
    return failed;
}

static int work(void *ctx)
{
    struct apart *a = ctx;
    const fuzz f = {.seconds = a->b->seconds};
    inlay_diags *d = inlay_diags_new();

    fuzz_limit_time(&f);
    return d && judge(a, d) ? INLAY_DIFFERENT : INLAY_OK;
}

/* Adds the passes that began to those of the run. */
static bool take_passes(bisect *b, const char *names, inlay_diags *d)
{
    for (size_t n; *names; names += n + 1) {
        n = strcspn(names, "\n");
        if (!bisect_add_pass(b, names, n, d))
            return false;
        if (!names[n])
            break;
    }
    return true;
}

static bool take_found(bisect *b, const struct bisect_board *from, inlay_diags *d)
{
    bisect_found *f = &b->found;

    bisect_free_found(f);
    *f = (bisect_found){
        from->applications, strdup(from->pass), strdup(from->rule), strdup(from->rule_name),
        strdup(from->at),   strdup(""),         strdup("")};
    return (f->pass && f->rule && f->rule_name && f->at && f->replaced && f->made) ||
           inlay_fail_memory(d);
}

bool bisect_try_apart(bisect *b, const char *passes, uint64_t limit, bool first, fuzz_failure *out,
                      inlay_diags *d)
{
    const char *named = b->model.passes;
    struct bisect_board *board =
        mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FILE *said = cli_child_file(d);
    struct apart a = {b, limit, board};
    const cli_child child = {.work = work, .ctx = &a, .err = said};
    bool ok = said && (board != MAP_FAILED || inlay_fail_memory(d));

    b->model.passes = passes ? passes : named;
    if (ok) {
        fuzz_ended(cli_run_child(&child), said, &board->failure);
        *out = board->failure;
        b->last = board->applications;
        ok = (!first || take_passes(b, board->names, d)) && take_found(b, board, d);
    }
    b->model.passes = named;
    b->runs += !first;
    if (said)
        fclose(said);
    if (board != MAP_FAILED)
        munmap(board, sizeof *board);
    return ok;
}
