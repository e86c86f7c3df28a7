/* Files of weights beside a JSON document. A document may only name files below its own folder: the
 * name is no absolute path, has no "..", and no symbolic link leads out unless the user allows it.
 */
#include "parser/file.h"
#include "parser/json/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static void fail_named(json_reader *r, const json_at *at, const char *name, file_fault fault)
{
    switch (fault) {
    case FILE_MISSING:
        json_fail(r->doc, at, "cannot open \"%.200s\": %s", name, strerror(errno));
        break;
    case FILE_OUTSIDE:
        json_fail(r->doc, at,
                  "\"%.200s\" leads out of the document's folder; --follow-links allows it", name);
        break;
    case FILE_IRREGULAR:
        json_fail(r->doc, at, "\"%.200s\" is no regular file", name);
        break;
    default:
        break;
    }
}

static json_file *open_file(json_reader *r, const json_at *at, const char *name)
{
    json_file *f = malloc(sizeof(*f) + strlen(name) + 1);
    const char *document = r->doc->file != NULL ? r->doc->file : "";
    file_fault fault;

    if (f == NULL) {
        inlay_fail_memory(r->a.d);
        return NULL;
    }
    strcpy(f->name, name);
    fault = file_map_named(document, name, r->a.options.follow_links, &f->buffer, r->a.d);
    if (fault == FILE_FINE)
        return f;
    fail_named(r, at, name, fault);
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
