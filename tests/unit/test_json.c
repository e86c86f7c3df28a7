/* The JSON graph: what is read, every message of the reader, and that writing and reading again
 * loses nothing. */
#include "parser/parser.h"
#include "tests/unit/json_documents.h"
#include "tests/unit/models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Reads TEXT (its quotes as '), which stands for a file at PATH; *SAID is what was said. */
static inlay_graph *read_at(const char *path, const char *text, const char **said)
{
    char *quoted = json_quoted(text);
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_json(quoted, strlen(quoted), path, NULL, d);

    *said = model_messages(d);
    inlay_diags_free(d);
    free(quoted);
    return g;
}

static inlay_graph *read_good(const char *text)
{
    const char *said;
    inlay_graph *g = read_at("model.json", text, &said);

    if (g == NULL || *said != '\0')
        fail_msg("%s: %s", text, said);
    return g;
}

static void good_documents_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_json_good; i++)
        inlay_graph_free(read_good(json_good[i].text));
}

static void check_refused(const json_document *list, size_t n)
{
    int wrong = 0;

    for (size_t i = 0; i < n; i++) {
        const char *said;
        inlay_graph *g = read_at("model.json", list[i].text, &said);
        if (g != NULL || strcmp(said, list[i].said) != 0) {
            print_error("%s\n  said     %s\n  expected %s\n", list[i].text, said, list[i].said);
            wrong++;
        }
        inlay_graph_free(g);
    }
    assert_int_equal(wrong, 0);
}

static void bad_documents_are_refused(void **state)
{
    (void)state;
    check_refused(json_bad, n_json_bad);
}

static void malformed_texts_are_refused(void **state)
{
    (void)state;
    check_refused(json_malformed, n_json_malformed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_documents_are_read),
        cmocka_unit_test(bad_documents_are_refused),
        cmocka_unit_test(malformed_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
