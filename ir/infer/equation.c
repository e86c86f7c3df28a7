/* The equation of an Einsum. See equation.h. */
#include "ir/infer/equation.h"

#include <stdio.h>
#include <string.h>

/* A subscript as it is written. */
typedef struct term {
    const char *text;
    size_t length;
    int letters;
    bool ellipsis;
} term;

static int label_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    return c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1;
}

static bool complain(char *why, size_t size, const char *what, const char *equation)
{
    snprintf(why, size, "equation \"%.100s\" %s", equation, what);
    return false;
}

/* The term that begins at *AT and ends before a comma, an arrow or the end. */
static bool read_term(const char *equation, const char **at, term *t, char *why, size_t size)
{
    const char *p = *at;

    *t = (term){.text = p};
    for (; *p && *p != ',' && *p != '-'; p++) {
        if (*p == ' ')
            continue;
        if (label_of(*p) >= 0) {
            t->letters++;
        } else if (strncmp(p, "...", 3) == 0 && !t->ellipsis) {
            t->ellipsis = true;
            p += 2;
        } else {
            return complain(why, size, "has something that is no label", equation);
        }
    }
    t->length = (size_t)(p - t->text);
    *at = p;
    return t->letters <= INLAY_MAX_RANK ||
           complain(why, size, "has a subscript of too many labels", equation);
}

/* S receives the labels of T, whose ellipsis covers COVERED axes (-1: not known). */
static void put_labels(const term *t, int covered, inlay_subscript *s)
{
    s->rank = t->ellipsis && covered < 0 ? -1 : 0;
    for (size_t i = 0; s->rank >= 0 && i < t->length; i++) {
        if (t->text[i] == '.') {
            for (int k = covered; k > 0; k--)
                s->label[s->rank++] = INLAY_ELLIPSIS + k - 1;
            i += 2;
        } else if (t->text[i] != ' ') {
            s->label[s->rank++] = label_of(t->text[i]);
        }
    }
}

/* What the left side says. */
typedef struct left {
    int times[INLAY_ELLIPSIS]; /* how often each letter stands on the left side */
    bool ellipsis;
    int covered; /* how many axes the widest ellipsis covers; -1: not known */
} left;

static bool take_operand(const term *t, int rank, left *l, inlay_subscript *s)
{
    int covered = rank < 0 ? -1 : rank - t->letters;

    if (rank >= 0 && (t->ellipsis ? covered < 0 : covered != 0))
        return false;
    for (size_t i = 0; i < t->length; i++) {
        if (label_of(t->text[i]) >= 0)
            l->times[label_of(t->text[i])]++;
    }
    if (t->ellipsis) {
        l->ellipsis = true;
        if (covered < 0 || l->covered < 0)
            l->covered = -1;
        else if (covered > l->covered)
            l->covered = covered;
    }
    put_labels(t, covered, s);
    return true;
}

/* An equation without an arrow has a result nevertheless: the axes that the ellipses cover, and
 * then each letter that stands on the left side once. So "ba" means "ba->ab". */
static bool put_implicit(const left *l, inlay_subscript *s)
{
    term dots = {.text = "...", .length = l->ellipsis ? 3 : 0, .ellipsis = l->ellipsis};

    put_labels(&dots, l->covered, s);
    for (int i = 0; s->rank >= 0 && i < INLAY_ELLIPSIS; i++) {
        if (l->times[i] != 1)
            continue;
        if (s->rank == INLAY_MAX_RANK)
            return false;
        s->label[s->rank++] = i;
    }
    return true;
}

static bool put_explicit(const term *t, left *l, inlay_subscript *s, const char **what)
{
    *what = "names a label of the result that no operand has";
    for (size_t i = 0; i < t->length; i++) {
        int label = label_of(t->text[i]);

        if (label >= 0 && l->times[label] == 0)
            return false;
        if (label >= 0 && l->times[label] < 0) {
            *what = "names a label of the result twice";
            return false;
        }
        if (label >= 0)
            l->times[label] = -1;
    }
    *what = "has a result of too many axes";
    if (t->ellipsis && t->letters + (l->covered > 0 ? l->covered : 0) > INLAY_MAX_RANK)
        return false;
    put_labels(t, l->ellipsis ? l->covered : 0, s);
    return true;
}

bool inlay_equation_read(const char *equation, const int *ranks, int n, inlay_subscript *out,
                         char *why, size_t size)
{
    const char *at = equation, *what;
    left l = {.covered = 0};
    term t;

    for (int i = 0; i < n; i++) {
        if (!read_term(equation, &at, &t, why, size))
            return false;
        if (!take_operand(&t, ranks[i], &l, &out[i])) {
            snprintf(why, size, "equation \"%.100s\": input %d has %d ax%s, its subscript has %d%s",
                     equation, i, ranks[i], inlay_plural(ranks[i], "is", "es"), t.letters,
                     t.ellipsis ? " and more" : "");
            return false;
        }
        if (i < n - 1 && *at++ != ',')
            return complain(why, size, "has fewer subscripts than there are inputs", equation);
    }
    if (!*at)
        return put_implicit(&l, &out[n]) ||
               complain(why, size, "has a result of too many axes", equation);
    if (strncmp(at, "->", 2) != 0)
        return complain(why, size,
                        *at == ',' ? "has more subscripts than there are inputs"
                                   : "has an arrow that is none",
                        equation);
    at += 2;
    if (!read_term(equation, &at, &t, why, size))
        return false;
    if (*at)
        return complain(why, size, "goes on after its result", equation);
    return put_explicit(&t, &l, &out[n], &what) || complain(why, size, what, equation);
}
