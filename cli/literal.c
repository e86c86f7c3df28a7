/* An input that is written on the command line: a number, a list such as [1,2,3], or a list of lists.
 */
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The text is read twice: for its shape, and then for its elements. */
struct literal {
    const char *text; /* what is left of it */
    inlay_type type;
    int rank, deepest;            /* brackets around the first element, -1 before it; and at most */
    int64_t dims[INLAY_MAX_RANK]; /* -1: not known yet */
    inlay_tensor *tensor;         /* NULL: the first time */
    int64_t n;                    /* elements before this one */
    char why[200];
};

static bool wrong(struct literal *l, const char *fmt, ...) INLAY_PRINTF(2, 3);

static bool wrong(struct literal *l, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(l->why, sizeof l->why, fmt, args);
    va_end(args);
    return false;
}

static void skip_blanks(struct literal *l)
{
    l->text += strspn(l->text, " \t\n");
}

/* Sets element L->n from WORD, a whole number. */
static bool set_integer(struct literal *l, const char *word)
{
    bool is_unsigned = inlay_type_info_of(l->type)->cls == INLAY_CLASS_UNSIGNED && *word != '-';
    char *end;
    int64_t x;

    errno = 0;
    x = is_unsigned ? (int64_t)strtoull(word, &end, 10) : strtoll(word, &end, 10);
    inlay_tensor_set_i64(l->tensor, l->n, x);
    if (end == word || *end)
        return wrong(l, "%s is no whole number", word);
    if (errno != 0 || inlay_tensor_get_i64(l->tensor, l->n) != x ||
        (is_unsigned && l->type != INLAY_U64 && x < 0))
        return wrong(l, "%s does not fit %s", word, inlay_type_info_of(l->type)->name);
    return true;
}

static bool set_real(struct literal *l, const char *word)
{
    char *end;
    double x = strtod(word, &end);

    if (end == word || *end)
        return wrong(l, "%s is no number", word);
    inlay_tensor_set_f64(l->tensor, l->n, x);
    if (isfinite(x) != isfinite(inlay_tensor_get_f64(l->tensor, l->n)) ||
        (isinf(x) && strpbrk(word, "0123456789")))
        return wrong(l, "%s does not fit %s", word, inlay_type_info_of(l->type)->name);
    return true;
}

static bool set_boolean(struct literal *l, const char *word)
{
    bool yes = strcmp(word, "true") == 0 || strcmp(word, "1") == 0;

    if (!yes && strcmp(word, "false") != 0 && strcmp(word, "0") != 0)
        return wrong(l, "%s is neither true nor false", word);
    inlay_tensor_set_i64(l->tensor, l->n, yes);
    return true;
}

static bool set_element(struct literal *l, const char *word)
{
    switch (inlay_type_info_of(l->type)->cls) {
    case INLAY_CLASS_STRING:
        return inlay_tensor_set_string(l->tensor, l->n, word, strlen(word)) ||
               wrong(l, "out of memory");
    case INLAY_CLASS_BOOLEAN:
        return set_boolean(l, word);
    case INLAY_CLASS_FLOAT:
        return set_real(l, word);
    case INLAY_CLASS_SIGNED:
    case INLAY_CLASS_UNSIGNED:
        return set_integer(l, word);
    default:
        return wrong(l, "elements of type %s cannot be written here",
                     inlay_type_info_of(l->type)->name);
    }
}

/* Takes a string in quotes, in which a backslash stands before a quote or another one, to WORD. */
static bool take_quoted(struct literal *l, char *word)
{
    for (l->text++; *l->text && *l->text != '"'; *word++ = *l->text++)
        l->text += *l->text == '\\' && l->text[1];
    *word = '\0';
    if (*l->text != '"')
        return wrong(l, "a string has no quote at its end");
    l->text++;
    return true;
}

/* Takes what stands before a comma or a bracket, without blanks around it, to WORD. */
static void take_bare(struct literal *l, int depth, char *word)
{
    size_t n = strcspn(l->text, depth > 0 ? ",[]" : "");

    memcpy(word, l->text, n);
    l->text += n;
    while (n > 0 && strchr(" \t\n", word[n - 1]))
        n--;
    word[n] = '\0';
}

