/* Checks a text before cJSON parses it, because cJSON has no positions, rounds numbers silently,
 * and accepts repeated keys, bad UTF-8, 01 and \u0000. The scan checks RFC 8259 (and I-JSON, RFC
 * 7493, for keys and characters) and builds only the list of positions. */
#include "parser/cjson/scan.h"
#include "ir/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An open list or object. */
typedef struct level {
    bool object;
    size_t count;     /* values so far */
    size_t first_key; /* the index in KEYS of an object's first key */
} level;

typedef struct scan {
    inlay_budget *budget;
    const char *p, *end;
    const char *file;
    unsigned line;
    inlay_diags *d;
    level levels[JSON_MAX_DEPTH];
    int depth;
    json_key *keys; /* of all open objects */
    size_t n_keys, cap_keys;
    json_place *places;
    size_t n_places, cap_places;
} scan;

/* Writes the path of the value that is being read, such as "nodes[3].name: ". */
static const char *path_text(const scan *s, char *buf, size_t size)
{
    inlay_strbuf b = {0};

    for (int i = 0; i < s->depth; i++) {
        const level *l = &s->levels[i];
        size_t end = i + 1 < s->depth ? s->levels[i + 1].first_key : s->n_keys;
        if (!l->object)
            inlay_strbuf_printf(&b, "[%zu]", l->count);
        else if (end > l->first_key)
            inlay_strbuf_printf(&b, "%s%.*s", b.n > 0 ? "." : "", (int)s->keys[end - 1].n,
                                s->keys[end - 1].text);
    }
    snprintf(buf, size, "%.*s%s", (int)size - 8, b.n > 0 ? b.bytes : "", b.n > 0 ? ": " : "");
    inlay_strbuf_free(&b);
    return buf;
}

static bool fail_at(const scan *s, unsigned line, const char *what)
{
    inlay_pos pos = {s->file, line};
    char path[JSON_PATH_SIZE];

    return inlay_fail(s->d, &pos, "%s%s", path_text(s, path, sizeof(path)), what);
}

static bool fail(const scan *s, const char *what)
{
    return fail_at(s, s->line, what);
}

/* Makes room for one more element of SIZE bytes in a growing array. */
static bool grow(const scan *s, void *array, size_t n, size_t *cap, size_t size)
{
    void **slot = array, *grown;
    size_t want = *cap == 0 ? 64 : *cap * 2;

    if (n < *cap)
        return true;
    if (want > SIZE_MAX / size || (grown = inlay_retake(s->budget, *slot, want * size)) == NULL)
        return false;
    *slot = grown;
    *cap = want;
    return true;
}

static void skip_blanks(scan *s)
{
    for (; s->p < s->end; s->p++) {
        if (*s->p == '\n')
            s->line++;
        else if (*s->p != ' ' && *s->p != '\t' && *s->p != '\r')
            return;
    }
}

/* Scans the digits of an escape after "\u". */
static bool scan_code(scan *s)
{
    int c = json_hex4(s->p, s->end);

    if (c < 0)
        return fail(s, "\\u needs four hexadecimal digits");
    s->p += 4;
    if (c == 0)
        return fail(s, "\\u0000 is not accepted: no name or text has a zero byte");
    if (c < 0xd800 || c > 0xdfff)
        return true;
    if (c < 0xdc00 && s->end - s->p >= 6 && s->p[0] == '\\' && s->p[1] == 'u') {
        s->p += 2;
        c = json_hex4(s->p, s->end);
        s->p += 4;
        if (c >= 0xdc00 && c <= 0xdfff)
            return true;
    }
    return fail(s, "half of a surrogate pair is alone");
}

static bool scan_escape(scan *s)
{
    if (s->p == s->end)
        return fail(s, "the text ends inside a string");
    char c = *s->p++;
    if (c == 'u')
        return scan_code(s);
    return (c != '\0' && strchr("\"\\/bfnrt", c) != NULL) ||
           fail(s, "an unknown escape in a string");
}

