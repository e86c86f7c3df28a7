/* The page of a graph: its document, names that try to leave it, groups, places of boxes. */
#include "front/front.h"
#include "graphs.h"

#include <cjson/cJSON.h>

#define WINDOW                                                                                     \
    "%data = Parameter-1 {element_type = f32, shape = [8,4]}\n"                                    \
    "%start = Const-1 {value = i64[1] [2]}\n"                                                      \
    "%stop = Const-1 {value = i64[1] [4]}\n"                                                       \
    "%step = Const-1 {value = i64[1] [1]}\n"                                                       \
    "%table = Const-1 {value = f32[4] [0, 1, 2, 9]}\n"                                             \
    "%rows = Slice-8(%data, %start, %stop, %step)\n"                                               \
    "%change = Add-1(%rows, %table)\n"                                                             \
    "%out = SliceScatter-15(%data, %change, %start, %stop, %step)\n"                               \
    "%result = Result-1(%out)\n"

/* A page and its document. */
struct page {
    inlay_strbuf text;
    cJSON *json, *graph; /* the first one */
};

static struct page page_of(const inlay_view_graph *graphs, size_t n, const inlay_view_options *o)
{
    inlay_diags *d = inlay_diags_new();
    inlay_view *v = inlay_view_new(o, d);
    struct page p = {{0}, NULL, NULL};
    const inlay_sink to = {inlay_strbuf_sink, &p.text};
    static const char begin[] = "id=\"data\">";
    const char *data;

    for (size_t i = 0; i < n; i++)
        assert_true(inlay_view_add(v, &graphs[i], d));
    assert_true(inlay_view_write(v, &to, d));
    inlay_view_free(v);
    inlay_diags_free(d);
    data = strstr(p.text.bytes, begin);
    assert_non_null(data);
    p.json = cJSON_Parse(data + sizeof begin - 1);
    assert_non_null(p.json);
    p.graph = cJSON_GetArrayItem(cJSON_GetObjectItem(p.json, "graphs"), 0);
    return p;
}

static struct page page_of_graph(const inlay_graph *g, const inlay_view_options *o)
{
    return page_of(&(inlay_view_graph){.graph = g}, 1, o);
}

static void page_free(struct page *p)
{
    cJSON_Delete(p->json);
    inlay_strbuf_free(&p->text);
}

static int count(const char *text, const char *word)
{
    int n = 0;

    for (; (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

static const cJSON *list(const struct page *p, const char *name)
{
    return cJSON_GetObjectItem(p->graph, name);
}

/* The record of node I of the first graph. */
static const cJSON *record(const struct page *p, int i)
{
    int number = cJSON_GetArrayItem(list(p, "nodes"), 2 * i)->valueint;

    return cJSON_GetArrayItem(cJSON_GetObjectItem(p->json, "records"), number);
}

static const char *text_of(const struct page *p, const cJSON *number)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(p->json, "texts"), number->valueint)->valuestring;
}

static void the_document_has_nodes_types_and_numbers(void **state)
{
    inlay_graph *g = graph_of(WINDOW);
    struct page p = page_of_graph(g, NULL);
    const cJSON *table;

    assert_int_equal(cJSON_GetArraySize(list(&p, "nodes")), 2 * 9);
    for (int i = 0; i < 9; i++) {
        table = record(&p, i);
        if (strcmp(text_of(&p, cJSON_GetObjectItem(table, "n")), "table") == 0)
            break;
    }
    assert_string_equal(text_of(&p, cJSON_GetArrayItem(cJSON_GetObjectItem(table, "t"), 0)),
                        "f32[4]");
    assert_string_equal(text_of(&p, cJSON_GetObjectItem(table, "v")), "0, 1, 2, 9");
    assert_string_equal(cJSON_GetObjectItem(table, "k")->valuestring, "row");
    assert_int_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(table, "r"), 1)->valueint, 9);
    page_free(&p);
    inlay_graph_free(g);
}

/* 16 numbers, of which ten are in the first sixteenth of the range, five in the middle, one at the
 * end. */
