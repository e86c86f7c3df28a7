/* Shows pictures of digits in the terminal and what a network took them for; counts how often it
 * was right. Reads the .npy files that `inlay run -o` writes; demo.sh calls it.
 *
 *     show_digits PICTURES.npy PROBABILITIES.npy        pictures, five in a row
 *     show_digits --score LABELS.npy PROBABILITIES.npy  "recognised 393 of 400 (98.25 %)"
 *
 * A picture of 28 x 28 becomes 14 x 14 by averaging, and then 14 columns by 7 lines: each character
 * stands for two pixels, one above the other. How they are drawn depends on the terminal: grey half
 * blocks, black and white half blocks, or plain ASCII.
 */
#include "inlay.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 28, CELL = SIDE / 2, PER_ROW = 5, CLASSES = 10 };

typedef enum style { STYLE_GREY, STYLE_BLOCKS, STYLE_ASCII } style;

/* The picture in small, stretched so that paper is 0 and ink is 1. */
typedef struct thumbnail {
    double at[CELL][CELL];
} thumbnail;

static style choose_style(void)
{
    const char *term = getenv("TERM");
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        return STYLE_ASCII;
    bool colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR") && term && strcmp(term, "dumb") != 0;
    return colour ? STYLE_GREY : STYLE_BLOCKS;
}

