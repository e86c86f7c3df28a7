/* The reader of the text form: what it accepts, every message it gives, and that every model of the
 * tree comes back from its own text. Tokens and element texts too. */
#include "ir/shared.h"
#include "tests/unit/models.h"
#include "tests/unit/texts.h"
#include "unit.h"

#include <dirent.h>

static void a_graph_written_by_hand(void **state)
{
    inlay_graph *g = graph_of_text("// names may be used before they are defined\n"
                                   "graph \"g\"{%r=Result(%y)%y=Add-1@opset5(%x,%k)\n"
                                   "{auto_broadcast=\"NUMPY\"}:f32[..9,?]//wider is fine\n"
                                   "%k=Const{value=f32[2][1e0,-inf]}\n"
                                   "%x=Parameter{element_type=f32,shape=[2..4,2]}}");
    const inlay_node *y = inlay_graph_node(g, "y");

    assert_string_equal(y->opset, "opset5");
    assert_string_equal(inlay_node_string(y, "auto_broadcast"), "numpy");
    assert_int_equal(y->line, 2);
    assert_int_equal(y->out[0].fact.dims[0].lo, 2); /* inference knows more than the text says */
    assert_int_equal(y->out[0].fact.dims[1].hi, 2);
    assert_true(inlay_check_graph(g, NULL));
    assert_string_equal(g->file, "test.inlay");
    inlay_graph_free(g);
}

static void known_elements_are_inferred(void **state)
{
    inlay_graph *g = graph_of_text("graph \"g\" {\n"
                                   "  %x = Parameter-1 {element_type = f32, shape = [?,3]}\n"
                                   "  %s = ShapeOf-3(%x) : i64[2]\n"
                                   "  %y = Reshape-1(%x, %s) {special_zero = false}\n"
                                   "  %r = Result(%y)\n"
                                   "}\n");
    const inlay_fact *x = &inlay_graph_node(g, "x")->out[0].fact;
    const inlay_fact *y = &inlay_graph_node(g, "y")->out[0].fact;

    assert_int_equal(y->rank, 2);
    assert_true(inlay_dim_proven_equal(y->dims[0], x->dims[0]));
    assert_int_equal(y->dims[1].hi, 3);
    inlay_graph_free(g);
}

static void identities_can_be_declared(void **state)
{
    inlay_graph *g = graph_of_text("graph \"g\" {\n"
                                   "  %a = Parameter {element_type = f32, shape = [?#1,?#1]}\n"
                                   "  %b = Parameter {element_type = f32, shape = [?,?]} : "
                                   "f32[?#2,?#1]\n"
                                   "  %c = Parameter {element_type = f32, shape = [?#2]}\n"
                                   "}\n");
    const inlay_dim *a = inlay_graph_node(g, "a")->out[0].fact.dims;
    const inlay_dim *b = inlay_graph_node(g, "b")->out[0].fact.dims;
    const inlay_dim *c = inlay_graph_node(g, "c")->out[0].fact.dims;

    assert_true(inlay_dim_proven_equal(a[0], a[1]));
    assert_true(inlay_dim_proven_equal(a[0], b[1]));
    assert_false(inlay_dim_proven_equal(b[0], b[1]));
    assert_true(inlay_dim_proven_equal(b[0], c[0]));
    inlay_graph_free(g);
}

