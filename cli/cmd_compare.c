/* `inlay compare A B`: whether arrays in files agree. */
#include "cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct compare {
    const char *rtol, *atol;
    bool quiet, json;
    size_t told; /* the number of arrays reported as JSON so far */
    inlay_compare_options tolerance;
    cli_model_options limits;
    int status;
};

/* Names of files, each in memory of its own. */
struct names {
    char **of;
    size_t n;
};

static void free_names(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->of[i]);
    free(names->of);
}

static bool holds_tensor(const char *name)
{
    const char *ending = strrchr(name, '.');

    return ending && ending > name &&
           (strcmp(ending, ".npy") == 0 || (strcmp(ending, ".bin") == 0));
}

static bool add_name(struct names *names, const char *name, inlay_diags *d)
{
    char **more = realloc(names->of, (names->n + 1) * sizeof *more);
    char *copy = strdup(name);

    if (more)
        names->of = more;
    if (!more || !copy) {
        free(copy);
        return inlay_fail_memory(d);
    }
    more[names->n++] = copy;
    return true;
}

/* Lists the files with tensors in DIR. */
static bool list_names(const char *dir, struct names *names, inlay_diags *d)
{
    DIR *open = opendir(dir);
    bool ok = open != NULL;

    if (!open)
        return inlay_fail(d, &(inlay_pos){dir, 0}, "cannot open: %s", strerror(errno));
    for (struct dirent *e = readdir(open); ok && e; e = readdir(open))
        ok = !holds_tensor(e->d_name) || add_name(names, e->d_name, d);
    closedir(open);
    return ok;
}

static int by_name(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    size_t n = strlen(*x), m = strlen(*y);

    /* 2.npy is before 10.npy */
    return n != m && strspn(*x, "0123456789") > 0 && strspn(*y, "0123456789") > 0
               ? (n > m) - (n < m)
               : strcmp(*x, *y);
}

static bool has_name(const struct names *names, const char *name)
{
    return names->n > 0 && bsearch(&name, names->of, names->n, sizeof *names->of, by_name) != NULL;
}

/* Reports one array as JSON. WHY is the name of a field, "why" or "only_in", and WHAT its value. */
static void say_json(struct compare *c, const char *name, const char *result, const char *why,
                     const char *what)
{
    printf("%s\n  {\"name\": ", c->told++ > 0 ? "," : "");
    cli_json_string(stdout, name);
    printf(", \"result\": \"%s\"", result);
    cli_json_field(stdout, why, what);
    printf("}");
}

static void say(struct compare *c, const char *name, bool equal, const char *what)
{
    if (!equal)
        c->status = INLAY_DIFFERENT;
    if (c->json)
        say_json(c, name, equal ? "same" : "different", "why", what);
    else if (!c->quiet)
        cli_say(stdout, "%s%s: %s\n", name, equal ? "" : " differs", what);
}

/* Compares two files of packed elements byte by byte: they have no header that tells the type. */
static bool compare_bytes(struct compare *c, const char *name, const char *a, const char *b,
                          inlay_diags *d)
{
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    bool opened = x && y, equal = opened;
    long long at = 0;
    char why[80];

    for (int p = 0, q; equal && p != EOF; at += equal && p != EOF) {
        p = getc(x);
        q = getc(y);
        equal = p == q;
    }
    if (opened)
        snprintf(why, sizeof why, equal ? "bit for bit" : "at byte %lld", at);
    if (opened)
        say(c, name, equal, why);
    else
        inlay_fail(d, &(inlay_pos){x ? b : a, 0}, "cannot open: %s", strerror(errno));
    if (x)
        fclose(x);
    if (y)
        fclose(y);
    return opened;
}

static bool compare_arrays(struct compare *c, const char *name, const char *a, const char *b,
                           inlay_diags *d)
{
    inlay_tensor *x = inlay_read_tensor(a, c->limits.budget, d), *y = NULL;
    char why[512];

    if (x)
        y = inlay_read_tensor(b, c->limits.budget, d);
    if (y)
        say(c, name, inlay_compare_tensors(x, y, &c->tolerance, why, sizeof why), why);
    inlay_tensor_release(x);
    inlay_tensor_release(y);
    return y != NULL;
}

