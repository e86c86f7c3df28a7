/* Opens weights files beside a JSON document. A document may only name files below its own folder:
 * the name is not an absolute path, has no "..", and follows no symbolic link out of it unless the
 * user allows that. */
#include "parser/file.h"
#include "ir/shared.h"
#include "parser/json/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
static bool is_recorded(json_reader *r, const json_at *at, const char *name,
                        const inlay_buffer *bytes)
{
    char why[80];

    for (const json_recorded *rec = r->recorded; rec != NULL; rec = rec->next) {
        if (strcmp(rec->file, name) == 0 && !checksum_matches(&rec->what, bytes, why, sizeof why))
            return json_fail(r->doc, at, "\"%.200s\" is not the weights file of this model: %s",
                             name, why);
    }
    return true;
}

static inlay_buffer *open_file(json_reader *r, const json_at *at, const char *name)
{
    const char *document = r->doc->file != NULL ? r->doc->file : "";
    const file_memory m = {r->a.options.budget, r->a.options.never_map};
    inlay_buffer *bytes;
    file_fault fault = file_map_named(document, name, r->a.options.follow_links, m, &bytes, r->a.d);

    if (fault == FILE_FINE && is_recorded(r, at, name, bytes))
        return bytes;
    fail_named(r, at, name, fault);
    inlay_buffer_release(bytes);
    return NULL;
}

inlay_buffer *json_open_file(json_reader *r, const json_at *at, const char *name)
{
    inlay_buffer *bytes = parser_names_find(&r->files, name);

    if (bytes != NULL)
        return bytes;
    if (*name == '\0' || *name == '/' || has_parent_step(name)) {
        json_fail(r->doc, at, "\"%.200s\" is not the name of a file below the document's folder",
                  name);
        return NULL;
    }
    bytes = open_file(r, at, name);
    r->files.budget = r->a.options.budget;
    if (bytes == NULL || parser_names_add(&r->files, name, bytes))
        return bytes;
    inlay_buffer_release(bytes);
    inlay_fail_memory(r->a.d);
    return NULL;
}

void json_close_files(json_reader *r)
{
    for (size_t i = 0; i < r->files.n; i++)
        inlay_buffer_release(r->files.list[i].what);
    parser_names_free(&r->files);
}
