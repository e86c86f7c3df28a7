/* What a reader returns is complete: inlay_check_graph finds nothing, inferring once more changes
 * nothing, and written in any format and read again both still hold. The models are those of the
 * tree and random graphs; INLAY_SEED=N takes the one of seed N. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "models.h"
#include "random_graphs.h"
#include "texts.h"
#include "unit.h"

#include <ftw.h>

/* A model being held to the laws; ABOUT names it in messages. */
typedef struct subject {
    inlay_graph *g;
    inlay_diags *d;
    const char *about;
} subject;

static void broken(const subject *s, const char *law)
{
    fail_msg("%s: %s: %s", s->about, law, model_messages(s->d));
}

/* The identities of the dims of one graph before and after, one for one: a loop that is inferred
 * again may give its body new ones. */
typedef struct renaming {
    uint32_t *now, *was;
} renaming;

static bool same_identity(renaming *r, uint32_t was, uint32_t now)
{
    if (was == 0 || now == 0)
        return was == now;
    if (!r->now[was] && !r->was[now]) {
        r->now[was] = now;
        r->was[now] = was;
    }
    return r->now[was] == now && r->was[now] == was;
}

static bool same_dims(renaming *r, const inlay_dim *a, const inlay_dim *b, int n)
{
    for (int i = 0; i < n; i++) {
        if (a[i].lo != b[i].lo || a[i].hi != b[i].hi || !same_identity(r, a[i].id, b[i].id))
            return false;
    }
    return true;
}

static bool same_fact(renaming *r, const inlay_fact *a, const inlay_fact *b)
{
    return a->type == b->type && a->rank == b->rank && same_dims(r, a->dims, b->dims, a->rank) &&
           !a->known == !b->known &&
           (!a->known ||
            (a->n_known == b->n_known && same_dims(r, a->known, b->known, a->n_known)));
}

static size_t count_values(const inlay_graph *g)
{
    size_t n = 0;

    for (const inlay_node *node = g->first; node; node = node->next) {
        n += (size_t)node->n_out;
        for (int i = 0; i < node->n_bodies; i++)
            n += count_values(node->bodies[i].graph);
    }
    return n;
}

/* Notes the facts of the values of G and its bodies one after the other; dims stay in the graph's
 * arena. Returns where the next fact would stand. */
static inlay_fact *note_facts(const inlay_graph *g, inlay_fact *at)
{
    for (const inlay_node *n = g->first; n; n = n->next) {
        for (int i = 0; i < n->n_out; i++)
            *at++ = n->out[i].fact;
        for (int i = 0; i < n->n_bodies; i++)
            at = note_facts(n->bodies[i].graph, at);
    }
    return at;
}

static inlay_fact *facts_of(const inlay_graph *g)
{
    inlay_fact *facts = malloc((count_values(g) + 1) * sizeof *facts);

    assert_non_null(facts);
    note_facts(g, facts);
    return facts;
}

/* Compares the facts of the values of G and its bodies with those that were noted from AT on.
 * Returns where the next noted fact stands, or NULL. */
static const inlay_fact *compare_facts(const inlay_graph *g, const inlay_fact *at)
{
    renaming r = {calloc(g->next_dim_id + 1, sizeof *r.now),
                  calloc(g->next_dim_id + 1, sizeof *r.was)};

    assert_true(r.now && r.was);
    for (const inlay_node *n = g->first; at && n; n = n->next) {
        for (int i = 0; at && i < n->n_out; i++)
            at = same_fact(&r, at, &n->out[i].fact) ? at + 1 : NULL;
        for (int i = 0; at && i < n->n_bodies; i++)
            at = compare_facts(n->bodies[i].graph, at);
    }
    free(r.now);
    free(r.was);
    return at;
}

static void check_infer_again(const subject *s)
{
    inlay_fact *before = facts_of(s->g);

    if (!inlay_infer_graph(s->g, s->d))
        broken(s, "it was read, but inferring again fails");
    if (!compare_facts(s->g, before))
        broken(s, "inferring again says something else of a value");
    free(before);
}

static void check_alone(const subject *s)
{
    if (!inlay_check_graph(s->g, s->d))
        broken(s, "it is refused by inlay_check_graph");
    check_infer_again(s);
    if (!inlay_check_graph(s->g, s->d))
        broken(s, "after inferring again it is refused by inlay_check_graph");
}

/* Returns a copy of S that went through a file, or NULL: that format cannot say it. */
typedef inlay_graph *trip_fn(const subject *s);

static inlay_graph *through_text(const subject *s)
{
    static const inlay_read_options o = {.allow_unknown = true};
    char *text = text_of_graph(s->g, true);
    inlay_graph *g = inlay_read_text(s->about, text, strlen(text), &o, s->d);

    if (!g)
        broken(s, "the text that was printed is not read");
    free(text);
    return g;
}

