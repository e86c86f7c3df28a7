/* The header of a .npy file: magic, version, length, and a Python dictionary with exactly the keys
 * descr, fortran_order and shape (numpy.lib.format, "Format Version 1.0" to "3.0"). The parser
 * accepts only such dictionaries, not Python in general. */
#include "parser/npy/npy.h"

#include <string.h>

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* How element types are spelled, without the letter for the byte order. Some spellings are those of
 * ml_dtypes, which stores bfloat16 as void of two bytes and calls float8_e5m2 "<f1". Its other
 * 8-bit floats share "V1", which does not say which type is meant, so that only their full names
 * are read and written. */
static const struct {
    const char *text;
    inlay_type type;
    bool plain; /* written without a byte order */
} descrs[] = {
    {"b1", INLAY_BOOLEAN, false},
    {"?", INLAY_BOOLEAN, false},
    {"i1", INLAY_I8, false},
    {"i2", INLAY_I16, false},
    {"i4", INLAY_I32, false},
    {"i8", INLAY_I64, false},
    {"u1", INLAY_U8, false},
    {"u2", INLAY_U16, false},
    {"u4", INLAY_U32, false},
    {"u8", INLAY_U64, false},
    {"f2", INLAY_F16, false},
    {"f4", INLAY_F32, false},
    {"f8", INLAY_F64, false},
    {"c8", INLAY_C64, false},
    {"c16", INLAY_C128, false},
    {"V2", INLAY_BF16, false},
    {"bfloat16", INLAY_BF16, true},
    {"float8_e4m3fn", INLAY_F8E4M3, true},
    {"float8_e5m2", INLAY_F8E5M2, true},
    {"float8_e4m3fnuz", INLAY_F8E4M3FNUZ, true},
    {"float8_e5m2fnuz", INLAY_F8E5M2FNUZ, true},
    {"f1", INLAY_F8E5M2, false},
    {"float8_e8m0fnu", INLAY_F8E8M0, true},
};

enum { N_DESCRS = sizeof(descrs) / sizeof(descrs[0]) };

typedef struct reader {
    const char *p, *end;
    inlay_pos pos;
    inlay_diags *d;
} reader;

const char *npy_descr(inlay_type type)
{
    static const char *const written[INLAY_N_TYPES] = {
        [INLAY_BOOLEAN] = "|b1",
        [INLAY_I8] = "|i1",
        [INLAY_I16] = "<i2",
        [INLAY_I32] = "<i4",
        [INLAY_I64] = "<i8",
        [INLAY_U8] = "|u1",
        [INLAY_U16] = "<u2",
        [INLAY_U32] = "<u4",
        [INLAY_U64] = "<u8",
        [INLAY_F16] = "<f2",
        [INLAY_F32] = "<f4",
        [INLAY_F64] = "<f8",
        [INLAY_C64] = "<c8",
        [INLAY_C128] = "<c16",
        [INLAY_BF16] = "<V2",
        [INLAY_F8E4M3] = "float8_e4m3fn",
        [INLAY_F8E5M2] = "float8_e5m2",
        [INLAY_F8E4M3FNUZ] = "float8_e4m3fnuz",
        [INLAY_F8E5M2FNUZ] = "float8_e5m2fnuz",
        [INLAY_F8E8M0] = "float8_e8m0fnu",
    };
    return (unsigned)type < INLAY_N_TYPES ? written[type] : NULL;
}

static void skip_blanks(reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n'))
        r->p++;
}

/* Skips blanks and then the character C. False: another one follows. */
static bool take(reader *r, char c)
{
    skip_blanks(r);
    if (r->p == r->end || *r->p != c)
        return false;
    r->p++;
    return true;
}

static bool missing(reader *r, char c)
{
    return inlay_fail(r->d, &r->pos, "the .npy header is malformed: '%c' is missing", c);
}

static bool expect(reader *r, char c)
{
    return take(r, c) || missing(r, c);
}

/* Reads a Python string that has no escapes and at most SIZE - 1 bytes. */
static bool read_string(reader *r, char *out, size_t size, const char *what)
{
    char quote;
    size_t n = 0;

    skip_blanks(r);
    if (r->p == r->end || (*r->p != '\'' && *r->p != '"'))
        return inlay_fail(r->d, &r->pos, "the .npy header is malformed: %s is no string", what);
    quote = *r->p++;
    while (r->p < r->end && *r->p != quote && *r->p != '\\' && n + 1 < size)
        out[n++] = *r->p++;
    out[n] = '\0';
    if (r->p == r->end || *r->p != quote)
        return inlay_fail(r->d, &r->pos, "the .npy header is malformed: %s is not understood",
                          what);
    r->p++;
    return true;
}

/* Reads the spelling of text, "U5" or "S3". False: TEXT is no such spelling. *BAD: its width is
 * wrong, which the caller reports. */
static bool text_descr(const char *text, npy_header *h, bool *bad)
{
    size_t n = 0;

    if (*text != 'U' && *text != 'S')
        return false;
    h->type = INLAY_STRING;
    h->utf32 = *text == 'U';
    for (text++; *text >= '0' && *text <= '9' && n < 1u << 28; text++)
        n = n * 10 + (size_t)(*text - '0');
    *bad = *text != '\0' || n == 0;
    h->item = h->utf32 ? 4 * n : n;
    return true;
}

