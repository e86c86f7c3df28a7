/* Files: mapping what is read, and writing so that a file appears complete or not at all. Several
 * together: files.c. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include "ir/shared.h"
#include "parser/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of a file that a model names. No model has more, and a sparse file costs nothing to make.
 */
static const uint64_t MAX_NAMED = UINT64_C(1) << 40;

static bool fail_file(inlay_diags *d, const char *path, const char *what)
{
    inlay_pos pos = {path, 0};

    return inlay_fail_resource(d, &pos, "%s: %s", what, strerror(errno));
}

/* reading */

static void unmap(void *ctx, void *data, size_t size)
{
    (void)ctx;
    munmap(data, size);
}

static inlay_buffer *map_regular(int fd, uint64_t size, const char *path, inlay_diags *d)
{
    inlay_buffer *b;
    void *p;

    if (size == 0 || size > SIZE_MAX) {
        b = size == 0 ? inlay_buffer_new(0) : NULL;
        if (!b)
            inlay_fail_memory(d);
        return b;
    }
    p = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED) {
        fail_file(d, path, "cannot map the file");
        return NULL;
    }
    b = inlay_buffer_wrap(p, (size_t)size, unmap, NULL);
    if (!b) {
        munmap(p, (size_t)size);
        inlay_fail_memory(d);
    } else {
        inlay_buffer_set_access(b, INLAY_ACCESS_NONE);
    }
    return b;
}

static void free_bytes(void *ctx, void *data, size_t size)
{
    (void)ctx, (void)size;
    free(data);
}

/* A pipe has no size: read until it ends or there is too much. */
static bool read_all(int fd, uint64_t max, inlay_strbuf *bytes, const char *path, inlay_diags *d)
{
    char chunk[1 << 14];

    for (;;) {
        ssize_t got = read(fd, chunk, sizeof chunk);

        if (got == 0)
            return true;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_file(d, path, "cannot read");
        if (max && (uint64_t)got > max - bytes->n)
            return inlay_fail_resource(d, &(inlay_pos){path, 0},
                                       "the file has more bytes than the %llu that are read",
                                       (unsigned long long)max);
        inlay_strbuf_add(bytes, chunk, (size_t)got);
        if (bytes->failed)
            return inlay_fail_memory(d);
    }
}

static inlay_buffer *read_stream(int fd, uint64_t max, const char *path, inlay_diags *d)
{
    inlay_strbuf bytes = {0};
    inlay_buffer *b = NULL;

    if (read_all(fd, max, &bytes, path, d)) {
        b = bytes.n == 0 ? inlay_buffer_new(0)
                         : inlay_buffer_wrap(bytes.bytes, bytes.n, free_bytes, NULL);
        if (!b)
            inlay_fail_memory(d);
    }
    if (!b || bytes.n == 0)
        inlay_strbuf_free(&bytes);
    else
        inlay_buffer_set_access(b, INLAY_ACCESS_OWN);
    return b;
}

/* A regular file of SIZE bytes, if that is not more than MAX. */
static inlay_buffer *map_within(int fd, uint64_t size, uint64_t max, const char *path,
                                inlay_diags *d)
{
    if (!max || size <= max)
        return map_regular(fd, size, path, d);
    inlay_fail_resource(d, &(inlay_pos){path, 0}, "the file has %llu bytes, at most %llu are read",
                        (unsigned long long)size, (unsigned long long)max);
    return NULL;
}

/* The smaller of two limits, of which 0 is none. */
static uint64_t smaller_limit(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a;
}

/* *HELD: whether the bytes had to be read into memory. */
static inlay_buffer *map_open(int fd, uint64_t max, uint64_t max_held, bool *held, const char *path,
                              inlay_diags *d)
{
    struct stat st;
    bool known = fstat(fd, &st) == 0;

    *held = false;
    if (known && S_ISDIR(st.st_mode)) {
        inlay_fail(d, &(inlay_pos){path, 0}, "cannot read: %s", strerror(EISDIR));
        return NULL;
    }
    if (known && S_ISREG(st.st_mode))
        return map_within(fd, (uint64_t)st.st_size, max, path, d);
    *held = true;
    return read_stream(fd, smaller_limit(max, max_held), path, d);
}

inlay_buffer *file_map(const char *path, uint64_t max, uint64_t max_held, uint64_t *held,
                       inlay_diags *d)
{
    inlay_buffer *b;
    bool standard = strcmp(path, "-") == 0, read = true;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        inlay_fail(d, &(inlay_pos){path, 0}, "cannot open: %s", strerror(errno));
        return NULL;
    }
    if (standard)
        b = read_stream(fd, smaller_limit(max, max_held), "<stdin>", d);
    else
        b = map_open(fd, max, max_held, &read, path, d);
    if (!standard)
        close(fd);
    if (held)
        *held = b && read ? inlay_buffer_size(b) : 0;
    return b;
}