static void a_constant_has_a_histogram(void **state)
{
    inlay_graph *g = graph_of("%c = Const-1 {value = i32[16] [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, "
                              "8, 8, 8, 16]}\n%y = Abs-1(%c)\n%r = Result-1(%y)\n");
    struct page p = page_of_graph(g, NULL);

    assert_string_equal(cJSON_GetObjectItem(record(&p, 0), "h")->valuestring, "9000000050000001");
    page_free(&p);
    inlay_graph_free(g);
}

static void a_page_asks_for_nothing(void **state)
{
    inlay_graph *g = graph_of(WINDOW);
    struct page p = page_of_graph(g, NULL);
    static const char *const words[] = {"http:", "https:", "src=", "@import", "url(", "fetch("};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_null(strstr(p.text.bytes, words[i]));
    assert_non_null(strstr(p.text.bytes, "default-src 'none'"));
    assert_in_range(p.text.n, 1, 200000);
    page_free(&p);
    inlay_graph_free(g);
}

/* Each of these stays a text, and the page keeps its two scripts. */
static void names_stay_names(void **state)
{
    static const char *const names[] = {"</script><script>alert(1)</script>",
                                        "<!--<script>",
                                        "\"}],",
                                        "back\\slash",
                                        "line\nbreak\x01\x7f",
                                        "\xe2\x80\xa8\xe2\x80\xa9",
                                        "\xff\xc3(",
                                        "<img src=x>"};
    static const char *const read_back[] = {"</script><script>alert(1)</script>",
                                            "<!--<script>",
                                            "\"}],",
                                            "back\\slash",
                                            "line\nbreak\x01\x7f",
                                            "\xe2\x80\xa8\xe2\x80\xa9",
                                            "\xef\xbf\xbd\xef\xbf\xbd(",
                                            "<img src=x>"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        inlay_graph *g = graph_of(WINDOW);
        inlay_view_options o = {.title = names[i], .why = names[i]};
        struct page p;

        assert_true(inlay_node_rename(inlay_graph_node(g, "rows"), names[i], NULL));
        p = page_of_graph(g, &o);
        assert_int_equal(count(p.text.bytes, "</script>"), 2);
        assert_int_equal(count(p.text.bytes, "<script"), 2);
        assert_null(strstr(p.text.bytes, "<img"));
        assert_null(strstr(p.text.bytes, "<!--"));
        assert_string_equal(cJSON_GetObjectItem(p.json, "title")->valuestring, read_back[i]);
        page_free(&p);
        inlay_graph_free(g);
    }
}

/* A chain of N nodes, named by the format NAME of their number. */
static inlay_graph *chain(int n, const char *name)
{
    static const char *const ops[] = {"Abs", "Exp", "Tanh", "Sin", "Cos"};
    inlay_strbuf b = {0};
    inlay_graph *g;
    char last[200] = "x", now[200];

    inlay_strbuf_puts(&b, "%x = Parameter-1 {element_type = f32, shape = [4]}\n");
    for (int i = 0; i < n; i++) {
        snprintf(now, sizeof now, name, i / 100, i / 10 % 10, i % 10);
        inlay_strbuf_printf(&b, "%%\"%s\" = %s(%%\"%s\")\n", now, ops[i * i % 7 % 5], last);
        snprintf(last, sizeof last, "%s", now);
    }
    inlay_strbuf_printf(&b, "%%r = Result-1(%%\"%s\")\n", last);
    g = graph_of(b.bytes);
    inlay_strbuf_free(&b);
    return g;
}

/* Checks that each group stands in one that stands in ... the first, and that none has many
 * children; returns how many groups of KIND there are. */