static const char *why_refused(const char *text)
{
    switch (*text) {
    case 'O':
        return "Python objects are refused";
    case 'M':
    case 'm':
        return "dates and times are not supported";
    case 'V':
        return "raw bytes do not say which element type they hold";
    default:
        return "there is no such element type";
    }
}

static bool read_descr(reader *r, npy_header *h)
{
    static const int one = 1;
    bool little = *(const char *)&one == 1, bad = false;
    char text[32];
    const char *kind = text;

    skip_blanks(r);
    if (r->p < r->end && *r->p == '[')
        return inlay_fail(r->d, &r->pos, "structured elements are not supported");
    if (!read_string(r, text, sizeof(text), "'descr'"))
        return false;
    if (*kind != '\0' && strchr("<>|=", *kind) != NULL) {
        h->swapped = (*kind == '<' && !little) || (*kind == '>' && little);
        kind++;
    }
    if (text_descr(kind, h, &bad) && !bad)
        return true;
    for (int i = 0; i < N_DESCRS && !bad; i++) {
        if (strcmp(kind, descrs[i].text) == 0 && (!descrs[i].plain || kind == text)) {
            h->type = descrs[i].type;
            h->item = (size_t)inlay_type_info_of(h->type)->bits / 8;
            return true;
        }
    }
    return inlay_fail(r->d, &r->pos, "element type '%s': %s", text, why_refused(kind));
}

static bool read_fortran(reader *r, npy_header *h)
{
    skip_blanks(r);
    for (int value = 0; value < 2; value++) {
        const char *word = value ? "True" : "False";
        size_t n = strlen(word);
        if ((size_t)(r->end - r->p) >= n && memcmp(r->p, word, n) == 0) {
            r->p += n;
            h->fortran = value;
            return true;
        }
    }
    return inlay_fail(r->d, &r->pos,
                      "the .npy header is malformed: 'fortran_order' is neither True nor False");
}

static bool read_dim(reader *r, int64_t *dim)
{
    int64_t n = 0;
    const char *start = r->p;

    for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++) {
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *r->p - '0', &n))
            return inlay_fail(r->d, &r->pos, "a dimension does not fit into 64 bits");
    }
    if (r->p == start)
        return inlay_fail(r->d, &r->pos,
                          "the .npy header is malformed: a dimension is no whole number");
    if (r->p < r->end && *r->p == 'L') /* Python 2 wrote long integers like this */
        r->p++;
    *dim = n;
    return true;
}

static bool read_shape(reader *r, npy_header *h)
{
    bool comma = true;

    if (!expect(r, '('))
        return false;
    while (!take(r, ')')) {
        if (!comma)
            return missing(r, ',');
        if (h->rank == INLAY_MAX_RANK)
            return inlay_fail(r->d, &r->pos, "more than %d dimensions", INLAY_MAX_RANK);
        if (!read_dim(r, &h->dims[h->rank++]))
            return false;
        comma = take(r, ',');
    }
    return h->rank != 1 || comma || missing(r, ','); /* "(3)" is a number */
}

static bool read_dictionary(reader *r, npy_header *h)
{
    static const struct {
        const char *key;
        bool (*read)(reader *r, npy_header *h);
    } keys[] = {{"descr", read_descr}, {"fortran_order", read_fortran}, {"shape", read_shape}};
    unsigned seen = 0;
    char key[32];
    bool comma = true;

    if (!expect(r, '{'))
        return false;
    while (!take(r, '}')) {
        size_t k = 0;
        if (!comma)
            return missing(r, ',');
        if (!read_string(r, key, sizeof(key), "a key") || !expect(r, ':'))
            return false;
        while (k < 3 && strcmp(keys[k].key, key) != 0)
            k++;
        if (k == 3)
            return inlay_fail(r->d, &r->pos, "the .npy header has an unknown key '%s'", key);
        if (seen & 1u << k)
            return inlay_fail(r->d, &r->pos, "the .npy header says '%s' twice", key);
        seen |= 1u << k;
        if (!keys[k].read(r, h))
            return false;
        comma = take(r, ',');
    }
    for (size_t k = 0; k < 3; k++) {
        if (!(seen & 1u << k))
            return inlay_fail(r->d, &r->pos, "the .npy header does not say '%s'", keys[k].key);
    }
    skip_blanks(r);
    if (r->p != r->end)
        return inlay_fail(r->d, &r->pos, "the .npy header has something after its dictionary");
    return true;
}

bool npy_read_header(const unsigned char *bytes, size_t n, const char *name, npy_header *h,
                     inlay_diags *d)
{
    reader r = {.pos = {name, 0}, .d = d};
    size_t length, at;

    memset(h, 0, sizeof(*h));
    if (n < 10 || memcmp(bytes, magic, sizeof(magic)) != 0)
        return inlay_fail(d, &r.pos, "not a .npy file: the magic bytes are missing");
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return inlay_fail(d, &r.pos, ".npy version %d.%d is not supported, 1.0 to 3.0 are",
                          bytes[6], bytes[7]);
    at = bytes[6] == 1 ? 10 : 12;
    length = (size_t)bytes[8] | (size_t)bytes[9] << 8;
    if (at == 12 && n >= 12)
        length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (n < at || n - at < length)
        return inlay_fail(d, &r.pos, "the file ends inside its .npy header");
    r.p = (const char *)bytes + at;
    r.end = r.p + length;
    h->start = at + length;
    return read_dictionary(&r, h);
}
