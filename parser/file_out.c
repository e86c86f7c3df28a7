/* Writing so that a file appears complete or not at all. See file_out.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include "parser/file_out.h"
#include "ir/shared.h"
#include "parser/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { OUT_BUFFER = 1 << 16, TEMP_TRIES = 100, LOCK_TRIES = 2000 /* milliseconds */ };

static size_t temp_size(const file_out *o)
{
    return strlen(o->path) + 40;
}

/* Gives the file an unused temporary name beside its target: NAMED creates the file under that
 * name, or links it there. False, with errno set, on failure. */
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

/* Opens a file without a name, which the system removes if the program is killed. */
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

/* Links the nameless file to NAME, which must not exist. */
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

/* Opens a nameless file, which gets its name through /proc; without /proc, a file with a temporary
 * name. */
static bool open_temp(file_out *o, inlay_diags *d)
{
    o->temp = calloc(1, temp_size(o));
    if (!o->temp)
        return inlay_fail_memory(d);
    if (!(access("/proc/self/fd", X_OK) == 0 && open_nameless(o)) && !take_temp(o, make_named))
        return file_fail(d, o->path, "cannot write");
    if (o->mode)
        fchmod(o->fd, o->mode); /* where the system refuses it, the file is written all the same */
    return true;
}

/* Makes the target of a link the path to replace, instead of the link. */
static void follow_link(file_out *o)
{
    struct stat st;
    char *target = lstat(o->path, &st) == 0 && S_ISLNK(st.st_mode) ? realpath(o->path, NULL) : NULL;

    if (target) {
        free(o->path);
        o->path = target;
    }
}

/* A file may be replaced by whoever may write in its folder; but one that is protected against
 * writing shall stay, also against root, who may do anything. The new file gets its mode. */
static bool may_replace(file_out *o, const struct stat *st)
{
    o->mode = st->st_mode & 07777;
    errno = EACCES;
    return (st->st_mode & 0222) != 0 && access(o->path, W_OK) == 0;
}

bool file_out_open(file_out *o, const char *path, inlay_diags *d)
{
    bool standard = strcmp(path, "-") == 0, exists;
    struct stat st;

    *o = (file_out){.fd = -1};
    if (standard)
        path = "<stdout>";
    o->path = strdup(path);
    o->buf = malloc(OUT_BUFFER);
    if (!o->path || !o->buf)
        return inlay_fail_memory(d);
    exists = !standard && stat(path, &st) == 0;
    if (standard)
        o->fd = dup(STDOUT_FILENO);
    else if (!exists || S_ISREG(st.st_mode)) {
        follow_link(o);
        if (exists && !may_replace(o, &st))
            return file_fail(d, path, "cannot write");
        return open_temp(o, d);
    } else /* a device or a pipe is written to, not replaced */
        o->fd = open(path, O_WRONLY | O_CLOEXEC);
    return o->fd >= 0 || file_fail(d, path, "cannot write");
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
    if (!o->nameless) { /* a nameless file stays open until it has its name */
        if (o->fd >= 0 && close(o->fd) != 0 && !o->error)
            o->error = errno;
        o->fd = -1;
    }
    errno = o->error;
    return !o->error ||
           file_fail(d, strcmp(o->path, "-") == 0 ? "<stdout>" : o->path, "cannot write");
}

bool file_out_wait(file_out *o, inlay_diags *d)
{
    if (!o->nameless)
        return true;
    if (!take_temp(o, link_temp))
        return file_fail(d, o->path, "cannot write");
    close(o->fd);
    o->fd = -1;
    o->nameless = false;
    return true;
}

/* Moves the file to its path. A link cannot replace an existing file, a rename can. */
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

/* Locks the folder of O, so that another program that writes files of the same names does so before
 * or after us, and the two sets are not mixed. If the lock cannot be had, we go on without: a
 * mixture is detected by what the model records of its weights. */
static int lock_folder(const file_out *o)
{
    char *folder = has_no_place(o) ? file_beside(o->path, ".") : NULL;
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    free(folder);
    for (int i = 0; fd >= 0 && i < LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            break;
        nanosleep(&(struct timespec){0, 1000 * 1000}, NULL);
    }
    return fd;
}

bool file_out_commit(file_out *const *files, size_t n, inlay_diags *d)
{
    int lock = n > 1 ? lock_folder(files[n - 1]) : -1;
    bool ok = true;
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (size_t i = 0; ok && i < n; i++) {
        if (has_no_place(files[i]) && !put_in_place(files[i]))
            ok = file_fail(d, files[i]->path, "cannot write");
    }
    for (size_t i = 0; !ok && i < n; i++) {
        if (files[i]->fresh)
            unlink(files[i]->path);
    }
    if (lock >= 0)
        close(lock);
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
