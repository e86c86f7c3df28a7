/* The results of a suite: for people, as JSON, and as JUnit's XML, which servers that build know.
 */
#include "cli/suite.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[SUITE_RESULTS] = {
    [SUITE_PASS] = "pass", [SUITE_DRAWN] = "shape", [SUITE_SKIP] = "skip", [SUITE_FAIL] = "fail"};

size_t suite_count(const suite *s, int way, suite_result result, const char *op)
{
    size_t n = 0, length = op ? strlen(op) : 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->tests[i].runs[way].result == result &&
             (!op || suite_has_line(s->tests[i].operators.bytes, op, length));
    return n;
}

static size_t passed(const suite *s, int way, const char *op)
{
    return suite_count(s, way, SUITE_PASS, op) + suite_count(s, way, SUITE_DRAWN, op);
}

static size_t all(const suite *s, const char *op)
{
    return passed(s, 0, op) + suite_count(s, 0, SUITE_FAIL, op) + suite_count(s, 0, SUITE_SKIP, op);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Calls TELL with each operator of the suite, in the order of their names. */
static void each_operator(const suite *s,
                          void (*tell)(const suite *s, FILE *f, size_t i, const char *op), FILE *f)
{
    inlay_strbuf lines = {0};
    char **list = NULL;
    size_t n = 0, at = 0;

    for (size_t i = 0; i < s->n; i++) {
        const char *p = s->tests[i].operators.bytes;

        for (; p && *p; p += strcspn(p, "\n") + 1) {
            if (!suite_has_line(lines.bytes, p, strcspn(p, "\n")))
                inlay_strbuf_add(&lines, p, strcspn(p, "\n") + 1), n++;
        }
    }
    list = lines.failed ? NULL : calloc(n + 1, sizeof *list);
    for (char *p = n > 0 && list ? strtok(lines.bytes, "\n") : NULL; p; p = strtok(NULL, "\n"))
        list[at++] = p;
    if (list)
        qsort(list, n, sizeof *list, by_text);
    for (size_t i = 0; list && i < n; i++)
        tell(s, f, i, list[i]);
    free(list);
    inlay_strbuf_free(&lines);
}

/* ---- for people ---- */

static void print_row(const suite *s, FILE *f, size_t i, const char *op)
{
    (void)i;
    cli_say(f, "%-36s %7zu", op, all(s, op));
    for (int way = 0; way < s->n_ways; way++)
        fprintf(f, " %10zu", passed(s, way, op));
    fputc('\n', f);
}

static void print_failures(const suite *s, const suite_test *t)
{
    const char *first = NULL;

    for (int way = 0; way < s->n_ways; way++) {
        const suite_run *r = &t->runs[way];
        const char *why = r->why ? r->why : "";

        if (r->result != SUITE_FAIL || (first && strcmp(first, why) == 0))
            continue;
        first = why;
        cli_say(stdout, "FAIL %s (%s): %s\n", t->name, s->ways[way], why);
    }
}

static void print_count(size_t n, const char *what)
{
    if (n > 0)
        cli_say(stdout, ", %zu %s", n, what);
}

void suite_print(const suite *s)
{
    for (size_t i = 0; i < s->n; i++)
        print_failures(s, &s->tests[i]);
    if (!s->quiet) {
        cli_say(stdout, "%-36s %7s", "operator", "tests");
        for (int way = 0; way < s->n_ways; way++)
            cli_say(stdout, " %10s", s->ways[way]);
        putchar('\n');
        each_operator(s, print_row, stdout);
    }
    for (int way = 0; way < s->n_ways; way++) {
        cli_say(stdout, "%s: %zu of %zu pass", s->ways[way], passed(s, way, NULL), s->n);
        print_count(suite_count(s, way, SUITE_DRAWN, NULL), "of them by types and shapes only");
        print_count(suite_count(s, way, SUITE_SKIP, NULL), "passed over");
        putchar('\n');
    }
}

/* ---- for programs ---- */

static void json_counts(const suite *s, FILE *f, const char *op)
{
    fprintf(f, "\"tests\": %zu", all(s, op));
    for (int way = 0; way < s->n_ways; way++) {
        cli_say(f, ", \"%s\": {", s->ways[way]);
        for (int r = 0; r < SUITE_RESULTS; r++)
            fprintf(f, "%s\"%s\": %zu", r ? ", " : "", words[r],
                    suite_count(s, way, (suite_result)r, op));
        fputc('}', f);
    }
}

static void json_row(const suite *s, FILE *f, size_t i, const char *op)
{
    fputs(i ? ",\n  {\"operator\": " : "\n  {\"operator\": ", f);
    cli_json_string(f, op);
    fputs(", ", f);
    json_counts(s, f, op);
    fputc('}', f);
}

static void json_operators(FILE *f, const char *lines)
{
    bool first = true;

    for (const char *p = lines; p && *p; p += strcspn(p, "\n") + 1, first = false) {
        char name[200];

        snprintf(name, sizeof name, "%.*s", (int)strcspn(p, "\n"), p);
        fputs(first ? "" : ", ", f);
        cli_json_string(f, name);
    }
}

static void json_test(const suite *s, FILE *f, const suite_test *t)
{
    fputs("{\"name\": ", f);
    cli_json_string(f, t->name);
    fputs(", \"operators\": [", f);
    json_operators(f, t->operators.bytes);
    fputc(']', f);
    for (int way = 0; way < s->n_ways; way++) {
        const suite_run *r = &t->runs[way];

        cli_say(f, ", \"%s\": {\"result\": \"%s\", \"seconds\": %.3f", s->ways[way],
                words[r->result], r->seconds);
        cli_json_field(f, "why", r->why);
        fputc('}', f);
    }
    fputc('}', f);
}

void suite_print_json(FILE *f, const suite *s)
{
    fputs("{\"folder\": ", f);
    cli_json_string(f, s->folder);
    fputs(", ", f);
    json_counts(s, f, NULL);
    fputs(", \"results\": [", f);
    for (size_t i = 0; i < s->n; i++) {
        fputs(i ? ",\n  " : "\n  ", f);
        json_test(s, f, &s->tests[i]);
    }
    fputs("\n], \"operators\": [", f);
    each_operator(s, json_row, f);
    fputs("]}\n", f);
}

/* A name or reason in an attribute of XML; what XML cannot write becomes "?". */
static void xml_text(FILE *f, const char *text)
{
    for (; text && *text; text++) {
        if (strchr("<>&\"", *text))
            fprintf(f, "&#%d;", *text);
        else
            fputc((unsigned char)*text < 0x20 ? '?' : *text, f);
    }
}

static void junit_test(const suite *s, FILE *f, const suite_test *t, int way)
{
    static const char *const tags[SUITE_RESULTS] = {
        [SUITE_SKIP] = "skipped", [SUITE_FAIL] = "failure"};
    const suite_run *r = &t->runs[way];
    const char *tag = tags[r->result];

    cli_say(f, "  <testcase classname=\"%s\" name=\"", s->ways[way]);
    xml_text(f, t->name);
    fprintf(f, "\" time=\"%.3f\"%s>\n", r->seconds, tag ? "" : "/");
    if (!tag)
        return;
    cli_say(f, "    <%s message=\"", tag);
    xml_text(f, r->why);
    fputs("\"/>\n  </testcase>\n", f);
}

void suite_print_junit(FILE *f, const suite *s)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", f);
    for (int way = 0; way < s->n_ways; way++) {
        cli_say(f, "<testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\">\n",
                s->ways[way], s->n, suite_count(s, way, SUITE_FAIL, NULL),
                suite_count(s, way, SUITE_SKIP, NULL));
        for (size_t i = 0; i < s->n; i++)
            junit_test(s, f, &s->tests[i], way);
        fputs("</testsuite>\n", f);
    }
    fputs("</testsuites>\n", f);
}
