/* Archives of .npy members (numpy.savez): a ZIP file, read through its central directory. Layout
 * and names of fields: PKWARE APPNOTE 6.3.10, sections 4.3 and 4.5.3. Members are stored or
 * deflated; sizes may be in zip64 fields. The archive is untrusted: every range is checked against
 * the file before it is read, and a size against the limit of deflate before anything is allocated.
 */
#include "ir/shared.h"
#include "parser/file.h"
#include "parser/npy/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LOCAL_SIZE = 30,
    CENTRAL_SIZE = 46,
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR64_SIZE = 20,
    MAX_COMMENT = 65535,
    MAX_MEMBERS = 10000,
    MAX_DEFLATE_RATIO = 1032 /* the best that deflate can do: 258 bytes for two bits */
};

#define LOCAL_SIGNATURE UINT32_C(0x04034b50)
#define CENTRAL_SIGNATURE UINT32_C(0x02014b50)
#define END_SIGNATURE UINT32_C(0x06054b50)
#define END64_SIGNATURE UINT32_C(0x06064b50)
#define LOCATOR64_SIGNATURE UINT32_C(0x07064b50)

typedef struct member {
    char *name; /* without ".npy" */
    unsigned flags, method;
    uint32_t crc;
    uint64_t packed, size; /* bytes in the archive, and unpacked */
    uint64_t local;        /* the offset of its local header */
} member;

struct inlay_npz {
    char *path;
    inlay_buffer *file;
    const unsigned char *bytes;
    uint64_t n;
    inlay_budget *budget; /* where the archive counts; or NULL */
    member *members;
    size_t n_members;
};

/* The position of the central directory. */
typedef struct directory {
    uint64_t start, size, entries;
} directory;

static uint64_t load(const unsigned char *b, int bytes)
{
    uint64_t x = 0;

    while (bytes-- > 0)
        x = x << 8 | b[bytes];
    return x;
}

static bool bad(const inlay_npz *z, inlay_diags *d, const char *what)
{
    inlay_pos pos = {z->path, 0};
    return inlay_fail(d, &pos, "the archive is damaged: %s", what);
}

/* Whether SIZE bytes at AT are within the file. */
static bool inside(const inlay_npz *z, uint64_t at, uint64_t size)
{
    return at <= z->n && size <= z->n - at;
}

/* Reads the zip64 end record before END, when there is one, into DIR. */
static bool find_directory64(const inlay_npz *z, uint64_t end, directory *dir, inlay_diags *d)
{
    uint64_t at;

    if (end < LOCATOR64_SIZE || load(z->bytes + end - LOCATOR64_SIZE, 4) != LOCATOR64_SIGNATURE)
        return true;
    at = load(z->bytes + end - LOCATOR64_SIZE + 8, 8);
    if (!inside(z, at, END64_SIZE) || load(z->bytes + at, 4) != END64_SIGNATURE)
        return bad(z, d, "the zip64 end record is not where it should be");
    dir->entries = load(z->bytes + at + 32, 8);
    dir->size = load(z->bytes + at + 40, 8);
    dir->start = load(z->bytes + at + 48, 8);
    return true;
}

static bool find_directory(const inlay_npz *z, directory *dir, inlay_diags *d)
{
    inlay_pos pos = {z->path, 0};
    uint64_t lowest = z->n > END_SIZE + MAX_COMMENT ? z->n - END_SIZE - MAX_COMMENT : 0;

    for (uint64_t at = z->n >= END_SIZE ? z->n - END_SIZE + 1 : 0; at-- > lowest;) {
        const unsigned char *b = z->bytes + at;
        if (load(b, 4) != END_SIGNATURE || load(b + 20, 2) != z->n - at - END_SIZE)
            continue;
        dir->entries = load(b + 10, 2);
        dir->size = load(b + 12, 4);
        dir->start = load(b + 16, 4);
        if (!find_directory64(z, at, dir, d))
            return false;
        if (!inside(z, dir->start, dir->size) || dir->start + dir->size > at)
            return bad(z, d, "the central directory is outside the file");
        if (dir->entries > dir->size / CENTRAL_SIZE)
            return bad(z, d, "the central directory is too small for its members");
        return true;
    }
    return inlay_fail(d, &pos, "not a .npz file: it has no ZIP directory");
}

/* Reads the sizes that did not fit into 32 bits from the zip64 extra field, which has them in this
 * order. */
static bool read_zip64(member *m, const unsigned char *extra, size_t n)
{
    uint64_t *fields[] = {&m->size, &m->packed, &m->local};

    while (n >= 4) {
        size_t size = (size_t)load(extra + 2, 2), used = 0;
        if (size > n - 4)
            return false;
        for (int i = 0; load(extra, 2) == 1 && i < 3; i++) {
            if (*fields[i] != UINT32_MAX)
                continue;
            if (size - used < 8)
                return false;
            *fields[i] = load(extra + 4 + used, 8);
            used += 8;
        }
        extra += 4 + size;
        n -= 4 + size;
    }
    return true;
}

