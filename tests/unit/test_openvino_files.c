/* Files that the OpenVINO writer makes: they appear complete or not at all. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "ir/shared.h"
#include "openvino_graphs.h"
#include "tests/unit/models.h"
#include "unit.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64];

static int make_dir(void **state)
{
    strcpy(dir, "/tmp/inlay-test-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static const char *in_dir(const char *name)
{
    static char path[400];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static int count_files(void)
{
    DIR *d = opendir(dir);
    int n = 0;

    while (readdir(d))
        n++;
    closedir(d);
    return n - 2;
}

static int remove_dir(void **state)
{
    DIR *d = opendir(dir);
    struct dirent *e;

    while ((e = readdir(d)))
        unlink(in_dir(e->d_name));
    closedir(d);
    return rmdir(dir);
}

static inlay_graph *constant_graph(int64_t n)
{
    inlay_graph *g = inlay_graph_new("c", NULL);
    inlay_tensor *t = numbers(INLAY_I64, n, 1);

    add_const(g, "c", t);
    inlay_tensor_release(t);
    return g;
}

static void test_files(void **state)
{
    inlay_graph *g = constant_graph(3), *back;
    inlay_diags *d = inlay_diags_new();
    char why[200], other[100], text[100];
    inlay_write_options o = {.weights = other};
    inlay_read_options named = {.weights = other};

    snprintf(other, sizeof other, "%s/other.weights", dir);
    snprintf(text, sizeof text, "%s/m.inlay", dir);
    assert_true(inlay_write_file(g, in_dir("m.xml"), NULL, d));
    assert_int_equal(count_files(), 2);
    assert_int_equal(access(in_dir("m.bin"), F_OK), 0);
    back = inlay_read_file(in_dir("m.xml"), NULL, d);
    assert_true(inlay_graph_equal(g, back, why, sizeof why));
    /* over itself, while it is mapped */
    assert_true(inlay_write_file(back, in_dir("m.xml"), NULL, d));
    inlay_graph_free(back);
    back = inlay_read_file(in_dir("m.xml"), NULL, d);
    assert_true(inlay_graph_equal(g, back, why, sizeof why));
    inlay_graph_free(back);
    /* another weights file */
    assert_true(inlay_write_file(g, in_dir("n.xml"), &o, d));
    assert_int_equal(count_files(), 4);
    assert_null(inlay_read_file(in_dir("n.xml"), NULL, NULL));
    back = inlay_read_file(in_dir("n.xml"), &named, d);
    assert_true(inlay_graph_equal(g, back, why, sizeof why));
    inlay_graph_free(back);
    /* the text form, told by its content */
    assert_true(inlay_write_file(g, in_dir("m.inlay"), NULL, d));
    assert_int_equal(rename(text, in_dir("m.dat")), 0);
    back = inlay_read_file(in_dir("m.dat"), NULL, d);
    assert_true(inlay_graph_equal(g, back, why, sizeof why));
    inlay_graph_free(back);
    assert_int_equal(inlay_diags_count(d), 0);
    inlay_diags_free(d);
    inlay_graph_free(g);
}

static void expect_file_error(const char *said, inlay_status status, inlay_diags *d)
{
    assert_string_equal(model_messages(d), said);
    assert_int_equal(inlay_diags_status(d), status);
    inlay_diags_clear(d);
}

static void test_file_messages(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = constant_graph(1);
    inlay_read_options small = {.max_bytes = 4};
    FILE *f;

    assert_null(inlay_read_file(in_dir("nothing.xml"), NULL, d));
    expect_file_error("error: cannot open: No such file or directory", INLAY_INVALID, d);
    assert_null(inlay_read_file(dir, NULL, d));
    expect_file_error("error: cannot read: Is a directory", INLAY_INVALID, d);
    f = fopen(in_dir("empty.xml"), "w");
    fclose(f);
    assert_null(inlay_read_file(in_dir("empty.xml"), NULL, d));
    expect_file_error("error: the file is empty", INLAY_INVALID, d);
    f = fopen(in_dir("binary"), "w");
    fwrite("\x80\x02}q\1", 1, 5, f);
    fclose(f);
    assert_null(inlay_read_file(in_dir("binary"), NULL, d));
    expect_file_error(
        "error: this is a pickle of Python, as PyTorch writes them, which is not read yet",
        INLAY_INVALID, d);
    assert_null(inlay_read_file(in_dir("binary"), &small, d));
    expect_file_error("error: the file has 5 bytes, at most 4 are read", INLAY_NO_RESOURCE, d);
    assert_false(inlay_write_file(g, in_dir("m.pt"), NULL, d));
    expect_file_error("error: a model's name ends in .xml, .json, .onnx, .inlay or .txt",
                      INLAY_INVALID, d);
    assert_false(inlay_write_file(g, in_dir("no/such/folder.xml"), NULL, d));
    expect_file_error("error: cannot write: No such file or directory", INLAY_NO_RESOURCE, d);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* In a file a note is a claim: what is illegal is dropped with a warning. */
static void test_claims(void **state)
{
    inlay_graph *g = noted_graph(), *back;
    inlay_diags *d = inlay_diags_new();

    g->n_order_edges = 0; /* now z reads x after r wrote over it */
    assert_true(inlay_write_file(g, in_dir("m.xml"), NULL, d));
    back = inlay_read_file(in_dir("m.xml"), NULL, d);
    assert_non_null(back);
    assert_int_equal(inlay_graph_node(back, "r")->out[0].note, INLAY_FRESH);
    assert_int_equal(inlay_diags_count(d), 1);
    assert_non_null(strstr(inlay_diags_at(d, 0)->text,
                           "(ReLU-1): the storage note \"r\" overwrites \"x\" is dropped: "));
    inlay_graph_free(back);
    inlay_graph_free(g);
    inlay_diags_free(d);
}

/* A model that is refused, and one that does not fit on the disk, leave everything as it was. */
static void test_nothing_half_written(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *good = constant_graph(1), *large = constant_graph(100000),
                *bad = inlay_graph_new("bad\1", NULL);
    struct rlimit before, limit;
    struct stat st;
    int files;

    remove_dir(NULL);
    make_dir(NULL);
    assert_true(inlay_write_file(good, in_dir("m.xml"), NULL, d));
    files = count_files();
    assert_false(inlay_write_file(bad, in_dir("m.xml"), NULL, d));
    assert_false(inlay_write_file(bad, in_dir("new.xml"), NULL, d));
    inlay_diags_clear(d);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 1000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_false(inlay_write_file(large, in_dir("m.xml"), NULL, d));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    expect_file_error("error: cannot write: File too large", INLAY_NO_RESOURCE, d);
    assert_int_equal(count_files(), files);
    assert_int_equal(stat(in_dir("m.bin"), &st), 0);
    assert_int_equal(st.st_size, 8);
    inlay_graph_free(good);
    inlay_graph_free(large);
    inlay_graph_free(bad);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_claims, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_file_messages, make_dir, remove_dir),
        cmocka_unit_test_setup_teardown(test_nothing_half_written, make_dir, remove_dir),
    };

    signal(SIGXFSZ, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
