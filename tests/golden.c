/*
 * Runs golden files: shell commands with the output they must give. The format is in
 * tests/README.md.
 *
 *   golden [--rebase] FILE.t ...
 *
 * A file is read into blocks, one for each command; a block keeps the lines that belong to it, so
 * that
 * --rebase can write the file back with nothing changed but the expectations that no longer hold.
 * The results are printed as TAP: one line for each command, with a diff below a failing one.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    COMMAND_SECONDS = 120,
    DIFF_LINES = 2000, /* longer texts are shown whole, not aligned */
    PATH_SIZE = 4096
};

typedef struct {
    char **line;
    size_t count, room;
} lines;

typedef struct {
    lines before;  /* comments and blank lines above the command */
    lines source;  /* the command as the file spells it: "$ ..." and "> ..." lines */
    lines expect;  /* its output, still escaped */
    char *command; /* what the shell gets */
    size_t number; /* line in the file */
    int status;
} block;

typedef struct {
    const char *path;
    block *blocks;
    size_t count;
    lines after; /* what follows the last block */
    bool needs_shared;
} golden_file;

static void die(const char *what, const char *name)
{
    fprintf(stderr, "golden: %s: %s: %s\n", name, what, strerror(errno));
    exit(2);
}

static void *grow(void *p, size_t size)
{
    p = realloc(p, size);
    if (!p)
        die("no memory", "golden");
    return p;
}

static char *copy_text(const char *text, size_t length)
{
    char *copy = grow(NULL, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void add_line(lines *list, const char *text, size_t length)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 16;
        list->line = grow(list->line, list->room * sizeof *list->line);
    }
    list->line[list->count++] = copy_text(text, length);
}

static void free_lines(lines *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->line[i]);
    free(list->line);
    *list = (lines){0};
}

static char *read_all(FILE *in, size_t *length)
{
    char *text = NULL;
    size_t used = 0, got;
    do {
        text = grow(text, used + 65537);
        got = fread(text + used, 1, 65536, in);
        used += got;
    } while (got > 0);
    text[used] = '\0';
    *length = used;
    return text;
}

static void split_lines(lines *out, const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        add_line(out, text, (size_t)(stop - text));
        text = newline ? newline + 1 : end;
    }
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_status(const char *text, int *status)
{
    char *end;
    if (text[0] != '[' || !isdigit((unsigned char)text[1]))
        return false;
    long value = strtol(text + 1, &end, 10);
    if (strcmp(end, "]") != 0 || value > 255)
        return false;
    *status = (int)value;
    return true;
}

static const char glob_mark[] = " (glob)";

static bool is_glob(const char *text)
{
    size_t length = strlen(text), mark = strlen(glob_mark);
    return length >= mark && strcmp(text + length - mark, glob_mark) == 0;
}

/* A line of output that would mean something else in a golden file is written behind a backslash.
 */
static bool needs_escape(const char *text)
{
    int status;
    return text[0] == '\0' || text[0] == '\\' || text[0] == '#' || starts_with(text, "$ ") ||
           starts_with(text, "> ") || is_status(text, &status) || is_glob(text);
}

/* Iterative * and ?: on a mismatch the last * takes one character more. */
static bool glob_match(const char *pattern, const char *pattern_end, const char *text)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (pattern < pattern_end && *pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (pattern < pattern_end && (*pattern == '?' || *pattern == *text)) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (pattern < pattern_end && *pattern == '*')
        pattern++;
    return pattern == pattern_end;
}

static bool line_matches(const char *expected, const char *actual)
{
    if (expected[0] == '\\')
        return strcmp(expected + 1, actual) == 0;
    if (is_glob(expected))
        return glob_match(expected, expected + strlen(expected) - strlen(glob_mark), actual);
    return strcmp(expected, actual) == 0;
}

/* ---- reading a file ---- */

static block *add_block(golden_file *file, size_t number)
{
    file->blocks = grow(file->blocks, (file->count + 1) * sizeof *file->blocks);
    block *b = &file->blocks[file->count++];
    *b = (block){.before = file->after, .number = number, .command = copy_text("", 0)};
    file->after = (lines){0};
    return b;
}

static void add_command(block *b, const char *line)
{
    size_t old = strlen(b->command);
    const char *text = strlen(line) > 2 ? line + 2 : "";
    add_line(&b->source, line, strlen(line));
    b->command = grow(b->command, old + strlen(text) + 2);
    sprintf(b->command + old, "%s%s", old ? "\n" : "", text);
}

static void parse_line(golden_file *file, size_t number, const char *line, bool *in_block)
{
    block *last = file->count ? &file->blocks[file->count - 1] : NULL;
    if (starts_with(line, "$ ")) {
        add_command(add_block(file, number), line);
        *in_block = true;
    } else if (*in_block && starts_with(line, "> ") && !last->expect.count) {
        add_command(last, line);
    } else if (*in_block && is_status(line, &last->status)) {
        *in_block = false;
    } else if (*in_block && line[0] != '\0' && line[0] != '#') {
        add_line(&last->expect, line, strlen(line));
    } else if (line[0] == '\0' || line[0] == '#') {
        file->needs_shared |= strcmp(line, "#require shared") == 0;
        add_line(&file->after, line, strlen(line));
        *in_block = *in_block && line[0] == '#';
    } else {
        fprintf(stderr, "%s:%zu: error: output that belongs to no command\n", file->path, number);
        exit(2);
    }
}