static bool known_name(const inlay_npz *z, const char *name)
{
    for (size_t i = 0; i < z->n_members; i++) {
        if (strcmp(z->members[i].name, name) == 0)
            return true;
    }
    return false;
}

/* Reads the entry at *AT and advances *AT. A member that is no .npy is skipped. */
static bool read_entry(inlay_npz *z, uint64_t *at, uint64_t end, inlay_diags *d)
{
    const unsigned char *b = z->bytes + *at;
    member m = {0};
    size_t name, extra, comment;

    if (end - *at < CENTRAL_SIZE || load(b, 4) != CENTRAL_SIGNATURE)
        return bad(z, d, "a member's directory entry is malformed");
    name = (size_t)load(b + 28, 2);
    extra = (size_t)load(b + 30, 2);
    comment = (size_t)load(b + 32, 2);
    if (end - *at - CENTRAL_SIZE < name + extra + comment)
        return bad(z, d, "a member's directory entry is cut short");
    *at += CENTRAL_SIZE + name + extra + comment;
    if (name < 5 || memcmp(b + CENTRAL_SIZE + name - 4, ".npy", 4) != 0)
        return true;
    m.flags = (unsigned)load(b + 8, 2);
    m.method = (unsigned)load(b + 10, 2);
    m.crc = (uint32_t)load(b + 16, 4);
    m.packed = load(b + 20, 4);
    m.size = load(b + 24, 4);
    m.local = load(b + 42, 4);
    if (!read_zip64(&m, b + CENTRAL_SIZE + name, extra))
        return bad(z, d, "a member's extra field is malformed");
    if (memchr(b + CENTRAL_SIZE, '\0', name) != NULL)
        return bad(z, d, "a member's name has a zero byte");
    m.name = strndup((const char *)b + CENTRAL_SIZE, name - 4);
    if (m.name == NULL)
        return inlay_fail_memory(d);
    if (known_name(z, m.name)) {
        free(m.name);
        return bad(z, d, "two members have the same name");
    }
    z->members[z->n_members++] = m;
    return true;
}

static bool read_directory(inlay_npz *z, inlay_diags *d)
{
    directory dir = {0};
    uint64_t at;
    char what[100];

    if (!find_directory(z, &dir, d))
        return false;
    if (dir.entries > MAX_MEMBERS) {
        snprintf(what, sizeof(what), "it has %llu members, at most %d are read",
                 (unsigned long long)dir.entries, MAX_MEMBERS);
        return bad(z, d, what);
    }
    z->members = inlay_take(z->budget, (size_t)dir.entries + 1, sizeof(member));
    if (z->members == NULL)
        return inlay_fail_memory(d);
    at = dir.start;
    for (uint64_t i = 0; i < dir.entries; i++) {
        if (!read_entry(z, &at, dir.start + dir.size, d))
            return false;
    }
    return true;
}

inlay_npz *inlay_npz_open(const char *path, inlay_budget *budget, inlay_diags *d)
{
    if (inlay_is_missing(path, "path", d))
        return NULL;

    inlay_npz *z = inlay_take(budget, 1, sizeof(*z));

    if (z == NULL || (z->path = strdup(path)) == NULL) {
        inlay_npz_close(z);
        inlay_fail_memory(d);
        return NULL;
    }
    z->budget = budget;
    z->file = file_map(path, 0, (file_memory){.budget = budget}, d);
    if (z->file != NULL) {
        z->bytes = inlay_buffer_data(z->file);
        z->n = inlay_buffer_size(z->file);
    }
    if (z->file == NULL || !read_directory(z, d)) {
        inlay_npz_close(z);
        return NULL;
    }
    return z;
}

void inlay_npz_close(inlay_npz *z)
{
    if (z == NULL)
        return;
    for (size_t i = 0; i < z->n_members; i++)
        free(z->members[i].name);
    inlay_give(z->members);
    inlay_buffer_release(z->file);
    free(z->path);
    inlay_give(z);
}

size_t inlay_npz_count(const inlay_npz *z)
{
    return z != NULL ? z->n_members : 0;
}

const char *inlay_npz_name(const inlay_npz *z, size_t i)
{
    return z != NULL && i < z->n_members ? z->members[i].name : NULL;
}

/* Unpacks raw deflate data into exactly SIZE bytes. Returns Z_OK, Z_MEM_ERROR, or another status
 * when the data are damaged. */
