/* The report of `inlay bench`, as text, as JSON, and as a trace. */
#include "cli/bench.h"

#include <stdlib.h>

enum { ROWS = 20 };

/* The sum of all steps' times, to tell the share of each step. */
static double all_steps_us(const bench_steps *s)
{
    double sum = 0;

    for (size_t i = 0; i < s->n; i++)
        sum += s->list[i].us;
    return sum;
}

static double rate_of(const bench_step *s)
{
    return s->us > 0 ? (double)s->bytes * (double)s->calls / s->us / 1e3 : 0;
}

static int by_time(const void *a, const void *b)
{
    double x = (*(const bench_step *const *)a)->us, y = (*(const bench_step *const *)b)->us;

    return (x < y) - (x > y);
}

static void print_step(FILE *f, const bench_step *s, double all)
{
    fprintf(f, "  %10.2f %5.1f %%", s->us, all > 0 ? 100 * s->us / all : 0);
    if (s->bytes > 0)
        fprintf(f, " %8.1f", rate_of(s));
    else
        cli_say(f, " %8s", "");
    cli_say(f, " %7llu  \"%s\" (%s-%d)\n", (unsigned long long)s->calls, s->node->name,
            s->node->op->name, s->node->op->version);
}

/* Prints the steps that take longest, in descending order. */
static void print_steps(FILE *f, const bench_report *r)
{
    const bench_steps *s = r->steps;
    const bench_step **order = calloc(s->n + 1, sizeof *order);
    double all = all_steps_us(s);

    if (!order)
        return;
    for (size_t i = 0; i < s->n; i++)
        order[i] = &s->list[i];
    qsort(order, s->n, sizeof *order, by_time);
    fprintf(f, "steps, each timed, mean of %d run%s; a copy in memory makes %.1f GB/s:\n", s->runs,
            inlay_plural(s->runs, "", "s"), r->copy_gbs);
    cli_say(f, "  %10s %7s %8s %7s\n", "us", "share", "GB/s", "calls");
    for (size_t i = 0; i < s->n && i < ROWS; i++)
        print_step(f, order[i], all);
    if (s->n > ROWS)
        fprintf(f, "  and %zu more (--json has all of them)\n", s->n - ROWS);
    free((void *)order);
}

static void print_peer(FILE *f, const bench_report *r)
{
    const bench_samples *peer = bench_peer_samples(r->peer);
    double ours = bench_quantile(&r->result->samples, 0.5), theirs = bench_quantile(peer, 0.5);

    fprintf(f, "ONNX Runtime, measured in turn with Inlay, as many threads:\n");
    fprintf(f, "  session   %12.1f us\n", bench_peer_load_us(r->peer));
    fprintf(f, "  median    %12.2f us, %.2f times ours\n", theirs, ours > 0 ? theirs / ours : 0);
    fprintf(f, "  min, p99  %12.2f us, %.2f us\n", bench_quantile(peer, 0),
            bench_quantile(peer, 0.99));
}

void bench_print_text(FILE *f, const bench_report *r)
{
    const bench_samples *s = &r->result->samples;
    const inlay_exec_stats *n = &r->result->stats;

    cli_say(f, "%s: passes %s, hint %s, %d thread%s\n", r->model, r->passes, r->hint, r->threads,
            inlay_plural(r->threads, "", "s"));
    fprintf(f, "  read      %12.1f us\n", r->load_us);
    fprintf(f, "  compile   %12.1f us, %.1f of them passes\n", r->passes_us + r->compile_us,
            r->passes_us);
    fprintf(f, "  median    %12.2f us of %zu run%s\n", bench_quantile(s, 0.5), s->n,
            inlay_plural(s->n, "", "s"));
    fprintf(f, "  min, p99  %12.2f us, %.2f us\n", bench_quantile(s, 0), bench_quantile(s, 0.99));
    fprintf(f, "  rate      %12.1f runs a second\n", (double)s->n / r->result->seconds);
    fprintf(f, "  peak      %12llu bytes; copied %llu byte%s a run, in %llu step%s\n",
            (unsigned long long)n->peak_bytes, (unsigned long long)n->copied_bytes,
            inlay_plural(n->copied_bytes, "", "s"), (unsigned long long)n->steps,
            inlay_plural(n->steps, "", "s"));
    if (r->peer)
        print_peer(f, r);
    if (r->steps)
        print_steps(f, r);
}

static void json_step(FILE *f, const bench_step *s)
{
    fprintf(f, "{\"name\": ");
    cli_json_string(f, s->node->name);
    cli_say(f,
            ", \"type\": \"%s\", \"version\": %d, \"calls\": %llu, \"us\": %.3f, \"bytes\": %llu",
            s->node->op->name, s->node->op->version, (unsigned long long)s->calls, s->us,
            (unsigned long long)(s->bytes * s->calls));
    fprintf(f, ", \"gb_per_s\": %.3f}", rate_of(s));
}

static void json_peer(FILE *f, const bench_report *r)
{
    const bench_samples *s = bench_peer_samples(r->peer);

    fprintf(f,
            ",\n \"compare\": {\"name\": \"onnxruntime\", \"load_us\": %.1f, \"median_us\": %.3f, "
            "\"min_us\": %.3f, \"p99_us\": %.3f, \"runs\": %zu}",
            bench_peer_load_us(r->peer), bench_quantile(s, 0.5), bench_quantile(s, 0),
            bench_quantile(s, 0.99), s->n);
}

void bench_print_json(FILE *f, const bench_report *r)
{
    const bench_samples *s = &r->result->samples;
    const inlay_exec_stats *n = &r->result->stats;

    fprintf(f, "{\"model\": ");
    cli_json_string(f, r->model);
    fprintf(f, ", \"passes\": ");
    cli_json_string(f, r->passes);
    cli_say(f,
            ", \"hint\": \"%s\", \"threads\": %d, \"runs\": %zu,\n \"median_us\": %.3f, "
            "\"min_us\": %.3f, \"p99_us\": %.3f, \"runs_per_s\": %.3f,\n \"load_us\": %.1f, "
            "\"passes_us\": %.1f, \"compile_us\": %.1f,\n \"peak_bytes\": %llu, "
            "\"copied_bytes\": %llu, \"copy_gb_per_s\": %.3f",
            r->hint, r->threads, s->n, bench_quantile(s, 0.5), bench_quantile(s, 0),
            bench_quantile(s, 0.99), (double)s->n / r->result->seconds, r->load_us, r->passes_us,
            r->passes_us + r->compile_us, (unsigned long long)n->peak_bytes,
            (unsigned long long)n->copied_bytes, r->copy_gbs);
    if (r->peer)
        json_peer(f, r);
    fprintf(f, ",\n \"steps\": [");
    for (size_t i = 0; r->steps && i < r->steps->n; i++) {
        fprintf(f, "%s\n  ", i ? "," : "");
        json_step(f, &r->steps->list[i]);
    }
    fprintf(f, "]}\n");
}

void bench_print_trace(FILE *f, const bench_steps *s)
{
    fprintf(f, "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [");
    for (size_t i = 0; i < s->n; i++) {
        const bench_step *step = &s->list[i];

        fprintf(f, "%s\n {\"name\": ", i ? "," : "");
        cli_json_string(f, step->node->name);
        cli_say(f, ", \"cat\": \"%s\", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": %.3f, ",
                step->node->op->name, step->first);
        fprintf(f, "\"dur\": %.3f, \"args\": {\"bytes\": %llu, \"calls\": %llu}}", step->first_us,
                (unsigned long long)step->bytes, (unsigned long long)step->calls);
    }
    fprintf(f, "\n]}\n");
}