/* Scans a string after its opening quote; *OUT: the text between the quotes. */
static bool scan_string(scan *s, json_key *out)
{
    uint32_t code;

    *out = (json_key){s->p, 0, s->line};
    while (s->p < s->end && *s->p != '"') {
        unsigned char c = (unsigned char)*s->p;
        if (c == '\\') {
            s->p++;
            if (!scan_escape(s))
                return false;
            continue;
        }
        if (c < 0x20)
            return fail(s, "a control character in a string must be written as an escape");
        size_t n = inlay_utf8_decode(s->p, (size_t)(s->end - s->p), &code);
        if (n == 0)
            return fail(s, "the text is not valid UTF-8");
        s->p += n;
    }
    if (s->p == s->end)
        return fail(s, "the text ends inside a string");
    out->n = (size_t)(s->p - out->text);
    s->p++;
    return true;
}

static size_t count_digits(scan *s)
{
    const char *start = s->p;

    while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
        s->p++;
    return (size_t)(s->p - start);
}

/* Checks that the number from START to s->p, which is well-formed, fits a double. */
static bool check_number(scan *s, const char *start, bool integral)
{
    char text[JSON_MAX_NUMBER + 1];
    size_t n = (size_t)(s->p - start), digits = n - (*start == '-');

    if (n > JSON_MAX_NUMBER)
        return fail(s, "a number has more than 63 characters");
    memcpy(text, start, n);
    text[n] = '\0';
    if (integral && (digits > 16 || strtoll(text, NULL, 10) >= INT64_C(1) << 53 ||
                     strtoll(text, NULL, 10) <= -(INT64_C(1) << 53)))
        return fail(s, "an integer of 2^53 or more must be written as a string, or it would be "
                       "rounded");
    return true;
}

static bool scan_number(scan *s)
{
    const char *start = s->p;
    bool integral = true;

    if (*s->p == '-')
        s->p++;
    const char *first = s->p;
    size_t digits = count_digits(s);
    if (digits == 0)
        return fail(s, "a value is expected");
    if (digits > 1 && *first == '0')
        return fail(s, "a number must not begin with 0");
    if (s->p < s->end && *s->p == '.') {
        s->p++;
        integral = false;
        if (count_digits(s) == 0)
            return fail(s, "a number needs digits after its point");
    }
    if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
        s->p++;
        integral = false;
        if (s->p < s->end && (*s->p == '+' || *s->p == '-'))
            s->p++;
        if (count_digits(s) == 0)
            return fail(s, "a number needs digits in its exponent");
    }
    if (integral)
        s->places[s->n_places - 1] |= JSON_INTEGRAL;
    return check_number(s, start, integral);
}

static bool scan_word(scan *s, const char *word)
{
    size_t n = strlen(word);

    if ((size_t)(s->end - s->p) < n || memcmp(s->p, word, n) != 0)
        return fail(s, "a value is expected");
    s->p += n;
    return true;
}

/* Called at the end of an object: checks that no key occurs twice. */
static bool check_keys(scan *s)
{
    size_t first = s->levels[s->depth - 1].first_key;
    json_key *keys = s->keys + first;
    size_t n = s->n_keys - first;
    const json_key *twice = NULL;

    if (n > 1)
        qsort(keys, n, sizeof(*keys), json_compare_keys);
    for (size_t i = 1; i < n && twice == NULL; i++) {
        if (json_compare_keys(&keys[i - 1], &keys[i]) == 0)
            twice = keys[i].text > keys[i - 1].text ? &keys[i] : &keys[i - 1];
    }
    s->n_keys = first;
    if (twice == NULL)
        return true;
    char what[128];
    snprintf(what, sizeof(what), "the member \"%.*s\" is there twice",
             (int)(twice->n < 80 ? twice->n : 80), twice->text);
    return fail_at(s, twice->line, what);
}