static void stand_ins_are_taken_as_written(void **state)
{
    static const char text[] =
        "graph \"g\" {\n"
        "  %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2]\n"
        "  %s:2 = ?Unknown@\"my set\"(%a, none, %a) {k = \"v\", \"two words\" = \"\"} : "
        "f16[?#1,4], dynamic[...]\n"
        "  %n:0 = ?Nothing@opset1(%s:0)\n"
        "  %r = ReLU-1(%s:0) : f16[?#1,4]\n"
        "  %end = Result-1(%r)\n"
        "}\n";
    static const char sorted[] =
        "graph \"g\" {\n"
        "  %a = Parameter-1 {element_type = f32, shape = [2]} : f32[2]\n"
        "  %s:2 = ?Unknown@\"my set\"(%a, none, %a) {k = \"v\", \"two words\" = \"\"} : "
        "f16[?#1,4], dynamic[...]\n"
        "  %r = ReLU-1(%s:0) : f16[?#1,4]\n"
        "  %end = Result-1(%r)\n"
        "  %n:0 = ?Nothing@opset1(%s:0)\n"
        "}\n";
    inlay_graph *g = graph_of_text(text);
    inlay_diags *d = inlay_diags_new();

    check_round_trip(g, sorted);
    inlay_graph_free(g);
    assert_null(inlay_read_text("f", text, strlen(text), NULL, d));
    assert_string_equal(model_messages(d), "3: error: unknown operation Unknown of version my set");
    inlay_diags_free(d);
}

/* Writes COUNT times OPEN, then as many times CLOSE. */
static char *nested(const char *head, const char *open, const char *close, int count)
{
    inlay_strbuf b = {0};

    inlay_strbuf_puts(&b, head);
    for (int i = 0; i < count; i++)
        inlay_strbuf_puts(&b, open);
    for (int i = 0; i < count; i++)
        inlay_strbuf_puts(&b, close);
    inlay_strbuf_puts(&b, "}");
    assert_false(b.failed);
    return b.bytes;
}

static void nesting_is_bounded(void **state)
{
    char *text = nested("graph \"g\" {", "%a:0 = ?If@opset8 body \"b\" {", "}", 100000);

    assert_string_equal(text_refusal(text),
                        "1: error: node \"a\" (If of opset8): bodies are nested more than 64 deep");
    free(text);
    text = nested("graph \"g\" { meta ", "{ a ", "} ", 100000);
    assert_string_equal(text_refusal(text), "1: error: metadata is nested more than 128 deep");
    free(text);
    text = nested("graph \"g\" {", "%a:0 = ?If@opset8 body \"b\" {", "}", 64);
    inlay_graph_free(graph_of_text(text));
    free(text);
    text = nested("graph \"g\" { meta ", "{ a ", "} ", 128);
    inlay_graph_free(graph_of_text(text));
    free(text);
}

static void what_could_grow_is_bounded(void **state)
{
    inlay_strbuf b = {0};

    inlay_strbuf_puts(&b, "graph \"g\" { meta { a(x = \"\"");
    for (int i = 0; i < 1000; i++)
        inlay_strbuf_puts(&b, ", x = \"\"");
    inlay_strbuf_puts(&b, ") } }");
    assert_string_equal(text_refusal(b.bytes),
                        "1: error: found more than 1000 attributes of one element");
    b.n = 0;
    inlay_strbuf_puts(&b, "graph \"g\" { %a:0 = ?Odd@extension() { x = \"\"");
    for (int i = 0; i < 1000; i++)
        inlay_strbuf_puts(&b, ", x = \"\"");
    inlay_strbuf_puts(&b, "} }");
    assert_string_equal(text_refusal(b.bytes),
                        "1: error: found more than 1000 attributes of one node");
    b.n = 0;
    inlay_strbuf_puts(&b, "graph \"g\" { ir_version ");
    for (int i = 0; i < 1000; i++)
        inlay_strbuf_puts(&b, "9");
    inlay_strbuf_puts(&b, " }");
    assert_string_equal(text_refusal(b.bytes),
                        "1: error: found a number of 1000 characters, which is too long");
    inlay_strbuf_free(&b);
}

