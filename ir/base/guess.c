/* Guesses what a misspelt word means: the nearest of the known words. */

#include "ir/diag.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64 }; /* longer words are not compared */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letter case does not count: a person who writes "Shape" means "shape". */
static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The distance of Damerau and Levenshtein: how many letters must be added, left out, replaced or
 * swapped with their neighbour to make B of A. Neither word is longer than LONGEST. */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][LONGEST + 1];

    for (size_t k = 0; k <= m; k++)
        rows[0][k] = k;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];

        row[0] = i;
        for (size_t k = 1; k <= m; k++) {
            row[k] = smaller(smaller(above[k], row[k - 1]) + 1,
                             above[k - 1] + !same_letter(a[i - 1], b[k - 1]));
            if (i > 1 && k > 1 && same_letter(a[i - 1], b[k - 2]) &&
                same_letter(a[i - 2], b[k - 1]))
                row[k] = smaller(row[k], higher[k - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void inlay_guess_try(inlay_guess *g, const char *known)
{
    size_t n = known ? strlen(known) : 0, d;

    if (!g || !g->word || !known || g->length > LONGEST || n > LONGEST)
        return;
    d = distance(g->word, g->length, known, n);
    if (d > 1 + g->length / 4 || d >= g->length || (g->best && d >= g->distance))
        return;
    g->best = known;
    g->distance = d;
}

char *inlay_guess_text(const inlay_guess *g, char *buf, size_t size)
{
    if (g && g->best)
        snprintf(buf, size, ", did you mean \"%s\"?", g->best);
    else if (buf && size > 0)
        *buf = '\0';
    return buf;
}