static int check_groups(const struct page *p, const char *kind)
{
    const cJSON *groups = list(p, "groups"), *nodes = list(p, "nodes");
    int n = cJSON_GetArraySize(groups), found = 0;
    int *children = calloc((size_t)n, sizeof *children);

    for (int i = 0; i < n; i++) {
        int at = i, steps = 0;

        for (; at != 0 && steps <= n; steps++)
            at = cJSON_GetObjectItem(cJSON_GetArrayItem(groups, at), "p")->valueint;
        assert_in_range(steps, 0, n);
        if (i > 0)
            children[cJSON_GetObjectItem(cJSON_GetArrayItem(groups, i), "p")->valueint]++;
        found +=
            strcmp(cJSON_GetObjectItem(cJSON_GetArrayItem(groups, i), "k")->valuestring, kind) == 0;
    }
    for (int i = 1; i < cJSON_GetArraySize(nodes); i += 2) {
        assert_in_range(cJSON_GetArrayItem(nodes, i)->valueint, 0, n - 1);
        children[cJSON_GetArrayItem(nodes, i)->valueint]++;
    }
    for (int i = 0; i < n; i++)
        assert_in_range(children[i], 1, 130);
    free(children);
    return found;
}

static void groups_are_scopes_repetitions_and_parts(void **state)
{
    static const struct {
        const char *name, *kind;
        int at_least;
    } cases[] = {{"enc/layer.%d/part_%d/node%d", "scope", 20}, /* scopes: 4 layers, 40 parts */
                 {"/enc/layer.%d/part_%d/node%d", "scope", 20},
                 {"enc.layer%d.part%d.node%d", "scope", 20},
                 {"v%d_%d_%d", "block", 4},             /* the operations repeat each 35 nodes */
                 {"p2o.Op%3$d.%1$d_%2$d", "block", 4}}; /* scopes that are kinds: none */

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        inlay_graph *g = chain(400, cases[i].name);
        struct page p = page_of_graph(g, NULL);

        assert_in_range(check_groups(&p, cases[i].kind), cases[i].at_least, 400);
        page_free(&p);
        inlay_graph_free(g);
    }
}

static void few_nodes_have_no_groups(void **state)
{
    inlay_graph *g = graph_of(WINDOW);
    struct page p = page_of_graph(g, NULL);

    assert_int_equal(cJSON_GetArraySize(list(&p, "groups")), 1);
    page_free(&p);
    inlay_graph_free(g);
}

/* What stands in for dot. */
struct asked {
    int calls, most; /* the most boxes of a call */
    const char *said;
};

static int boxes_of(const char *dot)
{
    return count(dot, " [width=");
}

/* Places box K of each graph at (K, 1.5). */
static bool place(void *ctx, const char *dot, size_t n, inlay_strbuf *plain)
{
    struct asked *a = ctx;
    int boxes = boxes_of(dot);

    assert_int_equal(strlen(dot), n);
    a->calls++;
    a->most = boxes > a->most ? boxes : a->most;
    if (a->said) {
        inlay_strbuf_puts(plain, a->said);
        return *a->said != '\0';
    }
    while ((dot = strstr(dot, "digraph"))) {
        const char *end = strstr(dot + 1, "digraph");
        int here = boxes_of(dot) - (end ? boxes_of(end) : 0);

        inlay_strbuf_puts(plain, "graph 1 2 3\n");
        for (int k = 0; k < here; k++)
            inlay_strbuf_printf(plain, "node n%d %d 1.5 0.5 0.5 \"\" solid box black grey\n", k, k);
        inlay_strbuf_puts(plain, "edge n0 n1 4 1 1 1e-05 1 1 1 1 1 solid black\nstop\n");
        dot++;
    }
    return true;
}

static void dot_is_asked_about_few_boxes_at_a_time(void **state)
{
    struct asked a = {0};
    const inlay_view_options o = {.place = place, .ctx = &a};
    inlay_graph *g = chain(1500, "v%d_%d_%d");
    struct page p = page_of_graph(g, &o);
    const cJSON *places = cJSON_GetObjectItem(cJSON_GetArrayItem(list(&p, "groups"), 0), "d");

    assert_in_range(a.calls, 2, 20);
    assert_in_range(a.most, 2, 500);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(p.json, "dot")));
    assert_int_equal(cJSON_GetArrayItem(places, 2)->valueint, 100);
    assert_int_equal(cJSON_GetArrayItem(places, 3)->valueint, 150);
    page_free(&p);
    inlay_graph_free(g);
}