static void parse_file(golden_file *file, const char *path)
{
    size_t length;
    lines all = {0};
    bool in_block = false;
    FILE *in = fopen(path, "r");
    if (!in)
        die("cannot read", path);
    char *text = read_all(in, &length);
    fclose(in);
    *file = (golden_file){.path = path};
    split_lines(&all, text, length);
    for (size_t i = 0; i < all.count; i++)
        parse_line(file, i + 1, all.line[i], &in_block);
    free_lines(&all);
    free(text);
}

static void free_file(golden_file *file)
{
    for (size_t i = 0; i < file->count; i++) {
        free_lines(&file->blocks[i].before);
        free_lines(&file->blocks[i].source);
        free_lines(&file->blocks[i].expect);
        free(file->blocks[i].command);
    }
    free(file->blocks);
    free_lines(&file->after);
}

/* ---- running a command ---- */

/* Puts a name where the text holds a directory of this machine. */
static char *name_directory(char *text, const char *variable, const char *name)
{
    const char *directory = getenv(variable);
    if (!directory || !directory[0] || strcmp(directory, "/") == 0)
        return text;
    size_t from = strlen(directory), to = strlen(name), used = 0;
    char *out = grow(NULL, 1), *at = text, *hit;
    while ((hit = strstr(at, directory)) != NULL) {
        out = grow(out, used + (size_t)(hit - at) + to + 1);
        memcpy(out + used, at, (size_t)(hit - at));
        used += (size_t)(hit - at);
        memcpy(out + used, name, to);
        used += to;
        at = hit + from;
    }
    out = grow(out, used + strlen(at) + 1);
    strcpy(out + used, at);
    free(text);
    return out;
}

/* INLAY_TEST_TIMEOUT is the limit of tests that are emulated, too. */
static void child(const char *command, const char *directory, int out)
{
    const char *limit = getenv("INLAY_TEST_TIMEOUT");

    setpgid(0, 0);
    if (chdir(directory) != 0 || !freopen("/dev/null", "r", stdin))
        _exit(126);
    dup2(out, 1);
    dup2(out, 2);
    alarm(limit ? (unsigned)strtoul(limit, NULL, 10) : COMMAND_SECONDS);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* A status as the shell reports it: 128 + N for a signal. */
static int exit_status(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run_command(const char *command, const char *directory, lines *output)
{
    FILE *out = tmpfile();
    int status;
    size_t length;
    if (!out)
        die("no temporary file", "golden");
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0)
        die("cannot start a process", command);
    if (pid == 0)
        child(command, directory, fileno(out));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    kill(-pid, SIGKILL); /* what it left behind */
    rewind(out);
    char *text = read_all(out, &length);
    fclose(out);
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] ? text[i] : '?';
    text = name_directory(text, "SHARED", "$SHARED");
    text = name_directory(text, "ROOT", "$ROOT");
    length = strlen(text);
    split_lines(output, text, length);
    if (length && text[length - 1] != '\n') {
        static const char mark[] = " (no-eol)";
        char **last = &output->line[output->count - 1];
        *last = grow(*last, strlen(*last) + sizeof mark);
        strcat(*last, mark);
    }
    free(text);
    return exit_status(status);
}

/* ---- comparing ---- */

/* table[i][j]: length of the longest common subsequence of the lines from i and from j on. */
static unsigned *common_table(const lines *expect, const lines *actual)
{
    size_t width = actual->count + 1;
    unsigned *table = grow(NULL, (expect->count + 1) * width * sizeof *table);
    memset(table, 0, (expect->count + 1) * width * sizeof *table);
    for (size_t i = expect->count; i-- > 0;) {
        for (size_t j = actual->count; j-- > 0;) {
            unsigned down = table[(i + 1) * width + j], right = table[i * width + j + 1];
            unsigned *here = &table[i * width + j];
            *here = down > right ? down : right;
            if (line_matches(expect->line[i], actual->line[j]))
                *here = table[(i + 1) * width + j + 1] + 1;
        }
    }
    return table;
}

typedef void (*diff_line)(char sign, const char *line, void *context);

static void align(const lines *expect, const lines *actual, diff_line emit, void *context)
{
    size_t i = 0, j = 0, width = actual->count + 1;
    bool small = expect->count <= DIFF_LINES && actual->count <= DIFF_LINES;
    unsigned *table = small ? common_table(expect, actual) : NULL;
    while (table && i < expect->count && j < actual->count) {
        if (line_matches(expect->line[i], actual->line[j])) {
            emit(' ', expect->line[i++], context);
            j++;
        } else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) {
            emit('-', expect->line[i++], context);
        } else {
            emit('+', actual->line[j++], context);
        }
    }
    while (i < expect->count)
        emit('-', expect->line[i++], context);
    while (j < actual->count)
        emit('+', actual->line[j++], context);
    free(table);
}