static inlay_graph *through_json(const subject *s)
{
    static const inlay_read_options o = {.allow_unknown = true};
    inlay_strbuf b = {0};
    inlay_graph *g = NULL;

    if (inlay_write_json(s->g, NULL, NULL, &(inlay_sink){inlay_strbuf_sink, &b}, NULL, s->d) &&
        !(g = inlay_read_json(s->about, b.bytes, b.n, &o, s->d)))
        broken(s, "the JSON that was written is not read");
    inlay_strbuf_free(&b);
    inlay_diags_clear(s->d);
    return g;
}

static inlay_graph *through_xml(const subject *s, int ir_version)
{
    inlay_strbuf xml, weights;
    const char *said;
    inlay_graph *g = NULL;

    if (model_write_xml(s->g, ir_version, &xml, &weights, &said) &&
        !(g = model_read_xml(xml.bytes, weights.bytes ? weights.bytes : "", weights.n, NULL,
                             &said)))
        fail_msg("%s: the XML that was written is not read: %s", s->about, said);
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    return g;
}

static inlay_graph *through_xml_10(const subject *s)
{
    return through_xml(s, 10);
}

static inlay_graph *through_xml_11(const subject *s)
{
    return through_xml(s, 11);
}

static void check_laws(inlay_graph *g, const char *about)
{
    static trip_fn *const trips[] = {through_text, through_json, through_xml_10, through_xml_11};
    subject s = {g, inlay_diags_new(), about};

    check_alone(&s);
    for (size_t i = 0; i < sizeof trips / sizeof trips[0]; i++) {
        subject copy = {trips[i](&s), s.d, about};

        if (copy.g)
            check_alone(&copy);
        inlay_graph_free(copy.g);
    }
    inlay_diags_free(s.d);
}

/* Each file below a folder that can be read as a model is tried. */
static int n_models;

static int visit(const char *path, const struct stat *st, int type, struct FTW *at)
{
    static const char *const endings[] = {".xml", ".json", ".inlay"};
    const char *end = strrchr(path, '.');
    inlay_graph *g;

    (void)st, (void)at;
    for (size_t i = 0; type == FTW_F && end && i < 3; i++) {
        if (strcmp(end, endings[i]) != 0 || !(g = inlay_read_file(path, NULL, NULL)))
            continue;
        check_laws(g, path);
        inlay_graph_free(g);
        n_models++;
    }
    return 0;
}

static void test_models(void **state)
{
    const char *root = getenv("ROOT");
    char path[1000];

    snprintf(path, sizeof path, "%s/models", root ? root : ".");
    assert_int_equal(nftw(path, visit, 16, FTW_PHYS), 0);
    snprintf(path, sizeof path, "%s/tests", root ? root : ".");
    assert_int_equal(nftw(path, visit, 16, FTW_PHYS), 0);
    assert_true(n_models > 1000);
}

static void test_random_graphs(void **state)
{
    const seed_range s = seeds_to_try(500, 100);
    char about[40];

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++) {
        generated_graph r = random_graph_of(INLAY_GENERATE_WINDOWS, seed, NULL);

        assert_non_null(r.graph);
        snprintf(about, sizeof about, "seed %llu", (unsigned long long)seed);
        check_laws(r.graph, about);
        inlay_graph_free(r.graph);
    }
}

/* Variables are declared as files do it, whole, in part or not at all, in any order, and are read
 * and assigned any number of times. Most graphs are refused; what is read must obey the laws. */
static const char *one_of(rng *r, const char *const *list, int n)
{
    return list[rng_in(r, 0, n - 1)];
}

static const char *any_type(rng *r)
{
    static const char *const list[] = {"f32", "f32", "f32", "i32", "dynamic"};

    return one_of(r, list, 5);
}

static const char *any_shape(rng *r)
{
    static const char *const list[] = {"[4]", "[2]", "[?]", "[2..4]", "[?,2]", "[...]", "[]"};

    return one_of(r, list, 7);
}

static void put_read(inlay_strbuf *b, rng *r, int i)
{
    bool old = rng_one_in(r, 5);

    inlay_strbuf_printf(b, "%%r%d = ReadValue-%d(", i, old ? 3 : 6);
    if (old || !rng_one_in(r, 3))
        inlay_strbuf_printf(b, "%%x%d", (int)rng_in(r, 0, 2));
    inlay_strbuf_printf(b, ") {variable_id = \"v%d\"", (int)rng_in(r, 0, 1));
    if (!old && rng_one_in(r, 2))
        inlay_strbuf_printf(b, ", variable_type = %s", any_type(r));
    if (!old && rng_one_in(r, 2))
        inlay_strbuf_printf(b, ", variable_shape = %s", any_shape(r));
    inlay_strbuf_printf(b, "}\n%%q%d = Result(%%r%d)\n", i, i);
}

static void put_assign(inlay_strbuf *b, rng *r, int i)
{
    inlay_strbuf_printf(b, "%%a%d = Assign-6(%%%c%d) {variable_id = \"v%d\"}\n", i,
                        rng_one_in(r, 2) ? 'x' : 'r', (int)rng_in(r, 0, 2), (int)rng_in(r, 0, 1));
}

