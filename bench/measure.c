#include "bench/measure.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RUNS = 100000, MIN_RUNS = 5 };

void fill(float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(((uint32_t)i * 2654435761u) >> 8) / 16777216.0f - 0.5f;
}

double sum(const float *x, size_t n)
{
    double s = 0;

    for (size_t i = 0; i < n; i++)
        s += (double)x[i];
    return s;
}

void *touched(size_t bytes)
{
    void *p = aligned_alloc(4096, (bytes + 4095) & ~(size_t)4095);

    if (!p) {
        fprintf(stderr, "bench: out of memory\n");
        exit(3);
    }
    return memset(p, 1, bytes);
}

double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

_Noreturn void die(const char *what, const inlay_diags *d)
{
    fprintf(stderr, "bench: %s: %s\n", what,
            d && inlay_diags_count(d) ? inlay_diags_at(d, 0)->text : "failed");
    exit(1);
}

/* Processor seconds that all processes, or this one, have used. */
static double busy(void)
{
    double v[8] = {0};
    FILE *f = fopen("/proc/stat", "r");

    if (f && fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", v, v + 1, v + 2, v + 3, v + 4, v + 5,
                    v + 6, v + 7) < 8)
        memset(v, 0, sizeof v);
    if (f)
        fclose(f);
    return (v[0] + v[1] + v[2] + v[5] + v[6] + v[7]) / (double)sysconf(_SC_CLK_TCK);
}

static double own(void)
{
    struct rusage r;

    getrusage(RUSAGE_SELF, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare_doubles);
    return x[n / 2];
}

static double one_memcpy(void *to, const void *from, size_t bytes)
{
    double t = now();

    memcpy(to, from, bytes);
    __asm__ volatile("" : : "r"(to) : "memory");
    return now() - t;
}

bool measure(const measurement *m)
{
    static double runs[MAX_RUNS], copies[MAX_RUNS];
    const char *limit = getenv("BENCH_SECONDS");
    double seconds = limit ? atof(limit) : 1, start, was_busy, was_own, foreign, middle;
    void *from = m->memcpy_size ? touched(m->memcpy_size) : NULL;
    void *to = m->memcpy_size ? touched(m->memcpy_size) : NULL;
    int n = 0;

    for (int i = 0; i < 2; i++) { /* warm up */
        if (!m->run(m->ctx))
            return false;
    }
    start = now(), was_busy = busy(), was_own = own();
    while (n < MAX_RUNS && (n < MIN_RUNS || now() - start < seconds)) {
        double t = now();

        if (!m->run(m->ctx))
            return false;
        runs[n] = now() - t;
        copies[n] = from ? one_memcpy(to, from, m->memcpy_size) : 0;
        n++;
    }
    foreign = ((busy() - was_busy) - (own() - was_own)) /
              ((now() - start) * (double)sysconf(_SC_NPROCESSORS_ONLN));
    middle = median(runs, n); /* sorts them, so that runs[0] is the fastest */
    printf("{\"peer\": \"%s\", \"workload\": \"%s\", \"variant\": \"%s\", \"median_us\": %.2f, "
           "\"min_us\": %.2f, \"runs\": %d, \"check\": %.9g, \"foreign_cpu\": %.3f",
           m->peer, m->workload, m->variant, middle * 1e6, runs[0] * 1e6, n, m->check,
           foreign > 0 ? foreign : 0);
    if (from)
        printf(", \"memcpy_us\": %.2f", median(copies, n) * 1e6);
    printf("%s}\n", m->more);
    free(from);
    free(to);
    return true;
}