static bool same(const block *b, const lines *actual, int status)
{
    if (status != b->status || actual->count != b->expect.count)
        return false;
    for (size_t i = 0; i < actual->count; i++) {
        if (!line_matches(b->expect.line[i], actual->line[i]))
            return false;
    }
    return true;
}

static void print_diff(char sign, const char *line, void *context)
{
    (void)context;
    printf("#   %c%s\n", sign, line);
}

static void keep_new(char sign, const char *line, void *context)
{
    if (sign == '-')
        return;
    lines *out = context;
    size_t length = strlen(line);
    if (sign == ' ' || !needs_escape(line)) {
        add_line(out, line, length);
        return;
    }
    char *escaped = grow(NULL, length + 2);
    sprintf(escaped, "\\%s", line);
    add_line(out, escaped, length + 1);
    free(escaped);
}

/* Replaces the expectation, keeping the lines (patterns too) that still match. */
static void adopt(block *b, const lines *actual, int status)
{
    lines fresh = {0};
    align(&b->expect, actual, keep_new, &fresh);
    free_lines(&b->expect);
    b->expect = fresh;
    b->status = status;
}

static void report(const golden_file *file, const block *b, const lines *actual, int status)
{
    printf("not ok - %s:%zu: %s\n", file->path, b->number, b->source.line[0] + 2);
    if (status != b->status)
        printf("#   exit status %d, expected %d\n", status, b->status);
    align(&b->expect, actual, print_diff, NULL);
}

/* ---- a whole file ---- */

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info, (void)type, (void)where;
    return remove(path);
}

static void write_lines(FILE *out, const lines *list)
{
    for (size_t i = 0; i < list->count; i++)
        fprintf(out, "%s\n", list->line[i]);
}

static void write_file(const golden_file *file)
{
    FILE *out = fopen(file->path, "w");
    if (!out)
        die("cannot write", file->path);
    for (size_t i = 0; i < file->count; i++) {
        const block *b = &file->blocks[i];
        write_lines(out, &b->before);
        write_lines(out, &b->source);
        write_lines(out, &b->expect);
        if (b->status)
            fprintf(out, "[%d]\n", b->status);
    }
    write_lines(out, &file->after);
    if (fclose(out) != 0)
        die("cannot write", file->path);
}

static bool run_blocks(golden_file *file, const char *directory, bool rebase)
{
    bool good = true;
    for (size_t i = 0; i < file->count; i++) {
        block *b = &file->blocks[i];
        lines actual = {0};
        int status = run_command(b->command, directory, &actual);
        if (same(b, &actual, status)) {
            printf("ok - %s:%zu\n", file->path, b->number);
        } else {
            good = false;
            report(file, b, &actual, status);
            if (rebase)
                adopt(b, &actual, status);
        }
        free_lines(&actual);
    }
    return good;
}

/* Runs a file in a directory of its own; its status is false if a command did not do as it should.
 */
static bool run_file(const char *path, bool rebase)
{
    golden_file file;
    char directory[] = "/tmp/golden-XXXXXX";
    parse_file(&file, path);
    printf("1..%zu\n", file.count);
    const char *shared = getenv("SHARED");
    bool good = true, skipped = file.needs_shared && !(shared && shared[0]);
    for (size_t i = 0; skipped && i < file.count; i++)
        printf("ok - %s:%zu # SKIP needs INLAY_SHARED\n", path, file.blocks[i].number);
    if (!skipped) {
        if (!mkdtemp(directory))
            die("no temporary directory", path);
        good = run_blocks(&file, directory, rebase);
        nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        if (rebase && !good)
            write_file(&file);
    }
    free_file(&file);
    return good;
}

/* What commands see: the build directory first in PATH, ROOT, SHARED, and nothing of the terminal.
 */
static void set_environment(void)
{
    char root[PATH_SIZE], path[3 * PATH_SIZE];
    if (!getenv("ROOT") && getcwd(root, sizeof root))
        setenv("ROOT", root, 1);
    const char *build = getenv("BUILD"), *old = getenv("PATH"), *shared = getenv("INLAY_SHARED");
    snprintf(root, sizeof root, "%s/build", getenv("ROOT") ? getenv("ROOT") : ".");
    snprintf(path, sizeof path, "%s:%s", build ? build : root, old ? old : "/usr/bin:/bin");
    setenv("PATH", path, 1);
    setenv("SHARED", shared ? shared : "", 1);
    setenv("LC_ALL", "C", 1);
    unsetenv("NO_COLOR");
}

int main(int argc, char **argv)
{
    bool good = true, rebase = argc > 1 && strcmp(argv[1], "--rebase") == 0;
    if (argc < 2 + rebase) {
        fprintf(stderr, "usage: golden [--rebase] FILE.t ...\n");
        return 2;
    }
    set_environment();
    for (int i = 1 + rebase; i < argc; i++)
        good &= run_file(argv[i], rebase);
    return good || rebase ? 0 : 1;
}
