/* Opening and mapping files that are read, and paths beside other paths. */
#include "parser/file.h"
#include "ir/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The maximum size of a file that a model refers to. No model has more, but a sparse file, which
 * costs nothing to make, may. */
static const uint64_t MAX_NAMED = UINT64_C(1) << 40;

enum {
    MAP_FROM = 1 << 26, /* bytes: larger files are mapped, and others may not change them */
    MUCH = 8,           /* smaller ones too where they take more than one in so many of a limit */
    CHUNK = 1 << 24     /* bytes of one read */
};

bool file_fail(inlay_diags *d, const char *path, const char *what)
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

static inlay_buffer *map_regular(inlay_budget *budget, int fd, uint64_t size, const char *path,
                                 inlay_diags *d)
{
    inlay_buffer *b;
    void *p;

    if (size == 0 || size > SIZE_MAX) {
        b = size == 0 ? inlay_buffer_in(budget, 0) : NULL;
        if (!b)
            inlay_fail_memory(d);
        return b;
    }
    p = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED) {
        file_fail(d, path, "cannot map the file");
        return NULL;
    }
    b = inlay_buffer_wrap_in(budget, p, (size_t)size, unmap, NULL);
    if (!b) {
        munmap(p, (size_t)size);
        inlay_fail_memory(d);
    } else {
        inlay_buffer_set_access(b, INLAY_ACCESS_NONE);
        inlay_buffer_set_mapped(b);
    }
    return b;
}

static void free_bytes(void *ctx, void *data, size_t size)
{
    (void)ctx, (void)size;
    inlay_give(data);
}

/* Makes room for N more bytes, but for no more than MAX and them in all: a buffer that doubles
 * would take twice what may be held. */
static bool make_room(inlay_strbuf *b, size_t n, uint64_t max)
{
    size_t cap = 2 * b->cap + n;
    char *grown;

    if (b->cap - b->n > n)
        return true;
    if (max && cap > max)
        cap = (size_t)max > b->n + n ? (size_t)max + 1 : b->n + n + 1;
    grown = inlay_retake(b->budget, b->bytes, cap);
    if (!grown)
        return false;
    b->bytes = grown;
    b->cap = cap;
    return true;
}

/* Returns the smaller of two limits, of which 0 means none. */
static uint64_t smaller_limit(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a;
}

/* The bytes that may still be read, with what a buffer of them costs beside; 0: no limit. */
static uint64_t most_of(file_memory m)
{
    enum { BESIDE = 512 };
    uint64_t left = inlay_budget_left(m.budget);

    return left == UINT64_MAX ? 0 : left > BESIDE ? left - BESIDE : 1;
}

/* Reads until the end, or until there is more than MAX: the size of a pipe is not known before. */
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
            return file_fail(d, path, "cannot read");
        if (max && (uint64_t)got > max - bytes->n)
            return inlay_fail_resource(d, &(inlay_pos){path, 0},
                                       "the file has more bytes than the %llu that are read",
                                       (unsigned long long)max);
        if (!make_room(bytes, (size_t)got, max))
            return inlay_fail_memory(d);
        memcpy(bytes->bytes + bytes->n, chunk, (size_t)got);
        bytes->n += (size_t)got;
    }
}

static inlay_buffer *read_stream(int fd, uint64_t max, file_memory m, const char *path,
                                 inlay_diags *d)
{
    inlay_strbuf bytes = {.budget = m.budget};
    inlay_buffer *b = NULL;

    if (read_all(fd, smaller_limit(max, most_of(m)), &bytes, path, d)) {
        b = bytes.n == 0 ? inlay_buffer_in(m.budget, 0)
                         : inlay_buffer_wrap_in(m.budget, bytes.bytes, bytes.n, free_bytes, NULL);
        if (!b)
            inlay_fail_memory(d);
    }
    if (!b || bytes.n == 0)
        inlay_give(bytes.bytes);
    else
        inlay_buffer_set_access(b, INLAY_ACCESS_OWN);
    return b;
}

