/* Asks the transformer for sums, token by token; demo.sh calls it.
 *
 *     ask_gpt MODEL 123+456 ...          "123+456=0579."
 *     ask_gpt --score MODEL LINES.npy    "999 of 1000 sums are right (99.9 %)"
 *
 * A run takes the tokens that are new and gives the likeliest next one; what came before stands in
 * the model's variables. LINES.npy holds whole lines as tokens, i64 [n,13].
 */
#include "inlay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char alphabet[] = "0123456789+=.";

enum { PROMPT = 8, ANSWER = 5, LINE = PROMPT + ANSWER };

/* One run: the N tokens that are new, and which one comes next; -1 after an error. */
static int64_t next_token(inlay_session *s, const int64_t *tokens, int64_t n, inlay_diags *d)
{
    inlay_tensor *t = inlay_tensor_new(INLAY_I64, 2, (const int64_t[]){1, n});
    inlay_output out = {.name = "next"};
    int64_t next = -1;

    for (int64_t i = 0; t && i < n; i++)
        inlay_tensor_set_i64(t, i, tokens[i]);
    if (t &&
        inlay_session_run_named(s, &(inlay_input){.name = "tokens", .tensor = t}, 1, &out, 1, d))
        next = inlay_tensor_get_i64(out.tensor, 0);
    inlay_tensor_release(out.tensor);
    inlay_tensor_release(t);
    return next;
}

/* What the model says after LINE's prompt stands behind it then. */
static bool answer(inlay_session *s, int64_t line[LINE], inlay_diags *d)
{
    inlay_session_reset(s);
    for (int i = PROMPT; i < LINE; i++) {
        bool first = i == PROMPT;

        line[i] = next_token(s, first ? line : &line[i - 1], first ? PROMPT : 1, d);
        if (line[i] < 0)
            return false;
    }
    return true;
}

/* "7+35" as "007+035=": false when TEXT is no sum of two numbers below 1000. */
static bool read_question(const char *text, int64_t line[LINE])
{
    char written[PROMPT + 1], end;
    unsigned a, b;

    if (sscanf(text, "%3u+%3u%c", &a, &b, &end) != 2)
        return false;
    snprintf(written, sizeof written, "%03u+%03u=", a % 1000, b % 1000);
    for (int i = 0; i < PROMPT; i++)
        line[i] = strchr(alphabet, written[i]) - alphabet;
    return true;
}

static bool ask(inlay_session *s, char **questions, int n, inlay_diags *d)
{
    for (int k = 0; k < n; k++) {
        int64_t line[LINE];

        if (!read_question(questions[k], line)) {
            fprintf(stderr, "ask_gpt: %s: a sum such as 123+456 is expected\n", questions[k]);
            return false;
        }
        if (!answer(s, line, d))
            return false;
        for (int i = 0; i < LINE; i++)
            putchar(alphabet[line[i]]);
        putchar('\n');
    }
    return true;
}

/* Is the model's answer to LINE's prompt what stands in LINE? -1 after an error. */
static int is_right(inlay_session *s, const int64_t line[LINE], inlay_diags *d)
{
    int64_t said[LINE];

    memcpy(said, line, sizeof said);
    return answer(s, said, d) ? memcmp(said, line, sizeof said) == 0 : -1;
}

static bool score_lines(inlay_session *s, const inlay_tensor *lines, inlay_diags *d)
{
    int64_t n = lines->dims[0], all = 0;

    for (int64_t k = 0; k < n; k++) {
        int64_t line[LINE];
        int right;

        for (int i = 0; i < LINE; i++)
            line[i] = inlay_tensor_get_i64(lines, k * LINE + i);
        right = is_right(s, line, d);
        if (right < 0)
            return false;
        all += right;
    }
    printf("%lld of %lld sums are right (%.1f %%)\n", (long long)all, (long long)n,
           100.0 * (double)all / (double)n);
    return true;
}

static bool score(inlay_session *s, const char *path, inlay_diags *d)
{
    inlay_tensor *lines = inlay_read_npy(path, d);
    bool fits = lines && lines->rank == 2 && lines->dims[0] > 0 && lines->dims[1] == LINE;
    bool ok = fits && score_lines(s, lines, d);

    if (lines && !fits)
        fprintf(stderr, "ask_gpt: %s: lines of %d tokens are expected\n", path, LINE);
    inlay_tensor_release(lines);
    return ok;
}

int main(int argc, char **argv)
{
    bool scores = argc == 4 && strcmp(argv[1], "--score") == 0;
    int model = scores ? 2 : 1;
    inlay_diags *d = inlay_diags_new();
    inlay_model *m = argc > model + 1 ? inlay_load(argv[model], NULL, d) : NULL;
    inlay_session *s = m ? inlay_session_new(m->program, d) : NULL;
    bool ok = s && (scores ? score(s, argv[3], d) : ask(s, argv + 2, argc - 2, d));

    if (argc <= model + 1)
        fprintf(stderr, "usage: ask_gpt MODEL SUM... or ask_gpt --score MODEL LINES.npy\n");
    for (size_t i = 0; i < inlay_diags_count(d); i++)
        fprintf(stderr, "%s\n", inlay_diags_at(d, i)->text);
    inlay_session_free(s);
    inlay_model_free(m);
    inlay_diags_free(d);
    return ok ? 0 : 1;
}
