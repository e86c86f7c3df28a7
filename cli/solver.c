/* Runs z3, a program found on the path, on questions in a file. */
#include "cli/solver.h"

#include "cli/child.h"

#include <errno.h>
#include <string.h>

/* How many bytes of the first line of TEXT an error quotes. */
static int first_line_size(const char *text)
{
    int n = (int)strcspn(text, "\n");

    return n < 80 ? n : 80;
}

/* Whether z3, which printed ANSWER and ended with STATUS, was successful. Status 1 means that it
 * printed an error for a question and went on with the next. */
static bool has_ended_well(int status, const char *answer, inlay_diags *d)
{
    if (status == 0 || (status == 1 && strstr(answer, "(error ")))
        return true;
    if (status > 128)
        return inlay_fail_resource(d, NULL, "z3 was ended by signal %d (%s)", status - 128,
                                   strsignal(status - 128));
    return inlay_fail_resource(d, NULL, "z3 ended with status %d%s%.*s", status,
                               *answer ? ": " : ", and said nothing", first_line_size(answer),
                               answer);
}

/* Whether LINE is the solver's result for a question, which may be an error. */
static bool is_answer(const char *line)
{
    static const char *const words[] = {"sat\n", "unsat\n", "unknown\n", "(error "};
    bool is = false;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is = is || strncmp(line, words[i], strlen(words[i])) == 0;
    return is;
}

static int count_answers(const char *answer)
{
    int n = 0;

    while (*answer) {
        n += is_answer(answer);
        answer += strcspn(answer, "\n");
        answer += *answer == '\n';
    }
    return n;
}

static int count_questions(const char *text, size_t size)
{
    static const char question[] = "(check-sat)";
    const size_t length = strlen(question);
    int n = 0;

    for (size_t i = 0; i + length <= size; i++)
        n += memcmp(text + i, question, length) == 0;
    return n;
}

/* Whether the last line says that the time was over. */
static bool has_no_time(const char *answer)
{
    static const char word[] = "timeout\n";
    size_t n = strlen(answer), length = strlen(word);

    return n >= length && strcmp(answer + n - length, word) == 0;
}

/* Whether ANSWER has a line for each question of TEXT: a question without an answer must not be
 * taken for one that cannot be decided. */
static bool has_answered(const char *text, size_t size, const char *answer, inlay_diags *d)
{
    int n_asked = count_questions(text, size), n = count_answers(answer);

    if (n >= n_asked || has_no_time(answer))
        return true;
    return inlay_fail_resource(d, NULL, "z3 has answered %d of %d question%s%s%.*s", n, n_asked,
                               inlay_plural(n_asked, "", "s"),
                               *answer ? "; it says: " : "; it says nothing",
                               first_line_size(answer), answer);
}

static bool run(int seconds, FILE *in, FILE *out, inlay_strbuf *answer, bool *late, inlay_diags *d)
{
    char name[] = "z3", from_input[] = "-in", *argv[] = {name, from_input, NULL};
    const cli_child z3 = {
        .argv = argv, .in = in, .out = out, .seconds = seconds, .stop = cli_interrupt_flag()};
    int status = cli_run_child(&z3);

    *late = status == CLI_CHILD_LATE;
    if (*late)
        return inlay_fail_resource(d, NULL,
                                   "z3 did not end within %d s (--seconds N gives it more; its "
                                   "own budget should end it sooner)",
                                   seconds);
    if (status < 0)
        return inlay_fail_resource(d, NULL, "z3 cannot be started: %s (Debian: apt install z3)",
                                   strerror(errno));
    if (!cli_child_said(out, answer))
        return inlay_fail_memory(d);
    return has_ended_well(status, answer->bytes ? answer->bytes : "", d);
}

bool cli_ask_solver(int seconds, const char *text, size_t n, inlay_strbuf *answer, bool *late,
                    inlay_diags *d)
{
    FILE *in = cli_child_file(d), *out = in ? cli_child_file(d) : NULL;
    bool ok = false;

    if (out && (fwrite(text, 1, n, in) != n || fflush(in) != 0 || fseek(in, 0, SEEK_SET) != 0))
        inlay_fail_resource(d, NULL, "the solver's questions cannot be written: %s",
                            strerror(errno));
    else if (out)
        ok = run(seconds, in, out, answer, late, d) &&
             has_answered(text, n, answer->bytes ? answer->bytes : "", d);
    if (out)
        fclose(out);
    if (in)
        fclose(in);
    return ok;
}
