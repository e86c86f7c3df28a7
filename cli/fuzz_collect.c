/* Results of many processes, each with its own seeds and all with one folder. A file 1-500.seeds
 * there says
 *
 *     seeds 1..500 finished
 *     17 difference, pass simplify, rule slice-of-slice
 *
 * and `unfinished` until its process has ended. */
#include "cli/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool fuzz_write_summary(const fuzz *f, const char *failed, bool finished, inlay_diags *d)
{
    inlay_files *files = f->out ? inlay_files_new(d) : NULL;
    inlay_strbuf b = {0};
    char path[4096];
    bool ok;

    if (!f->out)
        return true;
    inlay_strbuf_printf(&b, "seeds %" PRIu64 "..%" PRIu64 " %s\n%s", f->first, f->last,
                        finished ? "finished" : "unfinished", failed ? failed : "");
    snprintf(path, sizeof path, "%.4000s/%" PRIu64 "-%" PRIu64 ".seeds", f->out, f->first, f->last);
    ok = files && !b.failed && inlay_files_bytes(files, path, b.bytes, b.n, d) &&
         inlay_files_commit(files, d);
    inlay_files_free(files);
    inlay_strbuf_free(&b);
    return ok;
}

/* What was read so far. */
struct collection {
    const fuzz *f;
    int tasks, failed_tasks, unfinished, failures;
    uint64_t seeds;
};

static void tell_unfinished(struct collection *c, uint64_t first, uint64_t last)
{
    if (c->f->json)
        printf("%s\n  {\"unfinished\": [%" PRIu64 ", %" PRIu64 "]}",
               c->unfinished + c->failures ? "," : "", first, last);
    else
        printf("unfinished: --seed %" PRIu64 "..%" PRIu64 "\n", first, last);
    c->unfinished++;
}

/* Prints a failure. LINE is `SEED what`. */
static void tell_failure(struct collection *c, const char *line)
{
    char *what;
    uint64_t seed = strtoull(line, &what, 10);

    what += *what == ' ';
    if (c->f->json) {
        printf("%s\n  {\"seed\": %" PRIu64 ", \"what\": ", c->unfinished + c->failures ? "," : "",
               seed);
        cli_json_string(stdout, what);
        printf("}");
    } else {
        printf("seed %" PRIu64 ": %s\n", seed, what);
    }
    c->failures++;
}

static bool collect_file(struct collection *c, const char *name, inlay_diags *d)
{
    char path[4096], line[1024], word[16];
    int before = c->failures;
    uint64_t first, last;
    FILE *in;

    snprintf(path, sizeof path, "%.3000s/%.1000s", c->f->collect, name);
    in = fopen(path, "r");
    if (!in || !fgets(line, sizeof line, in) ||
        sscanf(line, "seeds %" SCNu64 "..%" SCNu64 " %15s", &first, &last, word) != 3) {
        if (in)
            fclose(in);
        return inlay_fail(d, &(inlay_pos){path, 1}, "\"seeds FIRST..LAST finished\" is expected");
    }
    c->tasks++;
    c->seeds += last - first + 1;
    if (strcmp(word, "finished") != 0)
        tell_unfinished(c, first, last);
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        tell_failure(c, line);
    }
    fclose(in);
    c->failed_tasks += c->failures > before;
    return true;
}

static int is_summary(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');

    return dot && strcmp(dot, ".seeds") == 0;
}

/* In the order of the first seeds. */
static int by_seed(const struct dirent **a, const struct dirent **b)
{
    uint64_t x = strtoull((*a)->d_name, NULL, 10), y = strtoull((*b)->d_name, NULL, 10);

    return (x > y) - (x < y);
}

static void print_end(const struct collection *c)
{
    if (c->f->json) {
        printf("\n]\n");
        return;
    }
    printf("%d task%s, %" PRIu64 " seed%s: %d failed, in %d task%s; %d task%s %s unfinished\n",
           c->tasks, inlay_plural(c->tasks, "", "s"), c->seeds, inlay_plural(c->seeds, "", "s"),
           c->failures, c->failed_tasks, inlay_plural(c->failed_tasks, "", "s"), c->unfinished,
           inlay_plural(c->unfinished, "", "s"), inlay_plural(c->unfinished, "is", "are"));
}

int fuzz_collect(const fuzz *f, inlay_diags *d)
{
    struct collection c = {.f = f};
    struct dirent **list;
    int n = scandir(f->collect, &list, is_summary, by_seed);
    bool ok = n > 0;

    if (n < 0) {
        inlay_fail(d, &(inlay_pos){f->collect, 0}, "the folder cannot be read: %s",
                   strerror(errno));
        return INLAY_INVALID;
    }
    if (n == 0)
        inlay_fail(d, &(inlay_pos){f->collect, 0}, "no file there ends in .seeds");
    if (ok && f->json)
        printf("[");
    for (int i = 0; i < n; i++) {
        ok = ok && collect_file(&c, list[i]->d_name, d);
        free(list[i]);
    }
    free(list);
    if (!ok)
        return INLAY_INVALID;
    print_end(&c);
    return c.failures ? INLAY_DIFFERENT : c.unfinished ? INLAY_UNDECIDED : INLAY_OK;
}
