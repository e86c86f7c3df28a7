/* Weights beside a JSON document. A document may only name files below its own folder: no absolute
 * path, no "..", no symbolic link that leads out. */
#include "parser/json.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct json_file {
    json_file *next;
    inlay_buffer *buffer;
    char name[];
};

static bool has_parent_step(const char *name)
{
    for (const char *p = name; *p != '\0';) {
        size_t n = strcspn(p, "/");
        if (n == 2 && p[0] == '.' && p[1] == '.')
            return true;
        p += n + (p[n] == '/');
    }
    return false;
}

/* PATH lies below FOLDER, both without links. */
static bool lies_below(const char *path, const char *folder)
{
    size_t n = strlen(folder);

    if (n == 1) /* the root */
        return true;
    return strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* The path of NAME without links, malloc'd. */
static char *resolve(json_reader *r, const json_at *at, const char *name)
{
    const char *document = r->doc->file != NULL ? r->doc->file : "";
    char *beside = file_beside(document, name), *folder_path = file_beside(document, ".");
    char *path = NULL, *folder = NULL;
    struct stat st;

    if (beside == NULL || folder_path == NULL) {
        inlay_fail_memory(r->d);
    } else if ((folder = realpath(folder_path, NULL)) == NULL ||
               (path = realpath(beside, NULL)) == NULL) {
        if (errno == ENOMEM)
            inlay_fail_memory(r->d);
        else
            json_fail(r->doc, at, "cannot open \"%.200s\": %s", name, strerror(errno));
    } else if (!lies_below(path, folder)) {
        json_fail(r->doc, at, "\"%.200s\" leads out of the document's folder", name);
        free(path);
        path = NULL;
    } else if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
        json_fail(r->doc, at, "\"%.200s\" is no regular file", name);
        free(path);
        path = NULL;
    }
    free(beside);
    free(folder_path);
    free(folder);
    return path;
}

static json_file *open_file(json_reader *r, const json_at *at, const char *name)
{
    json_file *f = malloc(sizeof(*f) + strlen(name) + 1);
    char *path;

    if (f == NULL) {
        inlay_fail_memory(r->d);
        return NULL;
    }
    strcpy(f->name, name);
    path = resolve(r, at, name);
    f->buffer = path != NULL ? file_map(path, 0, r->d) : NULL;
    free(path);
    if (f->buffer != NULL)
        return f;
    free(f);
    return NULL;
}

inlay_buffer *json_open_file(json_reader *r, const json_at *at, const char *name)
{
    json_file *f = r->files;

    while (f != NULL && strcmp(f->name, name) != 0)
        f = f->next;
    if (f != NULL)
        return f->buffer;
    if (*name == '\0' || *name == '/' || has_parent_step(name)) {
        json_fail(r->doc, at, "\"%.200s\" is not the name of a file below the document's folder",
                  name);
        return NULL;
    }
    f = open_file(r, at, name);
    if (f == NULL)
        return NULL;
    f->next = r->files;
    r->files = f;
    return f->buffer;
}

void json_close_files(json_file *files)
{
    while (files != NULL) {
        json_file *next = files->next;
        inlay_buffer_release(files->buffer);
        free(files);
        files = next;
    }
}