/* Scans a key and its colon. */
static bool scan_key(scan *s)
{
    json_key k;

    skip_blanks(s);
    if (s->p == s->end || *s->p != '"')
        return fail(s, "a member's name in double quotes is expected");
    s->p++;
    if (!scan_string(s, &k))
        return false;
    if (!grow(s, &s->keys, s->n_keys, &s->cap_keys, sizeof(*s->keys)))
        return inlay_fail_memory(s->d);
    s->keys[s->n_keys++] = k;
    skip_blanks(s);
    if (s->p == s->end || *s->p != ':')
        return fail(s, "':' is expected");
    s->p++;
    return true;
}

static bool open_level(scan *s, bool object)
{
    if (s->depth == JSON_MAX_DEPTH) {
        inlay_pos pos = {s->file, s->line}; /* the path does not fit, so it is left out */
        return inlay_fail(s->d, &pos, "lists and objects are nested more than %d deep",
                          JSON_MAX_DEPTH);
    }
    s->levels[s->depth++] = (level){object, 0, s->n_keys};
    s->p++;
    return true;
}

/* Scans the next value. *OPENED: the value is a list or object that is not empty, and its first
 * value comes next. */
static bool scan_value(scan *s, bool *opened)
{
    json_key ignored;

    *opened = false;
    skip_blanks(s);
    if (s->p == s->end)
        return fail(s, "the text ends where a value is expected");
    if (!grow(s, &s->places, s->n_places, &s->cap_places, sizeof(*s->places)))
        return inlay_fail_memory(s->d);
    s->places[s->n_places++] = s->line < JSON_INTEGRAL ? s->line : 0;
    switch (*s->p) {
    case '{':
    case '[': {
        bool object = *s->p == '{';
        if (!open_level(s, object))
            return false;
        skip_blanks(s);
        if (s->p < s->end && *s->p == (object ? '}' : ']')) {
            s->p++;
            s->depth--;
            return true;
        }
        *opened = true;
        return !object || scan_key(s);
    }
    case '"':
        s->p++;
        return scan_string(s, &ignored);
    case 't':
        return scan_word(s, "true");
    case 'f':
        return scan_word(s, "false");
    case 'n':
        return scan_word(s, "null");
    default:
        return scan_number(s);
    }
}

/* Called after each value: closes the levels that end there, up to the comma before the next value.
 */
static bool after_value(scan *s)
{
    while (s->depth > 0) {
        level *l = &s->levels[s->depth - 1];
        skip_blanks(s);
        if (s->p == s->end)
            return fail(s, l->object ? "the text ends inside an object"
                                     : "the text ends inside a list");
        if (*s->p == ',') {
            s->p++;
            l->count++;
            return !l->object || scan_key(s);
        }
        if (*s->p != (l->object ? '}' : ']'))
            return fail(s, l->object ? "',' or '}' is expected" : "',' or ']' is expected");
        if (l->object && !check_keys(s))
            return false;
        s->p++;
        s->depth--;
    }
    return true;
}

static bool scan_text(scan *s)
{
    bool opened = false;

    if (s->end - s->p >= 3 && memcmp(s->p, "\xef\xbb\xbf", 3) == 0)
        s->p += 3; /* a byte order mark has no meaning in UTF-8 */
    do {
        if (!scan_value(s, &opened) || (!opened && !after_value(s)))
            return false;
    } while (s->depth > 0);
    skip_blanks(s);
    return s->p == s->end || fail(s, "there is something after the end of the JSON text");
}

bool json_scan(inlay_budget *budget, const char *bytes, size_t n, const char *file,
               json_place **places, size_t *n_places, inlay_diags *d)
{
    scan *s = inlay_take(budget, 1, sizeof(*s));
    bool ok;

    *places = NULL;
    if (s == NULL)
        return inlay_fail_memory(d);
    s->budget = budget;
    s->p = bytes;
    s->end = bytes + n;
    s->file = file;
    s->line = 1;
    s->d = d;
    ok = scan_text(s);
    inlay_give(s->keys);
    *n_places = s->n_places;
    if (ok)
        *places = s->places;
    else
        inlay_give(s->places);
    inlay_give(s);
    return ok;
}
