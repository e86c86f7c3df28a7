/* A file that is written appears complete or not at all, whatever ends the program; one that ends too
 * early is not read. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "folder.h"
#include "parser/file.h"
#include "parser/file_out.h"
#include "tests/unit/models.h"
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int files_here(void)
{
    DIR *dir = opendir(".");
    int n = 0;

    while (readdir(dir))
        n++;
    closedir(dir);
    return n - 2;
}

static void check_content(const char *path, const char *expected)
{
    size_t n;
    char *text = model_load(path, &n);

    assert_string_equal(text, expected);
    free(text);
}

/* Writes "out", and is killed while it writes. */
static void be_killed_writing(void)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        inlay_diags *d = inlay_diags_new();
        file_out out;
        char zeros[1 << 17] = {0};

        if (file_out_open(&out, "out", d) && file_out_write(&out, zeros, sizeof zeros))
            kill(getpid(), SIGTERM);
        _exit(1);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFSIGNALED(status));
}

static void a_killed_writer_leaves_nothing(void **state)
{
    int fd = open(".", O_TMPFILE | O_WRONLY, 0666);

    if (fd < 0) {
        print_message("skipped: this file system has no files without a name\n");
        skip();
    }
    close(fd);
    be_killed_writing();
    assert_int_equal(files_here(), 0);
}

/* Writes a set of one file. */
static bool write_bytes(const char *path, const void *bytes, size_t n, inlay_diags *d)
{
    inlay_files *fs = inlay_files_new(d);
    bool ok = fs && inlay_files_bytes(fs, path, bytes, n, d) && inlay_files_commit(fs, d);

    inlay_files_free(fs);
    return ok;
}

static void a_killed_writer_keeps_what_was_there(void **state)
{
    inlay_diags *d = inlay_diags_new();

    assert_true(write_bytes("out", "old", 3, d));
    be_killed_writing();
    check_content("out", "old");
    assert_true(write_bytes("out", "newer", 5, d));
    check_content("out", "newer");
    assert_int_equal(files_here(), 1);
    unlink("out");
    inlay_diags_free(d);
}

/* The file that a link leads to is replaced, and the link stays. */
static void links_are_followed(void **state)
{
    inlay_diags *d = inlay_diags_new();
    char to[16] = "";

    assert_true(write_bytes("file", "old", 3, d));
    assert_int_equal(symlink("file", "link"), 0);
    assert_true(write_bytes("link", "new", 3, d));
    check_content("file", "new");
    assert_int_equal(readlink("link", to, sizeof to), 4);
    assert_memory_equal(to, "file", 4);
    unlink("file");
    assert_true(write_bytes("link", "new", 3, d)); /* it leads nowhere */
    check_content("link", "new");
    unlink("link");
    inlay_diags_free(d);
}

/* A file may be empty, or longer than what is collected. */
static void every_length_is_written(void **state)
{
    inlay_diags *d = inlay_diags_new();
    char *many = malloc(200001);

    memset(many, 'x', 200000);
    many[200000] = '\0';
    assert_true(write_bytes("out", "", 0, d));
    check_content("out", "");
    assert_true(write_bytes("out", many, 200000, d));
    check_content("out", many);
    unlink("out");
    free(many);
    inlay_diags_free(d);
}

/* The signals that were let in before are let in again. */
static void two_files_take_their_places(void **state)
{
    inlay_diags *d = inlay_diags_new();
    sigset_t before, after;
    file_out a, b, *const both[] = {&a, &b};

    sigprocmask(SIG_SETMASK, NULL, &before);
    assert_true(file_out_open(&a, "a", d) && file_out_open(&b, "b", d));
    assert_true(file_out_write(&a, "1", 1) && file_out_write(&b, "2", 1));
    assert_true(file_out_finish(&a, d) && file_out_finish(&b, d) && file_out_commit(both, 2, d));
    file_out_close(&a);
    file_out_close(&b);
    check_content("a", "1");
    check_content("b", "2");
    sigprocmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(sigismember(&before, SIGTERM), sigismember(&after, SIGTERM));
    unlink("a");
    unlink("b");
    inlay_diags_free(d);
}

static void add_files(inlay_files *fs, int n, inlay_diags *d)
{
    char name[16];

    for (int i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%d", i);
        assert_true(inlay_files_bytes(fs, name, name, strlen(name), d));
    }
}

/* More files than a process may have open wait for each other. */
static void many_files_appear_together(void **state)
{
    enum { N = 200 };
    inlay_diags *d = inlay_diags_new();
    inlay_files *fs = inlay_files_new(d);
    struct rlimit before, few;
    char name[16];

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = (struct rlimit){100, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    add_files(fs, N, d);
    assert_int_equal(access("0", F_OK), -1);
    assert_true(inlay_files_commit(fs, d));
    inlay_files_free(fs);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(files_here(), N);
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "%d", i);
        check_content(name, name);
        unlink(name);
    }
    inlay_diags_free(d);
}

/* No file is left without a commit, or when one of them cannot take its place. */
static void none_of_several_files_is_left(void **state)
{
    inlay_diags *d = inlay_diags_new();
    inlay_files *fs = inlay_files_new(d);

    add_files(fs, 100, d);
    inlay_files_free(fs);
    assert_int_equal(files_here(), 0);

    fs = inlay_files_new(d);
    add_files(fs, 3, d);
    assert_int_equal(mkdir("2", 0777), 0);
    assert_false(inlay_files_commit(fs, d));
    assert_int_equal(inlay_diags_count(d), 1);
    assert_string_equal(inlay_diags_at(d, 0)->file, "2");
    inlay_files_free(fs);
    assert_int_equal(rmdir("2"), 0);
    assert_int_equal(files_here(), 0);
    inlay_diags_free(d);
}