/* Every prefix of a valid text is refused with one message, and nothing is lost or leaked. */
static void every_cut_text_is_refused(void **state)
{
    static const char text[] = "graph \"g\" { meta { a(b = \"c\") \"d\" { e } } "
                               "variable \"v\" : f32[1,?] %x = Parameter-1 {element_type = f32, "
                               "shape = [..2,?]} : f32[..2#1,?] as \"n\" %y = Add-1(%x, %x) "
                               "{auto_broadcast = numpy} : f32[..2#1,?] overwrites %x label \"l\" "
                               "rt_info { q } %c = Const-1 {value = f32[2] [1, -2]} "
                               "order %x before %y %r = Result-1(%y) }";
    char copy[sizeof text];

    inlay_graph_free(graph_of_text(text));
    for (size_t n = 0; n + 1 < sizeof text - 1; n++) {
        memcpy(copy, text, n);
        copy[n] = '\0';
        assert_non_null(strstr(text_refusal(copy), "error: "));
    }
}

static void check_model(const char *path)
{
    static const inlay_read_options options = {.allow_unknown = true};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_file(path, &options, d);

    if (g) {
        char *text = text_of_graph(g, true);

        inlay_diags_clear(d);
        if (!inlay_check_graph(g, d))
            fail_msg("%s: %s", path, model_messages(d));
        check_round_trip(g, text);
        free(text);
    }
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* Checks every model under FOLDER, and returns how many there are. */
static int check_folder(const char *folder, int depth)
{
    DIR *dir = opendir(folder);
    int count = 0;

    for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        char path[1024];
        size_t n = (size_t)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);

        if (e->d_name[0] == '.' || n >= sizeof path)
            continue;
        if (depth > 0)
            count += check_folder(path, depth - 1);
        if (n > 4 && (strcmp(path + n - 4, ".xml") == 0 || strcmp(path + n - 5, ".json") == 0)) {
            check_model(path);
            count++;
        }
    }
    if (dir)
        closedir(dir);
    return count;
}

static void every_model_of_the_tree_comes_back(void **state)
{
    assert_true(check_folder("models", 3) > 0);
}

static void every_model_of_the_corpus_comes_back(void **state)
{
    char folder[512];

    snprintf(folder, sizeof folder, "%.480s/corpus", model_shared());
    assert_true(check_folder(folder, 4) > 50);
}

/* Checks the graphs among the fenced blocks of a document: each is written as it would be
 * printed. */
static int check_examples(const char *path)
{
    char *text = model_load(path, NULL), *at = text;
    int count = 0;

    while ((at = strstr(at, "```\ngraph \""))) {
        char *start = at + 4, *end = strstr(start, "```");
        inlay_graph *g;

        assert_non_null(end);
        *end = '\0';
        g = graph_of_text(start);
        assert_true(inlay_check_graph(g, NULL));
        check_round_trip(g, start);
        inlay_graph_free(g);
        count++;
        at = end + 3;
    }
    free(text);
    return count;
}

static void examples_of_the_documents(void **state)
{
    assert_int_equal(check_examples("ir/text/TEXT.md"), 2);
    assert_int_equal(check_examples("ir/README.md"), 1);
}

static void tokens(void **state)
{
    static const char text[] = "Slice-8@opset8.. ...xs n-1 a-b Tensor.scatter_ %a/b.c-d:1 1..8 "
                               "2.5e-3 0xff => == != \"s\" // gone\n{";
    static const char *const want[] = {"Slice",
                                       "-",
                                       "8",
                                       "@",
                                       "opset8",
                                       "..",
                                       "...",
                                       "xs",
                                       "n",
                                       "-",
                                       "1",
                                       "a-b",
                                       "Tensor.scatter_",
                                       "%a/b.c-d",
                                       ":",
                                       "1",
                                       "1",
                                       "..",
                                       "8",
                                       "2.5e-3",
                                       "0xff",
                                       "=>",
                                       "==",
                                       "!=",
                                       "\"s\"",
                                       "{"};
    inlay_lexer l;
    char said[120];
    inlay_diags *d = inlay_diags_new();

    inlay_lexer_start(&l, "f", text, strlen(text), d);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_true(inlay_lexer_next(&l));
        snprintf(said, sizeof said, "found `%s`, expected nothing", want[i]);
        inlay_lexer_fail(&l, "nothing");
        assert_string_equal(inlay_diags_error(d)->text, said);
        inlay_diags_clear(d);
    }
    assert_int_equal(l.now.line, 2);
    assert_true(inlay_lexer_next(&l));
    assert_int_equal(l.now.kind, INLAY_TOKEN_END);
    inlay_lexer_fail(&l, "nothing");
    assert_string_equal(inlay_diags_error(d)->text, "found the end of the text, expected nothing");
    inlay_diags_free(d);
}