static double pixel(const inlay_tensor *pictures, int64_t picture, int y, int x)
{
    return inlay_tensor_get_f64(pictures, (picture * SIDE + y) * SIDE + x);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A fifth of the pixels is surely paper, so the brightness up to there counts as 0. */
static void stretch(thumbnail *t)
{
    double sorted[CELL * CELL];
    memcpy(sorted, t->at, sizeof sorted);
    qsort(sorted, CELL * CELL, sizeof *sorted, by_size);
    double paper = sorted[CELL * CELL / 5], ink = sorted[CELL * CELL - 1];
    double range = ink > paper ? ink - paper : 1;
    for (int y = 0; y < CELL; y++)
        for (int x = 0; x < CELL; x++) {
            double v = (t->at[y][x] - paper) / range;
            t->at[y][x] = v < 0 ? 0 : v;
        }
}

static thumbnail shrink(const inlay_tensor *pictures, int64_t picture)
{
    thumbnail t;
    for (int y = 0; y < CELL; y++)
        for (int x = 0; x < CELL; x++)
            t.at[y][x] = (pixel(pictures, picture, 2 * y, 2 * x) +
                          pixel(pictures, picture, 2 * y, 2 * x + 1) +
                          pixel(pictures, picture, 2 * y + 1, 2 * x) +
                          pixel(pictures, picture, 2 * y + 1, 2 * x + 1)) /
                         4;
    stretch(&t);
    return t;
}

/* 232 to 255 of the 256 colours are a ramp of greys. */
static int grey(double v)
{
    return 232 + (int)(v * 23);
}

static void put_character(style s, double upper, double lower)
{
    static const char *const blocks[] = {" ", "\u2580", "\u2584", "\u2588"};
    static const char ramp[] = " .:-=+*#%@";
    const double ink = 0.42; /* keeps strokes thinner than a pixel, loses most specks */
    if (s == STYLE_GREY)
        printf("\033[38;5;%d;48;5;%dm%s", grey(upper), grey(lower), blocks[1]);
    else if (s == STYLE_BLOCKS)
        fputs(blocks[(upper > ink) + 2 * (lower > ink)], stdout);
    else
        putchar(ramp[(int)((upper + lower) / 2 * 9.99)]);
}

static void put_line(style s, const thumbnail *t, int line)
{
    for (int x = 0; x < CELL; x++)
        put_character(s, t->at[2 * line][x], t->at[2 * line + 1][x]);
    if (s == STYLE_GREY)
        fputs("\033[0m", stdout);
}

static int most_likely(const inlay_tensor *probabilities, int64_t picture)
{
    int best = 0;
    for (int k = 1; k < CLASSES; k++)
        if (inlay_tensor_get_f64(probabilities, picture * CLASSES + k) >
            inlay_tensor_get_f64(probabilities, picture * CLASSES + best))
            best = k;
    return best;
}

static void show_row(style s, const inlay_tensor *pictures, const inlay_tensor *probabilities,
                     int64_t first, int count)
{
    thumbnail row[PER_ROW];
    for (int i = 0; i < count; i++)
        row[i] = shrink(pictures, first + i);
    for (int line = 0; line < CELL / 2; line++) {
        for (int i = 0; i < count; i++) {
            fputs("  ", stdout);
            put_line(s, &row[i], line);
        }
        putchar('\n');
    }
    for (int i = 0; i < count; i++) {
        int digit = most_likely(probabilities, first + i);
        double p = inlay_tensor_get_f64(probabilities, (first + i) * CLASSES + digit);
        printf("  %4d  %5.1f %% ", digit, 100 * p);
    }
    putchar('\n');
}

static void show(const inlay_tensor *pictures, const inlay_tensor *probabilities)
{
    style s = choose_style();
    for (int64_t i = 0; i < pictures->dims[0]; i += PER_ROW) {
        int64_t left = pictures->dims[0] - i;
        if (i > 0)
            putchar('\n');
        show_row(s, pictures, probabilities, i, left < PER_ROW ? (int)left : PER_ROW);
    }
}

static void score(const inlay_tensor *labels, const inlay_tensor *probabilities)
{
    int64_t right = 0, count = labels->dims[0];
    for (int64_t i = 0; i < count; i++)
        right += inlay_tensor_get_i64(labels, i) == most_likely(probabilities, i);
    printf("recognised %lld of %lld (%.2f %%)\n", (long long)right, (long long)count,
           count ? 100.0 * (double)right / (double)count : 0.0);
}

/* Dims as WANT says, 0 there meaning any. */
static bool check_dims(const char *path, const inlay_tensor *t, int rank, const int64_t *want)
{
    bool good = t->rank == rank;
    for (int i = 0; good && i < rank; i++)
        good = !want[i] || t->dims[i] == want[i];
    if (!good)
        fprintf(stderr, "show_digits: %s: this is not the shape of such a file\n", path);
    return good;
}

static inlay_tensor *load(const char *path, int rank, const int64_t *want)
{
    inlay_diags *diags = inlay_diags_new();
    inlay_tensor *t = inlay_read_npy(path, diags);
    for (size_t i = 0; i < inlay_diags_count(diags); i++)
        fprintf(stderr, "show_digits: %s: %s\n", path, inlay_diags_at(diags, i)->text);
    inlay_diags_free(diags);
    if (t && !check_dims(path, t, rank, want)) {
        inlay_tensor_release(t);
        t = NULL;
    }
    return t;
}

int main(int argc, char **argv)
{
    bool scoring = argc == 4 && strcmp(argv[1], "--score") == 0;
    if (argc != 3 && !scoring) {
        fputs("usage: show_digits PICTURES.npy PROBABILITIES.npy\n"
              "       show_digits --score LABELS.npy PROBABILITIES.npy\n",
              stderr);
        return 2;
    }
    const char *first_path = argv[argc - 2], *second_path = argv[argc - 1];
    inlay_tensor *first = scoring ? load(first_path, 1, (int64_t[]){0})
                                  : load(first_path, 4, (int64_t[]){0, 1, SIDE, SIDE});
    inlay_tensor *probabilities =
        first ? load(second_path, 2, (int64_t[]){first->dims[0], CLASSES}) : NULL;
    if (probabilities && scoring)
        score(first, probabilities);
    else if (probabilities)
        show(first, probabilities);
    inlay_tensor_release(first);
    inlay_tensor_release(probabilities);
    return probabilities ? 0 : 2;
}
