/* Parses the lines of operands.def, whose head has the grammar. */
#include "generate/fit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct line {
    const char *type, *operands, *attributes;
} lines[] = {
#define FITS(type, operands, attributes) {type, operands, attributes},
#include "generate/operands.def"
#undef FITS
};

enum { LINES = sizeof lines / sizeof *lines };

bool gen_fit_begin(generator *g, const inlay_op *op, gen_fit *fit)
{
    const struct line *found = NULL;
    int64_t n = 0;

    for (int i = 0; i < LINES; i++) {
        if (strcmp(lines[i].type, op->name) == 0 && (!found || rng_in(&g->r, 0, n) == 0))
            found = &lines[i];
        n += found != NULL;
    }
    if (!found)
        return false;
    *fit = (gen_fit){.operands = found->operands, .attributes = found->attributes};
    for (char c = 'a'; c <= 'z'; c++)
        fit->letters[(int)c] = rng_in(&g->r, 1, 3);
    for (char c = 'A'; c <= 'Z'; c++)
        fit->letters[(int)c] = rng_in(&g->r, 4, 7);
    return true;
}

static int64_t factor(const gen_fit *fit, const char **at)
{
    char *end;
    int64_t x;

    if (**at < '0' || **at > '9')
        return fit->letters[*(*at)++ & 127];
    x = strtoll(*at, &end, 10);
    *at = end;
    return x;
}

static int64_t product(const gen_fit *fit, const char **at)
{
    int64_t x = factor(fit, at);

    while (**at == '*') {
        ++*at;
        x *= factor(fit, at);
    }
    return x;
}

/* Parses a sum, such as "4*s+1-k". */
static int64_t sum(const gen_fit *fit, const char **at)
{
    int64_t x = product(fit, at);

    while (**at == '+' || **at == '-') {
        const bool less = *(*at)++ == '-';
        const int64_t y = product(fit, at);

        x += less ? -y : y;
    }
    return x;
}

/* Parses a shape, such as "[n,4*s]". */
static void read_shape(const gen_fit *fit, const char **at, gen_fit_operand *out)
{
    ++*at;
    while (**at != ']') {
        out->dims[out->rank++] = sum(fit, at);
        *at += **at == ',';
    }
    ++*at;
}

/* Parses the allowed elements, such as "=0..t" or "=1;2". */
static void read_elements(const gen_fit *fit, const char **at, gen_fit_operand *out)
{
    ++*at;
    out->lo = out->hi = sum(fit, at);
    if (**at == '.') {
        *at += 2;
        out->hi = sum(fit, at);
        out->bounded = true;
        return;
    }
    out->listed[out->n_listed++] = out->lo;
    while (**at == ';') {
        ++*at;
        out->listed[out->n_listed++] = sum(fit, at);
    }
}

bool gen_fit_next(gen_fit *fit, gen_fit_operand *out)
{
    const char *at = fit->operands;

    *out = (gen_fit_operand){.optional = *at == '?'};
    if (!*at)
        return false;
    at += out->optional;
    read_shape(fit, &at, out);
    if (*at == '=')
        read_elements(fit, &at, out);
    fit->operands = at + strspn(at, " ");
    return true;
}

/* Copies the N bytes at FROM to TEXT with each "{sum}" replaced by its number. */
static void fill_in(const gen_fit *fit, const char *from, size_t n, char *text, size_t size)
{
    const char *end = from + n;
    size_t used = 0;

    *text = '\0';
    while (from < end && used + 24 < size) {
        if (*from != '{') {
            text[used++] = *from++;
            text[used] = '\0';
            continue;
        }
        from++;
        used += (size_t)snprintf(text + used, size - used, "%" PRId64, sum(fit, &from));
        from++;
    }
}

bool gen_fit_attribute(const gen_fit *fit, const char *name, char *text, size_t size)
{
    const size_t length = strlen(name);

    for (const char *at = fit->attributes; *at; at += strspn(at, ";")) {
        const size_t n = strcspn(at, ";");

        if (n > length && at[length] == '=' && strncmp(at, name, length) == 0) {
            fill_in(fit, at + length + 1, n - length - 1, text, size);
            return true;
        }
        at += n;
    }
    return false;
}