static bool take_element(struct literal *l, int depth)
{
    char *word = malloc(strlen(l->text) + 1);
    bool ok = true;

    if (!word)
        return wrong(l, "out of memory");
    if (*l->text == '"')
        ok = take_quoted(l, word);
    else
        take_bare(l, depth, word);
    if (ok && !*word && l->type != INLAY_STRING)
        ok = wrong(l, "an element is missing");
    if (ok && l->rank >= 0 && l->rank != depth)
        ok = wrong(l, "some elements stand in more brackets than others");
    l->rank = depth;
    if (ok && l->tensor)
        ok = set_element(l, word);
    l->n++;
    free(word);
    return ok;
}

static bool take_list(struct literal *l, int depth);

static bool take_item(struct literal *l, int depth)
{
    skip_blanks(l);
    return *l->text == '[' ? take_list(l, depth) : take_element(l, depth);
}

static bool take_items(struct literal *l, int depth, int64_t *n)
{
    bool more = *l->text != ']';

    for (*n = 0; more; ++*n) {
        if (!take_item(l, depth + 1))
            return false;
        skip_blanks(l);
        if (*l->text != ',' && *l->text != ']')
            return wrong(l, "found \"%.20s\", expected , or ]", l->text);
        more = *l->text == ',';
        l->text += more;
    }
    l->text++;
    return true;
}

/* Recursive; a tensor has at most INLAY_MAX_RANK axes. */
static bool take_list(struct literal *l, int depth)
{
    int64_t n;

    if (depth == INLAY_MAX_RANK)
        return wrong(l, "a tensor has at most %d axes", INLAY_MAX_RANK);
    l->text++;
    l->deepest = depth >= l->deepest ? depth + 1 : l->deepest;
    skip_blanks(l);
    if (!take_items(l, depth, &n))
        return false;
    if (l->tensor)
        return true;
    if (l->dims[depth] >= 0 && l->dims[depth] != n)
        return wrong(l, "lists beside each other have %lld and %lld elements",
                     (long long)l->dims[depth], (long long)n);
    l->dims[depth] = n;
    return true;
}

static bool take_all(struct literal *l, const char *text)
{
    l->text = text;
    l->n = 0;
    l->rank = -1;
    if (!take_item(l, 0))
        return false;
    skip_blanks(l);
    return !*l->text || wrong(l, "found \"%.20s\" at its end", l->text);
}

/* Gives the shape axes of one element in front, or none, so that it has the rank of input P. */
static bool lift(struct literal *l, const inlay_node *p)
{
    int rank = p->out[0].fact.rank, own = l->rank < 0 ? l->deepest : l->rank;
    int more = rank > own ? rank - own : 0;

    if (l->rank >= 0 && l->rank != l->deepest)
        return wrong(l, "some elements stand in more brackets than others");
    memmove(l->dims + more, l->dims, (size_t)own * sizeof *l->dims);
    for (int k = 0; k < more; k++)
        l->dims[k] = 1;
    l->rank = own + more;
    return true;
}

bool cli_is_literal(const char *text, inlay_type type)
{
    char *end;

    if (*text == '[' || *text == '"')
        return true;
    if (type == INLAY_STRING)
        return !strchr(text, '.') && !strchr(text, '/');
    strtod(text, &end);
    return (end != text && !*end) || strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
}

/* Reads TEXT into a new tensor, for input P. */
static bool make_tensor(struct literal *l, const inlay_node *p, const char *text)
{
    if (!take_all(l, text) || !lift(l, p))
        return false;
    l->tensor = inlay_tensor_new(l->type, l->rank, l->dims);
    return l->tensor ? take_all(l, text) : wrong(l, "out of memory");
}

inlay_tensor *cli_literal(const inlay_node *param, const char *text, inlay_diags *d)
{
    inlay_type type = param->out[0].fact.type;
    struct literal l = {.type = type == INLAY_DYNAMIC ? INLAY_F32 : type};

    for (int k = 0; k < INLAY_MAX_RANK; k++)
        l.dims[k] = -1;
    if (make_tensor(&l, param, text))
        return l.tensor;
    inlay_fail(d, NULL, "-i %s=%.60s%s: %s", param->label ? param->label : param->name, text,
               strlen(text) > 60 ? "..." : "", l.why);
    inlay_tensor_release(l.tensor);
    return NULL;
}