static void words_and_names(void **state)
{
    assert_true(inlay_token_is_word("then_body"));
    assert_true(inlay_token_is_word("exclude-pad"));
    assert_false(inlay_token_is_word("Slice-8"));
    assert_false(inlay_token_is_word("8"));
    assert_false(inlay_token_is_word(""));
    assert_false(inlay_token_is_word("a b"));
    assert_true(inlay_token_is_name("8"));
    assert_true(inlay_token_is_name("a/b-1.c"));
    assert_false(inlay_token_is_name("a/"));
    assert_false(inlay_token_is_name("a//b"));
    assert_false(inlay_token_is_name("/a"));
    assert_false(inlay_token_is_name(""));
}

/* All codes of the small types are tried: their text reads back to the same bits. */
static void every_code_of_the_small_types(void **state)
{
    static const inlay_type types[] = {
        INLAY_BOOLEAN, INLAY_F16, INLAY_BF16,       INLAY_F8E4M3,    INLAY_F8E5M2,
        INLAY_F8E8M0,  INLAY_I16, INLAY_I8,         INLAY_U16,       INLAY_U8,
        INLAY_F4E2M1,  INLAY_NF4, INLAY_I4,         INLAY_U4,        INLAY_U1,
        INLAY_I2,      INLAY_U2,  INLAY_F8E4M3FNUZ, INLAY_F8E5M2FNUZ};

    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        int bits = inlay_type_info_of(types[k])->bits;

        for (uint32_t code = 0; code < 1u << bits; code++) {
            uint16_t element = (uint16_t)(bits == 1 ? code << 7 : code), back = 0;
            char text[64];

            inlay_element_text(types[k], &element, 0, text, sizeof text);
            assert_true(inlay_element_parse(types[k], text, &back, 0));
            if (element != back)
                fail_msg("%s 0x%x prints as %s and reads as 0x%x",
                         inlay_type_info_of(types[k])->name, (unsigned)element, text,
                         (unsigned)back);
        }
    }
}

/* metadata */

static uint64_t random_state;

static unsigned pick(unsigned n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_state >> 33) % n;
}

/* Returns a name or text that looks like something else. */
static const char *random_string(void)
{
    static const char *const strings[] = {
        "a",        "x:y",  "",     "a.b",        "two words", "\"",      "\\",      "1",
        "-1",       "true", "none", "{",          "}",         "(k = 1)", ",",       "// no",
        "\n",       "%a",   "0x",   "i64[1] [0]", "as",        "meta",    "rt_info", "\xc3\xa9",
        "\xff\x80", "a-b",  "a-1",  "\x01",       "\\x00",     "=",
    };

    return strings[pick(sizeof strings / sizeof strings[0])];
}