/* PATH is FOLDER or lies below it, both without links. */
static bool lies_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);

    if (n == 1) /* the root */
        return true;
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* *PATH is where FILE is, a file beside MODEL, without links, malloc'd. */
static file_fault find_named(const char *model, const char *file, bool follow_links, char **path,
                             inlay_diags *d)
{
    char *here = file_beside(model, "."), *folder = here ? realpath(here, NULL) : NULL;
    file_fault fault = FILE_FINE;

    *path = folder ? realpath(file, NULL) : NULL;
    if (!*path && (!here || errno == ENOMEM)) {
        inlay_fail_memory(d);
        fault = FILE_FAILED;
    } else if (!*path) {
        fault = FILE_MISSING;
    } else if (!follow_links && !lies_below(*path, folder)) {
        fault = FILE_OUTSIDE;
    }
    free(folder);
    free(here);
    return fault;
}

/* What is no regular file is not even opened, since that may wait or have an effect; the file that
 * was opened is asked once more. NAME is for messages. */
static file_fault map_named(const char *path, const char *name, inlay_buffer **bytes,
                            inlay_diags *d)
{
    struct stat st;
    int fd;
    file_fault fault = FILE_IRREGULAR;

    if (stat(path, &st) != 0)
        return FILE_MISSING;
    if (!S_ISREG(st.st_mode))
        return FILE_IRREGULAR;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return FILE_MISSING;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        *bytes = map_within(fd, (uint64_t)st.st_size, MAX_NAMED, name, d);
        fault = *bytes ? FILE_FINE : FILE_FAILED;
    }
    close(fd);
    return fault;
}

file_fault file_map_named(const char *model, const char *name, bool follow_links,
                          inlay_buffer **bytes, inlay_diags *d)
{
    char *file = file_beside(model, name), *path = NULL;
    file_fault fault = FILE_FAILED;
    int error;

    *bytes = NULL;
    if (file)
        fault = find_named(model, file, follow_links, &path, d);
    else
        inlay_fail_memory(d);
    if (fault == FILE_FINE)
        fault = map_named(path, file, bytes, d);
    error = errno;
    free(path);
    free(file);
    errno = error;
    return fault;
}

void file_say_over(const inlay_arena *arena, const char *name, const inlay_read_options *o,
                   inlay_diags *d)
{
    if (arena && inlay_arena_over(arena))
        inlay_fail_resource(d, &(inlay_pos){name, 0},
                            "reading it takes more than the memory limit of %llu bytes",
                            (unsigned long long)o->max_memory);
}

/* paths */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static char *join(const char *a, size_t n, const char *b)
{
    size_t m = strlen(b);
    char *s = malloc(n + m + 1);

    if (s) {
        memcpy(s, a, n);
        memcpy(s + n, b, m + 1);
    }
    return s;
}

char *file_beside(const char *path, const char *name)
{
    return join(path, (size_t)(base_name(path) - path), name);
}

char *file_with_ending(const char *path, const char *ending)
{
    const char *dot = strrchr(base_name(path), '.');
    char *s = join(path, dot ? (size_t)(dot - path) : strlen(path), ".");
    char *t = s ? join(s, strlen(s), ending) : NULL;

    free(s);
    return t;
}

/* writing */

enum { OUT_BUFFER = 1 << 16, TEMP_TRIES = 100 };

static size_t temp_size(const file_out *o)
{
    return strlen(o->path) + 40;
}

/* Gives the file a name beside its target that nobody has; NAMED makes it under that name, or links
 * it there. False with errno. */
static bool take_temp(file_out *o, bool (*named)(file_out *o))
{
    for (int i = 0; i < TEMP_TRIES; i++) {
        snprintf(o->temp, temp_size(o), "%s.%ld-%d.tmp", o->path, (long)getpid(), i);
        if (named(o))
            return true;
        if (errno != EEXIST)
            break;
    }
    *o->temp = '\0';
    return false;
}

static bool make_named(file_out *o)
{
    o->fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return o->fd >= 0;
}

/* A file without a name goes by itself when the program is killed. */
static bool open_nameless(file_out *o)
{
#ifdef O_TMPFILE
    char *folder = file_beside(o->path, ".");

    o->fd = folder ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    free(folder);
#endif
    o->nameless = o->fd >= 0;
    return o->nameless;
}

