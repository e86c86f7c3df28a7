/* Budgets of a run: --max-copied and --max-peak. Compares them with the plan, or with the
 * measurements of a run; if one is exceeded, reports which values are copied and why, and what is
 * alive at the peak. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20 }; /* at most so many values of a peak are listed, the largest first */

static bool has_budgets(const cli_model_options *o)
{
    return o->max_copied || o->max_peak;
}

bool cli_settle_budgets(const cli_command *self, cli_model_options *o)
{
    if (o->prefer && strcmp(o->prefer, "peak") != 0 && strcmp(o->prefer, "copies") != 0) {
        cli_usage(self, "option --prefer is \"%s\", it must be peak or copies", o->prefer);
        return false;
    }
    return (!o->max_copied || cli_bytes(self, "--max-copied", o->max_copied, &o->copied_limit)) &&
           (!o->max_peak || cli_bytes(self, "--max-peak", o->max_peak, &o->peak_limit));
}

/* Why: what in-place-windows decided */

/* Keeps what the last run of the pass decided, for the explanation. */
static void begin_reasons(cli_model_options *o)
{
    if (o->reasons)
        rewind(o->reasons);
    else
        o->reasons = open_memstream(&o->reasons_text, &o->reasons_size);
}

static bool still_copies(const inlay_in_place *what)
{
    return !what->overwrite.made || (what->view.asked && !what->view.made) ||
           (what->into.asked && !what->into.made) || what->copies_updates;
}

void cli_keep_reasons(cli_model_options *o, const inlay_event *e)
{
    if (!o->max_copied)
        return;
    if (e->kind == INLAY_EVENT_PASS_BEGINS && strcmp(e->pass, "in-place-windows") == 0)
        begin_reasons(o);
    if (!o->reasons)
        return;
    if (e->kind == INLAY_EVENT_DECIDED && still_copies(e->as.in_place))
        cli_explain_text(o->reasons, e->as.in_place);
    if (e->kind == INLAY_EVENT_COPIES && !e->as.copy->view.made && !e->as.copy->into.made)
        cli_copy_text(o->reasons, e->as.copy);
}

void cli_free_reasons(cli_model_options *o)
{
    if (o->reasons)
        fclose(o->reasons);
    free(o->reasons_text);
}

static void tell_reasons(cli_model_options *o)
{
    if (!o->reasons || fflush(o->reasons) != 0 || o->reasons_size == 0)
        return;
    fprintf(stderr, "why:\n");
    fwrite(o->reasons_text, 1, o->reasons_size, stderr);
}

/* What is copied */

static const char *plural_s(uint64_t n)
{
    return inlay_plural((int64_t)n, "", "s");
}

static void tell_copies(const inlay_program_plan *p)
{
    if (p->copied_bytes > 0)
        fprintf(stderr, "copied, when the caller keeps all inputs:\n");
    if (p->input_copies > 0)
        fprintf(stderr, "  inputs that are written over, but kept by the caller: %llu byte%s\n",
                (unsigned long long)p->input_copies, plural_s(p->input_copies));
    for (size_t i = 0; i < p->n_steps; i++) {
        if (p->steps[i].copied_bytes == 0)
            continue;
        fprintf(stderr, "  ");
        cli_print_node(stderr, p->steps[i].node);
        fprintf(stderr, ": %llu byte%s\n", (unsigned long long)p->steps[i].copied_bytes,
                plural_s(p->steps[i].copied_bytes));
    }
}

/* Reports that a run copies or holds more bytes than OPTION allows. */
static void tell_broken(cli_model_options *o, const char *option, const char *what, uint64_t bytes,
                        uint64_t limit)
{
    o->broken = true;
    cli_progress_clear();
    cli_say(stderr, "inlay: %s: a run %s %llu byte%s, the limit is %llu\n", option, what,
            (unsigned long long)bytes, plural_s(bytes), (unsigned long long)limit);
}

static void tell_unknown(cli_model_options *o, const char *option, const char *what)
{
    o->broken = true;
    cli_progress_clear();
    cli_say(
        stderr,
        "inlay: %s: what a run %s depends on sizes that are not known; set them with --shape or "
        "--dim, or measure with `inlay run`\n",
        option, what);
}