static inlay_meta *random_meta(inlay_graph *g, int depth)
{
    inlay_meta *list = NULL;

    for (unsigned n = pick(4); n > 0 && depth < 5; n--) {
        inlay_meta *m = inlay_meta_new(g, random_string(), NULL);

        for (unsigned k = pick(2) ? 0 : pick(4); k > 0; k--)
            assert_true(inlay_meta_set(g, m, random_string(), random_string(), NULL));
        m->text = pick(2) ? random_string() : NULL;
        m->child = pick(2) ? random_meta(g, depth + 1) : NULL;
        append_meta(&list, m);
    }
    return list;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_meta(const inlay_meta *a, const inlay_meta *b)
{
    for (; a && b; a = a->next, b = b->next) {
        if (!same_text(a->tag, b->tag) || !same_text(a->text, b->text) || a->n_attrs != b->n_attrs)
            return false;
        for (int i = 0; i < 2 * a->n_attrs; i++) {
            if (strcmp(a->attrs[i], b->attrs[i]) != 0)
                return false;
        }
        if (!same_meta(a->child, b->child))
            return false;
    }
    return a == b;
}

/* This is the law: any metadata, printed and read, is the same metadata. */
static void metadata_comes_back(void **state)
{
    for (uint64_t seed = 0; seed < 3000; seed++) {
        inlay_graph *g = graph_of_text("graph \"g\" { %x = Parameter {element_type = f32, shape = "
                                       "[2]} %y = Result(%x) }");
        inlay_node *x = g->params[0];
        inlay_graph *back;
        char *text;

        random_state = seed;
        g->meta = random_meta(g, 1);
        x->rt_info = random_meta(g, 1);
        x->out[0].rt_info = random_meta(g, 1);
        text = text_of_graph(g, true);
        back = graph_of_text(text);
        if (!same_meta(g->meta, back->meta) || !same_meta(x->rt_info, back->params[0]->rt_info) ||
            !same_meta(x->out[0].rt_info, back->params[0]->out[0].rt_info))
            fail_msg("seed %llu: other metadata came back from\n%s", (unsigned long long)seed,
                     text);
        free(text);
        inlay_graph_free(back);
        inlay_graph_free(g);
    }
}

/* A comma keeps a quoted tag apart from an element without text; elsewhere it may stand or not. */
static void commas_between_elements(void **state)
{
    static const struct {
        const char *read, *printed;
    } cases[] = {
        {"{ a \"x:y\" }", "{ a \"x:y\" }"},
        {"{ a, \"x:y\"(k = \"v\") }", "{ a, \"x:y\"(k = \"v\") }"},
        {"{ a(k = \"v\"), \"x:y\" }", "{ a(k = \"v\"), \"x:y\" }"},
        {"{ a, b \"t\", \"c d\", e { f }, \"g h\" }", "{ a b \"t\" \"c d\" e { f } \"g h\" }"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200], expected[200], *printed;
        inlay_graph *g;

        snprintf(text, sizeof text, "graph \"g\" { meta %s }", cases[i].read);
        snprintf(expected, sizeof expected, "graph \"g\" {\n  meta %s\n}\n", cases[i].printed);
        g = graph_of_text(text);
        printed = text_of_graph(g, true);
        assert_string_equal(printed, expected);
        free(printed);
        inlay_graph_free(g);
    }
    assert_string_equal(text_refusal("graph \"g\" { meta { , a } }"),
                        "1: error: found `,`, expected an element of metadata or `}`");
    assert_string_equal(text_refusal("graph \"g\" { meta { a, } }"),
                        "1: error: found `}`, expected an element of metadata");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_written_by_hand),
        cmocka_unit_test(known_elements_are_inferred),
        cmocka_unit_test(identities_can_be_declared),
        cmocka_unit_test(stand_ins_are_taken_as_written),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(what_could_grow_is_bounded),
        cmocka_unit_test(every_cut_text_is_refused),
        cmocka_unit_test(every_model_of_the_tree_comes_back),
        cmocka_unit_test(every_model_of_the_corpus_comes_back),
        cmocka_unit_test(examples_of_the_documents),
        cmocka_unit_test(metadata_comes_back),
        cmocka_unit_test(commas_between_elements),
        cmocka_unit_test(tokens),
        cmocka_unit_test(words_and_names),
        cmocka_unit_test(every_code_of_the_small_types),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
