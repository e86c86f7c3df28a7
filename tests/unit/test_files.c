/* A file that is written appears complete or not at all, whatever ends the program. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "folder.h"
#include "parser/file_out.h"
#include "tests/unit/models.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

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

    (void)state;
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

    (void)state;
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

    (void)state;
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

    (void)state;
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

    (void)state;
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

    (void)state;
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

    (void)state;
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
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