/* ---- a model and its weights ---- */

enum { WRITERS = 4, WRITES = 60 };

/* A graph of one constant, of as many bytes whatever WHO is. */
static inlay_graph *graph_of_writer(int who, inlay_diags *d)
{
    inlay_graph *g = inlay_graph_new("g", d);
    const int64_t dims[] = {600};
    inlay_tensor *t = inlay_tensor_new(INLAY_I32, 1, dims);
    inlay_value *v;

    for (int i = 0; i < dims[0]; i++)
        inlay_tensor_set_i64(t, i, who);
    v = inlay_build_const(g, "c", t, d);
    assert_true(v && inlay_build_result(g, "r", v, d));
    inlay_tensor_release(t);
    return g;
}

static void write_often(int who, const char *path)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of_writer(who, d);
    bool ok = true;

    for (int i = 0; ok && i < WRITES; i++)
        ok = inlay_write_file(g, path, NULL, d);
    _exit(ok ? 0 : 1);
}

/* The writers write one file at the same time, and what is left is one writer's. */
static void check_writers(const char *path)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g;
    const inlay_tensor *t;
    int status;

    for (int who = 1; who <= WRITERS; who++) {
        pid_t child = fork();

        assert_true(child >= 0);
        if (child == 0)
            write_often(who, path);
    }
    for (int who = 1; who <= WRITERS; who++)
        assert_true(wait(&status) > 0 && status == 0);
    g = inlay_read_file(path, NULL, d);
    if (!g)
        fail_msg("%s", model_messages(d));
    t = inlay_graph_node(g, "c")->out[0].fact.content;
    for (int i = 1; i < 600; i++)
        assert_int_equal(inlay_tensor_get_i64(t, i), inlay_tensor_get_i64(t, 0));
    inlay_graph_free(g);
    inlay_diags_free(d);
}

static void writers_at_the_same_time(void **state)
{
    for (int i = 0; i < 3; i++) {
        check_writers("m.xml");
        check_writers("m.json");
    }
    assert_int_equal(files_here(), 4);
    remove("m.xml"), remove("m.bin"), remove("m.json"), remove("m.json.bin");
}

/* With every byte of the weights changed, every length cut off, and a byte more. */
static void check_changes(const char *path, const char *weights, const char *said)
{
    size_t n;
    char *bytes;
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = graph_of_writer(7, d);

    assert_true(inlay_write_file(g, path, NULL, d));
    inlay_graph_free(g);
    bytes = model_load(weights, &n);
    for (size_t i = 0; i < 3 * n; i += 41) {
        char byte = i < n ? (char)(bytes[i] ^ 1) : '\0';
        FILE *f = fopen(weights, "wb");

        fwrite(bytes, 1, i < n ? n : i - n < n ? i - n : n, f);
        if (i < n)
            fseek(f, (long)i, SEEK_SET);
        if (i < n || i >= 2 * n)
            fputc(byte, f);
        fclose(f);
        assert_null(inlay_read_file(path, NULL, d));
        assert_non_null(strstr(model_messages(d), said));
        inlay_diags_clear(d);
    }
    free(bytes);
    inlay_diags_free(d);
    remove(path), remove(weights);
}

static void other_weights_are_told(void **state)
{
    check_changes("m.xml", "m.bin", "m.bin is not the weights file of this model: it");
    check_changes("m.json", "m.json.bin",
                  "\"m.json.bin\" is not the weights file of this model: it");
}

/* Models of one name and of all formats stand in one folder, in whatever order they are written. */
static void one_name_in_all_formats(void **state)
{
    static const char *const names[] = {"m.xml", "m.json", "m.inlay", "m.txt"};
    inlay_diags *d = inlay_diags_new();

    for (int order = 0; order < 24; order++) {
        for (int i = 0; i < 4; i++) {
            inlay_graph *g = graph_of_writer(order + i, d);

            assert_true(inlay_write_file(g, names[(order + i * (order % 3 + 1)) % 4], NULL, d));
            inlay_graph_free(g);
        }
        for (int i = 0; i < 4; i++) {
            inlay_graph *g = inlay_read_file(names[i], NULL, d);

            if (!g && (order > 0 || inlay_diags_error(d)))
                fail_msg("%s: %s", names[i], model_messages(d));
            inlay_graph_free(g);
        }
    }
    assert_int_equal(files_here(), 6);
    for (int i = 0; i < 4; i++)
        remove(names[i]);
    remove("m.bin"), remove("m.json.bin");
    inlay_diags_free(d);
}

/* Linux says that this file has a page, of which there are a few bytes. */
static void a_file_that_is_too_short_is_none(void **state)
{
    const char *path = "/sys/devices/system/cpu/online";
    inlay_diags *d = inlay_diags_new();
    struct stat st;

    if (stat(path, &st) || st.st_size < 4096) {
        print_message("skipped: there is no file that says that it is longer than it is\n");
        skip();
    }
    assert_null(file_map(path, 0, (file_memory){0}, d));
    assert_non_null(strstr(model_messages(d), "the file became shorter while it was read"));
    assert_int_equal(inlay_diags_status(d), INLAY_NO_RESOURCE);
    inlay_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_writer_leaves_nothing),
        cmocka_unit_test(a_killed_writer_keeps_what_was_there),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(every_length_is_written),
        cmocka_unit_test(two_files_take_their_places),
        cmocka_unit_test(many_files_appear_together),
        cmocka_unit_test(none_of_several_files_is_left),
        cmocka_unit_test(writers_at_the_same_time),
        cmocka_unit_test(other_weights_are_told),
        cmocka_unit_test(one_name_in_all_formats),
        cmocka_unit_test(a_file_that_is_too_short_is_none),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
