/* The XML room, tried by a format that only this test knows:
 *
 *     <list><item id="3">text</item><keep>...</keep></list> */
#include "parser/xml/xml.h"
#include "unit.h"

enum { NAME_ANY, NAME_list, NAME_item, NAME_id, NAME_keep, NAME_skip, N_NAMES };
enum { IN_LIST = XML_OWN };

/* What was read. */
struct list {
    int64_t ids[8];
    char texts[8][16];
    int n;
    bool ended;
    inlay_meta *kept, **kept_end;
    unsigned line; /* of the error */
    char error[200];
};

static bool start_item(xml_reader *x, xml_attrs attrs)
{
    struct list *list = x->reader;

    if (list->n == 8)
        return xml_fail(x, "too many items");
    return xml_int_attr(x, attrs, NAME_id, 0, 7, &list->ids[list->n]);
}

static bool end_item(xml_reader *x)
{
    struct list *list = x->reader;

    snprintf(list->texts[list->n++], sizeof list->texts[0], "%.*s", (int)x->text.n,
             x->text.n > 0 ? x->text.bytes : "");
    return true;
}

static bool start_keep(xml_reader *x, xml_attrs attrs)
{
    struct list *list = x->reader;

    return xml_tree_append(x, attrs, &list->kept_end);
}

static bool start_skip(xml_reader *x, xml_attrs attrs)
{
    (void)attrs;
    xml_skip(x);
    return true;
}

static bool end_document(xml_reader *x)
{
    ((struct list *)x->reader)->ended = true;
    return true;
}

static bool tell(void *reader, unsigned line, const char *what)
{
    struct list *list = reader;

    list->line = line;
    snprintf(list->error, sizeof list->error, "%s", what);
    return false;
}

static const char *const names[N_NAMES] = {[NAME_list] = "list",
                                           [NAME_item] = "item",
                                           [NAME_id] = "id",
                                           [NAME_keep] = "keep",
                                           [NAME_skip] = "skip"};
static const xml_rule rules[] = {
    {XML_ROOT, NAME_list, IN_LIST, NULL, NULL},
    {IN_LIST, NAME_item, XML_TEXT, start_item, end_item},
    {IN_LIST, NAME_keep, XML_TREE, start_keep, NULL},
    {IN_LIST, NAME_skip, XML_TEXT, start_skip, end_item},
};
static const xml_format format = {names,        N_NAMES, rules, sizeof rules / sizeof *rules,
                                  end_document, tell};

static bool read(const char *text, struct list *list, inlay_arena *a, inlay_diags *d)
{
    xml_reader x = {.format = &format, .reader = list, .arena = a, .tree_arena = a, .d = d};
    bool ok;

    *list = (struct list){.n = 0};
    list->kept_end = &list->kept;
    ok = xml_read(&x, text, strlen(text));
    xml_free_words(x.words);
    return ok;
}

static void test_elements_by_a_table(void **state)
{
    inlay_arena *a = inlay_arena_new();
    struct list list;

    assert_true(
        read("<list><item id=' 3 '>one</item>\n<p:item xmlns:p='u' id='8'>no</p:item><item/>"
             "<unknown><item id='9'>no</item></unknown><item id='5'>a<item id='9'/>b</item>"
             "<skip>no<item/></skip></list>",
             &list, a, NULL));
    assert_true(list.ended);
    assert_int_equal(list.n, 3);
    assert_int_equal(list.ids[0], 3);
    assert_string_equal(list.texts[0], "one");
    assert_int_equal(list.ids[1], 7); /* the default */
    assert_string_equal(list.texts[1], "");
    assert_int_equal(list.ids[2], 5); /* an item in an item is skipped */
    assert_string_equal(list.texts[2], "ab");
    inlay_arena_free(a);
}

static void test_trees(void **state)
{
    inlay_arena *a = inlay_arena_new();
    struct list list;
    const inlay_meta *m;

    assert_true(read("<list><keep a='1' q:b='&lt;' xmlns:q='u'>text</keep><item/>"
                     "<keep> <item id='4'/>lost<c>  </c></keep></list>",
                     &list, a, NULL));
    assert_int_equal(list.n, 1);
    m = list.kept;
    assert_string_equal(m->tag, "keep");
    assert_int_equal(m->n_attrs, 2);
    assert_string_equal(m->attrs[2], "q:b");
    assert_string_equal(m->attrs[3], "<");
    assert_string_equal(m->text, "text");
    m = m->next;
    assert_null(m->next);
    assert_null(m->text); /* text beside elements is not kept, nor are blanks */
    assert_string_equal(m->child->tag, "item");
    assert_null(m->child->next->text);
    inlay_arena_free(a);
}

static void test_errors(void **state)
{
    inlay_arena *a = inlay_arena_new();
    inlay_diags *d = inlay_diags_new();
    struct list list;

    assert_false(read("<list>\n<item id='x'/></list>", &list, a, d));
    assert_string_equal(list.error, "<item>: id is \"x\", expected a number from 0 to 2^63-1");
    assert_int_equal(list.line, 2);
    assert_false(list.ended);
    assert_false(read("<list>\n\n<!DOCTYPE x></list>", &list, a, d));
    assert_false(read("<!DOCTYPE list><list/>", &list, a, d));
    assert_string_equal(list.error, "a DOCTYPE is not allowed in a model");
    assert_false(read("", &list, a, d));
    assert_string_equal(list.error, "the file is empty");
    inlay_diags_clear(d);
    assert_false(read("<list>\n<item></list>", &list, a, d));
    assert_string_equal(list.error, ""); /* that is no error of the format */
    assert_non_null(strstr(inlay_diags_at(d, 0)->text, "not well-formed XML: "));
    assert_int_equal(inlay_diags_at(d, 0)->line, 2);
    inlay_diags_free(d);
    inlay_arena_free(a);
}

static void test_numbers(void **state)
{
    static const struct {
        const char *text;
        bool ok;
        int64_t value;
    } cases[] = {
        {"0", true, 0},
        {" -12\n", true, -12},
        {"9223372036854775807", true, INT64_MAX},
        {"9223372036854775808", false, 0},
        {"-9223372036854775807", true, -INT64_MAX},
        {"", false, 0},
        {"-", false, 0},
        {"+1", false, 0},
        {"1 2", false, 0},
        {"1.0", false, 0},
        {"0x1", false, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t x = 0;

        assert_int_equal(xml_parse_int(cases[i].text, strlen(cases[i].text), &x), cases[i].ok);
        assert_int_equal(x, cases[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements_by_a_table),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