/* What is not understood is no place, and who cannot is not asked again. */
static void dot_may_say_nonsense(void **state)
{
    static const char *const said[] = {"",
                                       "Segmentation fault\n",
                                       "graph 1 2 3\n",
                                       "graph 1 2 3\nnode n9999 1 1\nstop\n",
                                       "node\n",
                                       "graph 1 2 3\nnode n-1 1 1\nstop\n",
                                       "graph 1 2 3\nnode n0"};

    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct asked a = {.said = said[i]};
        const inlay_view_options o = {.place = place, .ctx = &a};
        inlay_graph *g = chain(700, "v%d_%d_%d");
        struct page p = page_of_graph(g, &o);

        assert_true(cJSON_IsFalse(cJSON_GetObjectItem(p.json, "dot")));
        assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(list(&p, "groups"), 0), "d"));
        if (i == 0)
            assert_int_equal(a.calls, 1);
        page_free(&p);
        inlay_graph_free(g);
    }
}

/* Two graphs that share all nodes but one share their records. */
static void graphs_share_what_is_the_same(void **state)
{
    inlay_graph *a = graph_of(WINDOW), *b = inlay_graph_clone(a, NULL);
    inlay_view_graph shown[] = {{.graph = a}, {.graph = b, .before = a}};
    inlay_diff diff = {0};
    struct page p;

    assert_true(inlay_node_rename(inlay_graph_node(b, "result"), "other", NULL));
    assert_true(inlay_diff_graphs(a, b, &diff, NULL));
    shown[1].changes = &diff;
    p = page_of(shown, 2, NULL);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(p.json, "records")), 10);
    p.graph = cJSON_GetArrayItem(cJSON_GetObjectItem(p.json, "graphs"), 1);
    assert_int_equal(cJSON_GetArraySize(list(&p, "pairs")), 3 * 9);
    for (int i = 0; i < 9; i++)
        assert_int_equal(cJSON_GetArrayItem(list(&p, "pairs"), 3 * i + 2)->valueint, 0);
    page_free(&p);
    inlay_diff_free(&diff);
    inlay_graph_free(a);
    inlay_graph_free(b);
}

/* A body is a group in that of its node. */
static void bodies_are_groups(void **state)
{
    inlay_graph *g = graph_of("%c = Parameter-1 {element_type = boolean, shape = []}\n"
                              "%x = Parameter-1 {element_type = f32, shape = [2]}\n"
                              "%y = If-8(%c, %x) : f32[2]\n"
                              "  then_body \"t\" {\n"
                              "    %p = Parameter-1 {element_type = f32, shape = [2]}\n"
                              "    %a = Abs-1(%p)\n"
                              "    %o = Result-1(%a)\n"
                              "  }\n"
                              "  in 1 -> %p\n"
                              "  out %o -> 0\n"
                              "  else_body \"e\" {\n"
                              "    %p = Parameter-1 {element_type = f32, shape = [2]}\n"
                              "    %o = Result-1(%p)\n"
                              "  }\n"
                              "  in 1 -> %p\n"
                              "  out %o -> 0\n"
                              "%r = Result-1(%y)\n");
    struct page p = page_of_graph(g, NULL);

    assert_int_equal(check_groups(&p, "body"), 2);
    assert_int_equal(check_groups(&p, "node"), 1);
    page_free(&p);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_document_has_nodes_types_and_numbers),
        cmocka_unit_test(a_constant_has_a_histogram),
        cmocka_unit_test(a_page_asks_for_nothing),
        cmocka_unit_test(names_stay_names),
        cmocka_unit_test(groups_are_scopes_repetitions_and_parts),
        cmocka_unit_test(few_nodes_have_no_groups),
        cmocka_unit_test(dot_is_asked_about_few_boxes_at_a_time),
        cmocka_unit_test(dot_may_say_nonsense),
        cmocka_unit_test(graphs_share_what_is_the_same),
        cmocka_unit_test(bodies_are_groups),
    };

    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
