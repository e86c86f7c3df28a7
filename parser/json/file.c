/* Opens weights files beside a JSON document. A document may only name files below its own folder:
 * the name is not an absolute path, has no "..", and follows no symbolic link out of it unless the
 * user allows that. */
#include "parser/file.h"
#include "ir/shared.h"
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

bool json_read_recorded(json_scope *s, const json_at *at)
{
    enum { FILE_NAME, SIZE, CHECKSUM, N };
    static json_names names = {"file", "size", "checksum", NULL};
    const cJSON *m[N];
    json_recorded *rec = inlay_arena_array(s->r->a.scratch, 1, sizeof *rec);
    const char *sum;
    int64_t size;

    if (rec == NULL)
        return inlay_fail_memory(s->r->a.d);
    if (!json_members(s->r->doc, at, names, m) ||
        (rec->file = json_text(s->r->doc, at, m[FILE_NAME], names[FILE_NAME])) == NULL ||
        !json_required(s->r->doc, at, m[SIZE], names[SIZE]) ||
        (sum = json_text(s->r->doc, at, m[CHECKSUM], names[CHECKSUM])) == NULL)
        return false;
    json_at size_at = json_member(at, m[SIZE], names[SIZE]),
            sum_at = json_member(at, m[CHECKSUM], names[CHECKSUM]);
    if (!json_int(s->r->doc, &size_at, &size))
        return false;
    if (size < 0)
        return json_fail(s->r->doc, &size_at, "a size must not be negative");
    if (!checksum_parse(sum, &rec->what.value))
        return json_fail(s->r->doc, &sum_at, "16 digits of 0-9a-f are expected");
    rec->what.size = (uint64_t)size;
    rec->next = s->r->recorded;
    s->r->recorded = rec;
    return true;
}

/* Checks that the file is the one that the document was written with, if the document records that.
 */
static bool is_recorded(json_reader *r, const json_at *at, const json_file *f)
{
    char why[80];

    for (const json_recorded *rec = r->recorded; rec != NULL; rec = rec->next) {
        if (strcmp(rec->file, f->name) == 0 &&
            !checksum_matches(&rec->what, f->buffer, why, sizeof why))
            return json_fail(r->doc, at, "\"%.200s\" is not the weights file of this model: %s",
                             f->name, why);
    }
    return true;
}

static json_file *open_file(json_reader *r, const json_at *at, const char *name)
{
    json_file *f = malloc(sizeof(*f) + strlen(name) + 1);
    const char *document = r->doc->file != NULL ? r->doc->file : "";
    const file_memory m = {r->a.options.max_memory, r->a.options.never_map};
    file_fault fault;
    uint64_t held;

    if (f == NULL) {
        inlay_fail_memory(r->a.d);
        return NULL;
    }
    strcpy(f->name, name);
    fault = file_map_named(document, name, r->a.options.follow_links, m, &f->buffer, &held, r->a.d);
    if (fault == FILE_FINE && assemble_hold(&r->a, held) && is_recorded(r, at, f))
        return f;
    fail_named(r, at, name, fault);
    if (fault == FILE_FINE)
        inlay_buffer_release(f->buffer);
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