static bool keeps_copied(cli_model_options *o, const inlay_program_plan *p,
                         const inlay_exec_stats *found)
{
    uint64_t bytes = found ? found->copied_bytes : p->copied_bytes;

    if (!o->max_copied || (bytes <= o->copied_limit && (found || !p->about)))
        return true;
    if (bytes > o->copied_limit)
        tell_broken(o, "--max-copied", "copies", bytes, o->copied_limit);
    else
        tell_unknown(o, "--max-copied", "copies");
    tell_copies(p);
    tell_reasons(o);
    return false;
}

/* What lives at the peak */

static int by_bytes(const void *a, const void *b)
{
    const inlay_value_plan *x = *(const inlay_value_plan *const *)a;
    const inlay_value_plan *y = *(const inlay_value_plan *const *)b;

    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->made > y->made) - (x->made < y->made);
}

/* Returns the number of N's step; the first one if it has none. */
static size_t step_of(const inlay_memory_plan *p, const inlay_node *n)
{
    for (size_t i = 0; i < p->n_values; i++) {
        if (p->values[i].value->node == n)
            return p->values[i].made;
    }
    return 0;
}

static void tell_value(const inlay_value_plan *v)
{
    fprintf(stderr, "  ");
    cli_print_node(stderr, v->value->node);
    fprintf(stderr, ": %llu byte%s, made by step %zu, read until step %zu\n",
            (unsigned long long)v->bytes, plural_s(v->bytes), v->made, v->last);
}

/* Lists the values with buffers of their own that are alive at the peak, the largest first. */
static void tell_peak(const inlay_memory_plan *p)
{
    const inlay_value_plan **alive = calloc(p->n_values + 1, sizeof *alive);
    uint64_t bytes = 0;
    size_t n = 0, at = p->peak_at ? step_of(p, p->peak_at) : 0;

    if (!alive || !p->peak_at) {
        free(alive);
        return;
    }
    for (size_t i = 0; i < p->n_values; i++) {
        const inlay_value_plan *v = &p->values[i];

        if (v->place == INLAY_FRESH && v->bytes > 0 && v->made <= at && v->last >= at)
            alive[n++] = v;
    }
    if (n > 0)
        qsort(alive, n, sizeof *alive, by_bytes);
    fprintf(stderr, "alive at the peak, ");
    cli_print_node(stderr, p->peak_at);
    fprintf(stderr, ", step %zu:\n", at);
    for (size_t i = 0; i < n; i++) {
        if (i < SHOWN)
            tell_value(alive[i]);
        bytes += alive[i]->bytes;
    }
    if (n > SHOWN)
        fprintf(stderr, "  and %zu more\n", n - SHOWN);
    if (p->peak_bytes > bytes)
        fprintf(stderr, "  the rest, places that a run keeps and copies of inputs: %llu byte%s\n",
                (unsigned long long)(p->peak_bytes - bytes), plural_s(p->peak_bytes - bytes));
    free(alive);
}

static bool keeps_peak(cli_model_options *o, const inlay_memory_plan *p,
                       const inlay_exec_stats *found)
{
    uint64_t bytes = found ? found->peak_bytes : p->peak_bytes;

    if (!o->max_peak || (bytes <= o->peak_limit && (found || p->unknown == 0)))
        return true;
    if (bytes > o->peak_limit)
        tell_broken(o, "--max-peak", "holds", bytes, o->peak_limit);
    else
        tell_unknown(o, "--max-peak", "holds");
    tell_peak(p);
    return false;
}

static bool is_kept(const cli_model_options *o, const inlay_exec_stats *found)
{
    return found && (!o->max_copied || found->copied_bytes <= o->copied_limit) &&
           (!o->max_peak || found->peak_bytes <= o->peak_limit);
}

bool cli_check_budgets(cli_model_options *o, const inlay_graph *g, inlay_kernels kernels,
                       const inlay_exec_stats *found, inlay_diags *d)
{
    inlay_program_plan steps = {0};
    inlay_memory_plan memory = {0};
    bool ok = true;

    if (!has_budgets(o) || is_kept(o, found))
        return true;
    ok = inlay_program_plan_make(g, kernels, &steps, d) && inlay_memory_plan_make(g, &memory, d);
    if (ok) {
        ok = keeps_copied(o, &steps, found);
        ok = keeps_peak(o, &memory, found) && ok;
    }
    inlay_program_plan_free(&steps);
    inlay_memory_plan_free(&memory);
    return ok;
}