/* Reads SIZE bytes: a file that has fewer by then was changed meanwhile. */
static bool read_exactly(int fd, char *to, uint64_t size, const char *path, inlay_diags *d)
{
    for (uint64_t at = 0; at < size;) {
        ssize_t got = read(fd, to + at, size - at < CHUNK ? (size_t)(size - at) : CHUNK);

        if (got == 0)
            return inlay_fail_resource(d, &(inlay_pos){path, 0},
                                       "the file became shorter while it was read");
        if (got < 0 && errno != EINTR)
            return file_fail(d, path, "cannot read");
        at += got > 0 ? (uint64_t)got : 0;
    }
    return true;
}

static inlay_buffer *read_regular(inlay_budget *budget, int fd, uint64_t size, const char *path,
                                  inlay_diags *d)
{
    inlay_buffer *b = size <= SIZE_MAX ? inlay_buffer_raw_in(budget, (size_t)size) : NULL;

    if (!b) {
        inlay_fail_memory(d);
    } else if (!read_exactly(fd, inlay_buffer_data(b), size, path, d)) {
        inlay_buffer_release(b);
        b = NULL;
    }
    return b;
}

static bool is_too_large(uint64_t size, uint64_t max, const char *path, inlay_diags *d)
{
    if (!max || size <= max)
        return false;
    inlay_fail_resource(d, &(inlay_pos){path, 0}, "the file has %llu byte%s, at most %llu are read",
                        (unsigned long long)size, inlay_plural(size, "", "s"),
                        (unsigned long long)max);
    return true;
}

/* Reads or maps a regular file of SIZE bytes, unless SIZE is more than MAX. */
static inlay_buffer *take_regular(int fd, uint64_t size, uint64_t max, file_memory m,
                                  const char *path, inlay_diags *d)
{
    uint64_t most = most_of(m);
    bool read = m.never_map || (size < MAP_FROM && (!most || size <= most / MUCH));

    if (is_too_large(size, m.never_map ? smaller_limit(max, most) : max, path, d))
        return NULL;
    return read ? read_regular(m.budget, fd, size, path, d)
                : map_regular(m.budget, fd, size, path, d);
}

/* Takes the open file, or reads it if it has no size. */
static inlay_buffer *take_open(int fd, uint64_t max, file_memory m, const char *path,
                               inlay_diags *d)
{
    struct stat st;
    bool known = fstat(fd, &st) == 0;

    if (known && S_ISDIR(st.st_mode)) {
        inlay_fail(d, &(inlay_pos){path, 0}, "cannot read: %s", strerror(EISDIR));
        return NULL;
    }
    if (known && S_ISREG(st.st_mode))
        return take_regular(fd, (uint64_t)st.st_size, max, m, path, d);
    return read_stream(fd, max, m, path, d);
}

inlay_buffer *file_map(const char *path, uint64_t max, file_memory m, inlay_diags *d)
{
    inlay_buffer *b;
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        inlay_fail(d, &(inlay_pos){path, 0}, "cannot open: %s", strerror(errno));
        return NULL;
    }
    if (standard) {
        b = read_stream(fd, max, m, "<stdin>", d);
    } else {
        b = take_open(fd, max, m, path, d);
        close(fd);
    }
    return b;
}

/* True when PATH is FOLDER or lies below FOLDER. Both are paths without links. */
static bool lies_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);

    if (n == 1) /* the root directory */
        return true;
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

/* Finds FILE, whose name is relative to the folder of MODEL. *PATH: its path with links resolved,
 * malloc'd. */
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

/* Only a regular file is opened, since opening another one may wait or have an effect. The file may
 * change between the check and the opening, so the open file is checked again. NAME is for
 * messages. */
static file_fault map_named(const char *path, const char *name, file_memory m, inlay_buffer **bytes,
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
        *bytes = take_regular(fd, (uint64_t)st.st_size, MAX_NAMED, m, name, d);
        fault = *bytes ? FILE_FINE : FILE_FAILED;
    }
    close(fd);
    return fault;
}

file_fault file_map_named(const char *model, const char *name, bool follow_links, file_memory m,
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
        fault = map_named(path, file, m, bytes, d);
    error = errno;
    free(path);
    free(file);
    errno = error;
    return fault;
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