static int inflate_all(const unsigned char *from, uint64_t n, unsigned char *to, size_t size)
{
    enum { STEP = 1 << 30 }; /* zlib counts in 32 bits */
    z_stream s = {0};
    uint64_t taken = 0;
    size_t made = 0;
    int status = inflateInit2(&s, -MAX_WBITS);

    if (status != Z_OK)
        return status;
    while (status == Z_OK) {
        uInt in = (uInt)(n - taken < STEP ? n - taken : STEP);
        uInt out = (uInt)(size - made < STEP ? size - made : STEP);
        s.next_in = (Bytef *)(uintptr_t)(from + taken);
        s.avail_in = in;
        s.next_out = to + made;
        s.avail_out = out;
        status = inflate(&s, Z_NO_FLUSH); /* Z_BUF_ERROR if there is no progress */
        taken += in - s.avail_in;
        made += out - s.avail_out;
    }
    inflateEnd(&s);
    if (status == Z_STREAM_END)
        return made == size ? Z_OK : Z_DATA_ERROR;
    return status;
}

static uint32_t crc_of(const unsigned char *bytes, uint64_t n)
{
    uLong crc = crc32(0, NULL, 0);

    while (n > 0) {
        uInt step = (uInt)(n < 1u << 30 ? n : 1u << 30);
        crc = crc32(crc, bytes, step);
        bytes += step;
        n -= step;
    }
    return (uint32_t)crc;
}

/* Returns the packed bytes of M, or NULL after an error. */
static const unsigned char *packed_bytes(const inlay_npz *z, const member *m, const inlay_pos *pos,
                                         inlay_diags *d)
{
    uint64_t at = m->local;
    const char *why = NULL;

    if (m->flags & 1)
        why = "the member is encrypted";
    else if (m->method != 0 && m->method != 8)
        why = "the member is compressed in a way that is not supported (stored and deflated are)";
    else if (!inside(z, at, LOCAL_SIZE) || load(z->bytes + at, 4) != LOCAL_SIGNATURE)
        why = "the archive is damaged: the member is not where the directory says";
    if (why == NULL) {
        at += LOCAL_SIZE + load(z->bytes + at + 26, 2) + load(z->bytes + at + 28, 2);
        if (!inside(z, at, m->packed))
            why = "the archive is damaged: the member reaches beyond the file";
        else if (m->method == 0 ? m->size != m->packed : m->size / MAX_DEFLATE_RATIO > m->packed)
            why = "the archive is damaged: the member's size cannot be right";
    }
    if (why == NULL)
        return z->bytes + at;
    inlay_fail(d, pos, "%s", why);
    return NULL;
}

/* Unpacks M, whose bytes in the archive are at PACKED. The result is taken from BUDGET. */
static unsigned char *unpack(const member *m, const unsigned char *packed, inlay_budget *budget,
                             const inlay_pos *pos, inlay_diags *d)
{
    uint64_t limit = inlay_budget_limit(budget);
    unsigned char *bytes;
    int status;

    if (m->size > inlay_budget_left(budget)) {
        inlay_fail_resource(d, pos,
                            "unpacking it takes %llu byte%s; that is over the memory limit of %llu "
                            "byte%s",
                            (unsigned long long)m->size, inlay_plural(m->size, "", "s"),
                            (unsigned long long)limit, inlay_plural((int64_t)limit, "", "s"));
        return NULL;
    }
    bytes = inlay_take_raw(budget, m->size + 1);
    status = bytes != NULL ? inflate_all(packed, m->packed, bytes, m->size) : Z_MEM_ERROR;
    if (status == Z_OK)
        return bytes;
    inlay_give(bytes);
    if (status == Z_MEM_ERROR)
        inlay_fail_memory(d);
    else
        inlay_fail(d, pos, "the archive is damaged: the member cannot be unpacked");
    return NULL;
}

static inlay_tensor *read_member(const inlay_npz *z, const member *m, const char *name,
                                 inlay_budget *budget, inlay_diags *d)
{
    inlay_pos pos = {name, 0};
    const unsigned char *bytes = packed_bytes(z, m, &pos, d);
    unsigned char *unpacked = NULL;
    inlay_tensor *t = NULL;

    if (bytes != NULL && m->method == 8)
        bytes = unpacked = unpack(m, bytes, budget, &pos, d);
    if (bytes != NULL && crc_of(bytes, m->size) != m->crc)
        inlay_fail(d, &pos, "the archive is damaged: the member's checksum does not agree");
    else if (bytes != NULL)
        t = npy_read(name, bytes, m->size, budget, d);
    inlay_give(unpacked);
    return t;
}

inlay_tensor *inlay_npz_read(const inlay_npz *z, size_t i, inlay_budget *budget, inlay_diags *d)
{
    if (inlay_is_missing(z, "archive", d))
        return NULL;
    if (i >= z->n_members) {
        inlay_fail(d, NULL, "%s has no member %zu, it has %zu", z->path, i, z->n_members);
        return NULL;
    }

    inlay_strbuf name = {0};
    inlay_tensor *t = NULL;

    inlay_strbuf_printf(&name, "%s(%s.npy)", z->path, z->members[i].name);
    if (name.failed)
        inlay_fail_memory(d);
    else
        t = read_member(z, &z->members[i], name.bytes, budget, d);
    inlay_strbuf_free(&name);
    return t;
}
