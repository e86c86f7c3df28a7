/* The memory plan of `inlay info`: what `inlay run` would hold in memory, and for how long. */
#include "cli/cli.h"

#include <string.h>

static const char *const places[] = {[INLAY_FRESH] = "fresh",
                                     [INLAY_VIEW_OF] = "view",
                                     [INLAY_OVERWRITES] = "overwrites",
                                     [INLAY_INTO] = "into"};

static void print_value_name(FILE *f, const inlay_value *v)
{
    if (v->node->n_out > 1)
        cli_say(f, "\"%s.%d\"", v->node->name, v->index);
    else
        cli_say(f, "\"%s\"", v->node->name);
}

static size_t count_place(const inlay_memory_plan *p, inlay_note_kind place)
{
    size_t n = 0;

    for (size_t i = 0; i < p->n_values; i++)
        n += p->values[i].place == place;
    return n;
}

static size_t life(const inlay_value_plan *v)
{
    return v->last - v->made;
}

/* The value with the most bytes; NULL if no size is known. */
static const inlay_value_plan *largest(const inlay_memory_plan *p)
{
    const inlay_value_plan *best = NULL;

    for (size_t i = 0; i < p->n_values; i++) {
        if (p->values[i].bytes > (best ? best->bytes : 0))
            best = &p->values[i];
    }
    return best;
}

static void print_lifetimes(FILE *f, const inlay_memory_plan *p)
{
    enum { LONG = 10 };
    size_t short_lives = 0, long_lives = 0;
    const inlay_value_plan *longest = NULL;

    for (size_t i = 0; i < p->n_values; i++) {
        const inlay_value_plan *v = &p->values[i];

        short_lives += life(v) <= 1;
        long_lives += life(v) > LONG;
        if (!longest || life(v) > life(longest))
            longest = v;
    }
    if (!longest)
        return;
    fprintf(
        f,
        "  lifetimes            %zu are read last by the next step, %zu after more than %d steps; ",
        short_lives, long_lives, LONG);
    fprintf(f, "longest: ");
    print_value_name(f, longest->value);
    fprintf(f, ", %zu\n", life(longest));
}

/* Is the size of no value known? */
static bool knows_nothing(const inlay_memory_plan *p)
{
    return p->unknown > 0 && p->value_bytes == 0 && p->peak_bytes == 0;
}

static void print_places(FILE *f, const inlay_memory_plan *p)
{
    fprintf(f, "  in place             views: %zu, overwrites: %zu, into windows: %zu\n",
            count_place(p, INLAY_VIEW_OF), count_place(p, INLAY_OVERWRITES),
            count_place(p, INLAY_INTO));
}

void cli_memory_text(FILE *f, const inlay_memory_plan *p, const char *passes)
{
    const inlay_value_plan *most = largest(p);
    char op[160];

    cli_say(f, "memory plan of a run after passes %s:\n", passes);
    fprintf(f, "  steps                %zu\n", p->steps);
    if (knows_nothing(p)) {
        fprintf(f,
                "  values               %zu, of sizes that are not known (--shape sets open "
                "ones)\n  peak                 not known\n",
                p->n_values);
        print_places(f, p);
        return;
    }
    fprintf(f, "  values               %zu, %llu byte%s", p->n_values,
            (unsigned long long)p->value_bytes, inlay_plural(p->value_bytes, "", "s"));
    if (most) {
        fprintf(f, "; largest: ");
        print_value_name(f, most->value);
        fprintf(f, ", %llu", (unsigned long long)most->bytes);
    }
    if (p->unknown > 0)
        fprintf(f, "; %zu of unknown size are not counted (--shape sets sizes)", p->unknown);
    fprintf(f, "\n  peak                 %s%s%llu byte%s", p->unknown ? "at least " : "",
            p->about ? "about " : "", (unsigned long long)p->peak_bytes,
            inlay_plural(p->peak_bytes, "", "s"));
    if (p->peak_at)
        cli_say(f, " at \"%s\" (%s)", p->peak_at->name,
                inlay_op_text(p->peak_at->op, op, sizeof op));
    fprintf(f, "; %s%llu if nothing were in place\n", p->unknown ? "at least " : "",
            (unsigned long long)p->fresh_peak_bytes);
    print_places(f, p);
    print_lifetimes(f, p);
}

/* A number, or null where it is not known. */
static void json_bytes(FILE *f, const char *name, uint64_t bytes, bool known)
{
    cli_say(f, ", \"%s\": ", name);
    if (known)
        fprintf(f, "%llu", (unsigned long long)bytes);
    else
        fprintf(f, "null");
}

static bool has_known_size(const inlay_value *v)
{
    int64_t dims[INLAY_MAX_RANK];

    return inlay_fact_dims(&v->fact, dims);
}

void cli_memory_json(FILE *f, const inlay_memory_plan *p, const char *passes)
{
    const bool known = !knows_nothing(p);

    fprintf(f, "{\"passes\": ");
    cli_json_string(f, passes);
    fprintf(f, ", \"steps\": %zu", p->steps);
    json_bytes(f, "value_bytes", p->value_bytes, known);
    json_bytes(f, "peak_bytes", p->peak_bytes, known);
    fprintf(f, ", \"peak_at\": ");
    if (p->peak_at)
        cli_json_string(f, p->peak_at->name);
    else
        fprintf(f, "null");
    json_bytes(f, "fresh_peak_bytes", p->fresh_peak_bytes, known);
    fprintf(f, ", \"unknown\": %zu, \"about\": %s,\n    \"values\": [", p->unknown,
            p->about ? "true" : "false");
    for (size_t i = 0; i < p->n_values; i++) {
        const inlay_value_plan *v = &p->values[i];

        fprintf(f, "%s\n      {\"node\": ", i ? "," : "");
        cli_json_string(f, v->value->node->name);
        fprintf(f, ", \"output\": %d", v->value->index);
        json_bytes(f, "bytes", v->bytes, v->bytes > 0 || has_known_size(v->value));
        cli_say(f, ", \"place\": \"%s\", \"made\": %zu, \"last\": %zu}", places[v->place], v->made,
                v->last);
    }
    fprintf(f, "]}");
}