/* Links the nameless file to NAME, which must not be there. */
static bool link_file(const file_out *o, const char *name)
{
    char self[40];

    snprintf(self, sizeof self, "/proc/self/fd/%d", o->fd);
    return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool link_temp(file_out *o)
{
    return link_file(o, o->temp);
}

/* Without /proc a nameless file could never get its name. */
static bool open_temp(file_out *o, inlay_diags *d)
{
    o->temp = calloc(1, temp_size(o));
    if (!o->temp)
        return inlay_fail_memory(d);
    if (access("/proc/self/fd", X_OK) == 0 && open_nameless(o))
        return true;
    return take_temp(o, make_named) || fail_file(d, o->path, "cannot write");
}

/* The file that a link leads to is replaced, not the link. */
static void follow_link(file_out *o)
{
    struct stat st;
    char *target = lstat(o->path, &st) == 0 && S_ISLNK(st.st_mode) ? realpath(o->path, NULL) : NULL;

    if (target) {
        free(o->path);
        o->path = target;
    }
}

bool file_out_open(file_out *o, const char *path, inlay_diags *d)
{
    bool standard = strcmp(path, "-") == 0;
    struct stat st;

    *o = (file_out){.fd = -1};
    if (standard)
        path = "<stdout>";
    o->path = join(path, strlen(path), "");
    o->buf = malloc(OUT_BUFFER);
    if (!o->path || !o->buf)
        return inlay_fail_memory(d);
    if (standard)
        o->fd = dup(STDOUT_FILENO);
    else if (stat(path, &st) != 0 || S_ISREG(st.st_mode)) {
        follow_link(o);
        return open_temp(o, d);
    } else /* a device or a pipe is written to, never replaced */
        o->fd = open(path, O_WRONLY | O_CLOEXEC);
    return o->fd >= 0 || fail_file(d, path, "cannot write");
}

static bool write_out(file_out *o, const char *bytes, size_t n)
{
    while (n > 0 && !o->error) {
        ssize_t put = write(o->fd, bytes, n);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0) {
            o->error = errno;
            break;
        }
        bytes += put;
        n -= (size_t)put;
    }
    return !o->error;
}

static bool flush(file_out *o)
{
    size_t n = o->n;

    o->n = 0;
    return write_out(o, o->buf, n);
}

bool file_out_write(void *ctx, const char *bytes, size_t n)
{
    file_out *o = ctx;

    if (n > OUT_BUFFER - o->n && !flush(o))
        return false;
    if (n >= OUT_BUFFER)
        return write_out(o, bytes, n);
    memcpy(o->buf + o->n, bytes, n);
    o->n += n;
    return !o->error;
}

bool file_out_finish(file_out *o, inlay_diags *d)
{
    flush(o);
    if (!o->nameless) { /* that one stays open until it has its name */
        if (o->fd >= 0 && close(o->fd) != 0 && !o->error)
            o->error = errno;
        o->fd = -1;
    }
    errno = o->error;
    return !o->error ||
           fail_file(d, strcmp(o->path, "-") == 0 ? "<stdout>" : o->path, "cannot write");
}

bool file_out_wait(file_out *o, inlay_diags *d)
{
    if (!o->nameless)
        return true;
    if (!take_temp(o, link_temp))
        return fail_file(d, o->path, "cannot write");
    close(o->fd);
    o->fd = -1;
    o->nameless = false;
    return true;
}

/* A link takes no name that is taken: over a file that is there goes a rename. */
static bool put_in_place(file_out *o)
{
    if (o->nameless && link_file(o, o->path)) {
        o->fresh = true;
        return true;
    }
    if (o->nameless && (errno != EEXIST || !take_temp(o, link_temp)))
        return false;
    o->fresh = access(o->path, F_OK) != 0;
    if (rename(o->temp, o->path) != 0) {
        o->fresh = false;
        return false;
    }
    *o->temp = '\0';
    return true;
}

static bool has_no_place(const file_out *o)
{
    return o->temp && (*o->temp || o->nameless);
}

bool file_out_commit(file_out *const *files, size_t n, inlay_diags *d)
{
    bool ok = true;
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (size_t i = 0; ok && i < n; i++) {
        if (has_no_place(files[i]) && !put_in_place(files[i]))
            ok = fail_file(d, files[i]->path, "cannot write");
    }
    for (size_t i = 0; !ok && i < n; i++) {
        if (files[i]->fresh)
            unlink(files[i]->path);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

void file_out_close(file_out *o)
{
    if (o->fd >= 0 && o->path)
        close(o->fd);
    if (o->temp && *o->temp)
        unlink(o->temp);
    free(o->temp);
    free(o->path);
    free(o->buf);
    *o = (file_out){.fd = -1};
}