static inlay_strbuf random_variables(uint64_t seed)
{
    rng r = {seed * 2 + 1};
    inlay_strbuf b = {0};

    inlay_strbuf_puts(&b, "graph \"g\" {\n");
    for (int i = 0; i < 2; i++) {
        if (rng_one_in(&r, 4))
            inlay_strbuf_printf(&b, "variable \"v%d\" : %s%s\n", i, any_type(&r), any_shape(&r));
    }
    for (int i = 0; i < 3; i++)
        inlay_strbuf_printf(&b, "%%x%d = Parameter-1 {element_type = %s, shape = %s}\n", i,
                            any_type(&r), any_shape(&r));
    for (int i = 0; i < 3; i++) {
        if (rng_one_in(&r, 2))
            put_assign(&b, &r, i);
        put_read(&b, &r, i);
        if (rng_one_in(&r, 4))
            put_assign(&b, &r, i + 3);
    }
    inlay_strbuf_puts(&b, "}\n");
    return b;
}

static void test_random_variables(void **state)
{
    const seed_range s = seeds_to_try(20000, 4000);
    uint64_t n_read = 0;

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++) {
        inlay_strbuf b = random_variables(seed);
        inlay_graph *g = inlay_read_text("t", b.bytes, b.n, NULL, NULL);
        char about[2000];

        snprintf(about, sizeof about, "seed %llu:\n%s", (unsigned long long)seed, b.bytes);
        if (g)
            check_laws(g, about);
        n_read += g != NULL;
        inlay_graph_free(g);
        inlay_strbuf_free(&b);
    }
    if (s.whole)
        assert_true(n_read > s.n / 50);
}

#define X(i, shape) "%x" #i " = Parameter {element_type = f32, shape = " shape "}\n"

/* An Assign may stand before the ReadValue that says what the variable is, and a ReadValue before
 * one that says more. */
static void test_later_nodes_count(void **state)
{
    static const struct {
        const char *body, *said;
    } list[] = {
        {X(0, "[4]") X(1, "[2]") "%a = Assign(%x1) {variable_id = \"v\"}\n"
                                 "%r = ReadValue(%x0) {variable_id = \"v\"}\n%q = Result(%r)\n",
         "4: error: node \"a\" (Assign-6): input 0 \"new_value\" has shape [2], variable \"v\" has "
         "shape [4]"},
        {X(0, "[4]") "%r = ReadValue(%x0) {variable_id = \"v\"}\n%q = Result(%r)\n"
                     "%s = ReadValue() {variable_id = \"v\", variable_type = f32, variable_shape = "
                     "[2]}\n%p = Result(%s)\n",
         "3: error: node \"r\" (ReadValue-6): input 0 \"init_value\" has shape [4], variable \"v\" "
         "has shape [2]"},
        {"%r = ReadValue() {variable_id = \"v\", variable_type = f32, variable_shape = [4]}\n"
         "%q = Result(%r)\n"
         "%s = ReadValue() {variable_id = \"v\", variable_type = f32, variable_shape = [2]}\n"
         "%p = Result(%s)\n",
         "2: error: node \"r\" (ReadValue-6): variable \"v\" is f32[4] here, and f32[2] for "
         "another "
         "ReadValue"},
    };
    char text[1000];

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        snprintf(text, sizeof text, "graph \"g\" {\n%s}\n", list[i].body);
        assert_string_equal(text_refusal(text), list[i].said);
    }
}

/* "..." says nothing of the shape: where nothing says the type either, both come from the initial
 * value. */
static void test_shape_that_says_nothing(void **state)
{
    inlay_graph *g = graph_of_text(
        "graph \"g\" {\n" X(0, "[4]") "%r = ReadValue(%x0) {variable_id = "
                                      "\"v\", variable_shape = [...]}\n%q = Result(%r)\n}\n");
    const inlay_fact *f = &inlay_graph_node(g, "r")->out[0].fact;

    assert_int_equal(f->rank, 1);
    assert_int_equal(f->dims[0].hi, 4);
    check_laws(g, "a shape that says nothing");
    inlay_graph_free(g);
}

/* ReadValue-3 has no attributes for what the graph's list of variables says. */
static void test_variables_that_xml_cannot_say(void **state)
{
    inlay_graph *g = graph_of_text("graph \"g\" {\nvariable \"v\" : f32[?]\n" X(
        0, "[4]") "%r = ReadValue-3(%x0) {variable_id = \"v\"}\n%q = Result(%r)\n"
                  "}\n");
    inlay_strbuf xml, weights;
    const char *said;

    assert_false(model_write_xml(g, 11, &xml, &weights, &said));
    assert_string_equal(said,
                        "4: error: node \"r\" (ReadValue-3): the file cannot say that variable "
                        "\"v\" is f32[?]");
    inlay_strbuf_free(&xml);
    inlay_strbuf_free(&weights);
    inlay_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_later_nodes_count),
        cmocka_unit_test(test_shape_that_says_nothing),
        cmocka_unit_test(test_variables_that_xml_cannot_say),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_random_variables),
    };

    return cmocka_run_group_tests_name("read_verify", tests, NULL, NULL);
}
