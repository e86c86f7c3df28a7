/* The place of the module. See place.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, memmem */
#endif
#include "interp/library/place.h"
#include "interp/library/module.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Sets OWN to the path of the file that holds this code: of a program that contains the library,
 * the system knows it better than the name that it was called by. */
static bool find_own(char own[PATH_MAX])
{
    static const char here;
    Dl_info found;

    if (!dladdr(&here, &found) || !found.dli_fname)
        return false;
    return realpath(*found.dli_fname == '/' ? found.dli_fname : "/proc/self/exe", own) != NULL;
}

static bool is_trusted(const struct stat *file, const struct stat *own)
{
    bool known = file->st_uid == 0 || file->st_uid == geteuid() || file->st_uid == own->st_uid;

    return S_ISREG(file->st_mode) && known && (file->st_mode & S_IWOTH) == 0;
}

/* Is the file FD, of SIZE bytes, a module of this version? */
static bool is_marked(int fd, size_t size)
{
    void *bytes = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    bool marked = bytes != MAP_FAILED && memmem(bytes, size, MODULE_MARK, sizeof MODULE_MARK - 1);

    if (bytes != MAP_FAILED)
        munmap(bytes, size);
    return marked;
}

void *module_open(const char *name, char *why, size_t room)
{
    char own[PATH_MAX], path[PATH_MAX + 64];
    struct stat library, file;
    void *module = NULL;
    int fd;

    if (!find_own(own) || stat(own, &library) != 0)
        return NULL;
    *strrchr(own, '/') = '\0';
    snprintf(path, sizeof path, "%s/%s", own, name);
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &file) != 0) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    if (!is_trusted(&file, &library))
        snprintf(why, room, "%s may be another user's", name);
    else if (!is_marked(fd, (size_t)file.st_size))
        snprintf(why, room, "libinlay-onednn.so belongs to another version of the library");
    else if (!(module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)))
        snprintf(why, room, "%s cannot be opened", name);
    close(fd);
    return module;
}
