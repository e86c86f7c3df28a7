/* A program that uses the library may have set any locale; models mean the same in it. Locales that
 * the system has not are made by localedef; without it the tests are skipped. */
#include "ir/shared.h"
#include "passes/passes.h"
#include "tests/unit/models.h"
#include "tests/unit/texts.h"
#include "unit.h"

#include <locale.h>

static char folder[64];

static int make_folder(void **state)
{
    strcpy(folder, "/tmp/inlay-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[100];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* Sets the locale NAME (its language LANGUAGE in CHARMAP), or skips the test. */
static void host_sets(const char *name, const char *language, const char *charmap)
{
    char command[300];

    if (setlocale(LC_ALL, name))
        return;
    snprintf(command, sizeof command, "localedef -i %s -f %s '%s/%s' >'%s/log' 2>&1", language,
             charmap, folder, name, folder);
    setenv("LOCPATH", folder, 1);
    if (system(command) != 0 || !setlocale(LC_ALL, name)) {
        unsetenv("LOCPATH");
        print_message("skipped: this system has no locale %s and no localedef that makes it\n",
                      name);
        skip();
    }
}

static int back_to_c(void **state)
{
    unsetenv("LOCPATH");
    return setlocale(LC_ALL, "C") ? 0 : -1;
}

static const char model[] = "graph \"g\" {\n"
                            "  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]\n"
                            "  %clamped = Clamp-1(%x) {min = -1.5, max = 2.25} : f32[2]\n"
                            "  %half = Const-1 {value = f32[2] [0.5, 1e-07]}\n"
                            "  %sum = Add-1(%clamped, %half) {auto_broadcast = numpy} : f32[2]\n"
                            "  %result = Result-1(%sum)\n"
                            "}\n";

/* Every format writes and reads what the C locale says. */
static void check_formats(void)
{
    inlay_graph *g = graph_of_text(model), *back;
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf json = {0}, xml = {0}, weights = {0};
    inlay_sink to_json = {inlay_strbuf_sink, &json};
    const char *said;
    char why[200] = "";

    check_round_trip(g, model);
    assert_true(inlay_write_json(g, NULL, NULL, &to_json, NULL, d));
    assert_non_null(strstr(json.bytes, "2.25"));
    back = inlay_read_json("m.json", json.bytes, json.n, NULL, d);
    assert_string_equal(model_messages(d), "");
    assert_true(inlay_graph_equal(g, back, why, sizeof why));
    inlay_graph_free(back);

    assert_true(model_write_xml(g, 11, &xml, &weights, &said));
    assert_non_null(strstr(xml.bytes, "2.25"));
    back = model_read_xml(xml.bytes, weights.bytes, weights.n, NULL, &said);
    assert_string_equal(said, "");
    assert_true(inlay_graph_equal(g, back, why, sizeof why));
    inlay_graph_free(back);

    inlay_strbuf_free(&json);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void decimal_comma(void **state)
{
    float x;

    host_sets("de_DE.UTF-8", "de_DE", "UTF-8");
    assert_string_equal(localeconv()->decimal_point, ",");
    check_formats();
    assert_false(inlay_element_parse(INLAY_F32, "0,5", &x, 0));
    assert_string_equal(localeconv()->decimal_point, ","); /* the host's own is as it was */
}

/* U+066B, two bytes of UTF-8. */
static void decimal_point_of_two_bytes(void **state)
{
    host_sets("ps_AF.UTF-8", "ps_AF", "UTF-8");
    assert_int_equal(strlen(localeconv()->decimal_point), 2);
    check_formats();
}

/* In Turkish the small letter of I is no ASCII letter. */
static void turkish_letters(void **state)
{
    static const char shouted[] = "graph \"g\" {\n"
                                  "  %a = PARAMETER {element_type = i32, shape = [2]}\n"
                                  "  %b = DIVIDE(%a, %a) {m_pythondiv = true}\n"
                                  "  %r = RESULT(%b)\n"
                                  "}\n";
    inlay_graph *g;
    bool yes;

    host_sets("tr_TR.ISO-8859-9", "tr_TR", "ISO-8859-9");
    check_formats();
    assert_non_null(inlay_op_find(NULL, "DIVIDE", NULL, NULL, NULL));
    assert_non_null(inlay_op_find(NULL, "sin", NULL, NULL, NULL));
    assert_true(inlay_bool_parse("FALSE", &yes));
    g = graph_of_text(shouted);
    inlay_graph_free(g);
}

static void messages_have_points(void **state)
{
    inlay_diags *d = inlay_diags_new();
    float x[] = {0.5f}, y[] = {1.5f};
    inlay_tensor *a = inlay_tensor_new(INLAY_F32, 1, (int64_t[]){1}),
                 *b = inlay_tensor_new(INLAY_F32, 1, (int64_t[]){1});
    inlay_compare_options o = {0};
    char why[200];

    host_sets("de_DE.UTF-8", "de_DE", "UTF-8");
    inlay_fail(d, NULL, "it is %g", 0.25);
    assert_string_equal(model_messages(d), "error: it is 0.25");
    memcpy(a->data, x, sizeof x);
    memcpy(b->data, y, sizeof y);
    assert_false(inlay_compare_tensors(a, b, &o, why, sizeof why));
    assert_string_equal(why,
                        "element [0] is 1.5, it must be 0.5; 1 of 1 element differs, the worst "
                        "error is 1");
    inlay_tensor_release(a);
    inlay_tensor_release(b);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(decimal_comma, back_to_c),
        cmocka_unit_test_teardown(decimal_point_of_two_bytes, back_to_c),
        cmocka_unit_test_teardown(turkish_letters, back_to_c),
        cmocka_unit_test_teardown(messages_have_points, back_to_c),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