static bool compare_named(struct compare *c, const char *const *dirs, const char *name,
                          inlay_diags *d)
{
    char a[4096], b[4096];

    if (snprintf(a, sizeof a, "%s/%s", dirs[0], name) >= (int)sizeof a ||
        snprintf(b, sizeof b, "%s/%s", dirs[1], name) >= (int)sizeof b)
        return inlay_fail(d, &(inlay_pos){dirs[0], 0}, "the path is too long");
    return strcmp(strrchr(name, '.'), ".bin") == 0 ? compare_bytes(c, name, a, b, d)
                                                   : compare_arrays(c, name, a, b, d);
}

static void say_lone(struct compare *c, const struct names *here, const struct names *there,
                     const char *dir)
{
    for (size_t i = 0; i < here->n; i++) {
        if (has_name(there, here->of[i]))
            continue;
        c->status = INLAY_DIFFERENT;
        if (c->json)
            say_json(c, here->of[i], "missing", "only_in", dir);
        else if (!c->quiet)
            cli_say(stdout, "%s is in %s only\n", here->of[i], dir);
    }
}

static void compare_folders(struct compare *c, const char *const *dirs, inlay_diags *d)
{
    struct names a = {0}, b = {0};
    bool ok = list_names(dirs[0], &a, d) && list_names(dirs[1], &b, d);

    if (ok && a.n + b.n == 0)
        ok = inlay_fail(d, &(inlay_pos){dirs[0], 0}, "there is no .npy file here, nor in %s",
                        dirs[1]);
    if (ok && a.n > 0)
        qsort(a.of, a.n, sizeof *a.of, by_name);
    if (ok && b.n > 0)
        qsort(b.of, b.n, sizeof *b.of, by_name);
    for (size_t i = 0; ok && i < a.n; i++)
        ok = !has_name(&b, a.of[i]) || compare_named(c, dirs, a.of[i], d);
    if (ok) {
        say_lone(c, &a, &b, dirs[0]);
        say_lone(c, &b, &a, dirs[1]);
    }
    free_names(&a);
    free_names(&b);
}

static bool is_folder(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

int cmd_compare(const cli_command *self, int argc, char **argv)
{
    struct compare c = {.tolerance = {.rtol = 1e-4, .atol = 1e-5}};
    const cli_option options[] = {CLI_RTOL_OPTION(c.rtol, "1e-4"),
                                  CLI_ATOL_OPTION(c.atol, "1e-5"),
                                  {"--quiet", NULL,
                                   "print nothing: the exit status says whether they agree",
                                   .flag = &c.quiet},
                                  CLI_JSON_OPTION(c.json),
                                  CLI_MEMORY_OPTION(c.limits),
                                  {0}};
    const char *paths[2];
    int n, status = cli_parse(self, options, argc, argv, paths, 2, 2, &n);
    inlay_diags *d;

    if (status >= 0)
        return status;
    if ((c.rtol && !cli_real(self, "--rtol", c.rtol, &c.tolerance.rtol)) ||
        (c.atol && !cli_real(self, "--atol", c.atol, &c.tolerance.atol)) ||
        !cli_settle(self, &c.limits))
        return INLAY_INVALID;
    d = inlay_diags_new();
    if (!d)
        return cli_no_memory();
    if (c.json)
        printf("{\"arrays\": [");
    if (is_folder(paths[0]) && is_folder(paths[1]))
        compare_folders(&c, paths, d);
    else
        compare_arrays(&c, paths[1], paths[0], paths[1], d);
    if (c.json)
        cli_say(stdout, "\n], \"result\": %s}\n",
                inlay_diags_error(d) ? "null"
                : c.status           ? "\"different\""
                                     : "\"same\"");
    cli_free_model_options(&c.limits);
    return cli_finish(d, c.status);
}
