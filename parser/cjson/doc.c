/* Parses a document, looks up its members, and reports errors with their position. */
#include "parser/cjson/doc.h"
#include "ir/shared.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The memory that a value takes besides cJSON's structure: its entry in the list of positions, and
 * malloc's overhead for both. */
enum { VALUE_COST = 24 };

/* cJSON keeps the position of its last error in a global variable, so only one thread at a time may
 * parse. It also handles only decimal points of one byte, so the thread switches to the C locale
 * meanwhile. */
static pthread_mutex_t cjson_lock = PTHREAD_MUTEX_INITIALIZER;

static cJSON *parse_locked(const char *bytes, size_t n)
{
    void *host = inlay_locale_enter();
    const char *end;
    cJSON *root;

    pthread_mutex_lock(&cjson_lock);
    root = cJSON_ParseWithLengthOpts(bytes, n, &end, 0);
    pthread_mutex_unlock(&cjson_lock);
    inlay_locale_leave(host);
    return root;
}

/* Numbers all items in the order of the document, which is that of the list of positions. */
static bool number_items(json_doc *doc)
{
    cJSON *up[JSON_MAX_DEPTH], *item = doc->root;
    int depth = 0, next = 0;

    while (item != NULL) {
        item->valueint = next++;
        if (cJSON_IsNumber(item) && isinf(item->valuedouble)) {
            inlay_pos pos = {doc->file, json_line(doc, item)};
            return inlay_fail(doc->d, &pos, "a number is too large for a double");
        }
        if (item->child != NULL) {
            up[depth++] = item;
            item = item->child;
            continue;
        }
        while (item->next == NULL && depth > 0)
            item = up[--depth];
        item = item->next;
    }
    return true;
}

bool json_parse(json_doc *doc, const char *bytes, size_t n)
{
    inlay_pos pos = {doc->file, 0};

    if (n > INT32_MAX) /* items are numbered by an int */
        return inlay_fail_resource(doc->d, &pos,
                                   "the JSON text has %zu byte%s, at most %d are read", n,
                                   inlay_plural(n, "", "s"), INT32_MAX);
    if (!json_scan(doc->budget, bytes, n, doc->file, &doc->places, &doc->n_places, doc->d))
        return false;
    doc->charged = n + doc->n_places * (sizeof(cJSON) + VALUE_COST);
    if (!inlay_budget_charge(doc->budget, doc->charged)) {
        doc->charged = 0;
        return inlay_fail_memory(doc->d);
    }
    doc->root = parse_locked(bytes, n);
    if (doc->root == NULL) /* the scan has accepted the text, so no other reason is left */
        return inlay_fail_memory(doc->d);
    return number_items(doc);
}

void json_free(json_doc *doc)
{
    cJSON_Delete(doc->root);
    inlay_budget_discharge(doc->budget, doc->charged);
    doc->charged = 0;
    inlay_give(doc->places);
    doc->root = NULL;
    doc->places = NULL;
}

unsigned json_line(const json_doc *doc, const cJSON *item)
{
    return doc->places[item->valueint] & ~JSON_INTEGRAL;
}

bool json_is_integral(const json_doc *doc, const cJSON *item)
{
    return (doc->places[item->valueint] & JSON_INTEGRAL) != 0;
}

static void path_text(const json_at *at, inlay_strbuf *b)
{
    const json_at *steps[JSON_MAX_DEPTH + 8];
    int n = 0;

    for (; at != NULL && at->up != NULL && n < (int)(sizeof(steps) / sizeof(steps[0])); at = at->up)
        steps[n++] = at;
    while (n-- > 0) {
        if (steps[n]->key != NULL)
            inlay_strbuf_printf(b, "%s%s", b->n > 0 ? "." : "", steps[n]->key);
        else
            inlay_strbuf_printf(b, "[%d]", steps[n]->index);
    }
    if (b->n > 0)
        inlay_strbuf_puts(b, ": ");
}

bool json_fail(const json_doc *doc, const json_at *at, const char *fmt, ...)
{
    inlay_pos pos = {doc->file, json_line(doc, at->item)};
    inlay_strbuf path = {0};
    va_list args, again;
    char *text;
    int n;

    va_start(args, fmt);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, fmt, args);
    text = n < 0 ? NULL : inlay_take_raw(doc->budget, (size_t)n + 1);
    if (text != NULL)
        vsnprintf(text, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(args);
    path_text(at, &path);
    if (text == NULL || path.failed)
        inlay_fail_memory(doc->d);
    else
        inlay_fail(doc->d, &pos, "%s%s", path.n > 0 ? path.bytes : "", text);
    inlay_give(text);
    inlay_strbuf_free(&path);
    return false;
}

/* What ITEM, which is no string, is called in messages. */
static const char *json_kind(const cJSON *item)
{
    if (cJSON_IsNumber(item))
        return "a number";
    if (cJSON_IsArray(item))
        return "a list";
    if (cJSON_IsObject(item))
        return "an object";
    return cJSON_IsNull(item) ? "null" : cJSON_IsTrue(item) ? "true" : "false";
}

bool json_wrong(const json_doc *doc, const json_at *at, const char *wanted)
{
    if (cJSON_IsString(at->item))
        return json_fail(doc, at, "\"%.80s\" is not %s", at->item->valuestring, wanted);
    return json_fail(doc, at, "%s is expected, this is %s", wanted, json_kind(at->item));
}

static inlay_guess guess_of(json_names names, const char *word)
{
    inlay_guess guess = {.word = word, .length = strlen(word)};

    for (int i = 0; names[i] != NULL; i++)
        inlay_guess_try(&guess, names[i]);
    return guess;
}

bool json_members(const json_doc *doc, const json_at *at, json_names names, const cJSON **out)
{
    char meant[80];
    int n = 0;

    while (names[n] != NULL)
        out[n++] = NULL;
    if (!cJSON_IsObject(at->item))
        return json_wrong(doc, at, "an object");
    for (const cJSON *item = at->item->child; item != NULL; item = item->next) {
        int i = 0;
        while (i < n && strcmp(names[i], item->string) != 0)
            i++;
        if (i < n) {
            out[i] = item;
            continue;
        }
        json_at here = *at;
        inlay_guess guess = guess_of(names, item->string);
        here.item = item; /* report the line of the member, not that of the object */
        return json_fail(doc, &here, "unknown member \"%.80s\"%s", item->string,
                         inlay_guess_text(&guess, meant, sizeof(meant)));
    }
    return true;
}

bool json_required(const json_doc *doc, const json_at *at, const cJSON *item, const char *key)
{
    return item != NULL || json_fail(doc, at, "the member \"%s\" is missing", key);
}

const char *json_text(const json_doc *doc, const json_at *at, const cJSON *item, const char *key)
{
    if (!json_required(doc, at, item, key))
        return NULL;
    if (!cJSON_IsString(item)) {
        json_at here = json_member(at, item, key);
        json_wrong(doc, &here, "a string");
        return NULL;
    }
    return item->valuestring;
}

/* Reads "-9223372036854775808" to "18446744073709551615". The upper half of u64 wraps to negative
 * numbers. */
static bool parse_digits(const char *text, int64_t *out)
{
    bool negative = *text == '-';
    char *end;

    if (!isdigit((unsigned char)text[negative]))
        return false;
    errno = 0;
    if (negative)
        *out = strtoll(text, &end, 10);
    else
        *out = (int64_t)strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

bool json_integer(const json_doc *doc, const json_at *at, int64_t *out, bool *huge)
{
    double x = at->item->valuedouble;

    *huge = false;
    if (cJSON_IsString(at->item) && parse_digits(at->item->valuestring, out)) {
        *huge = at->item->valuestring[0] != '-' && *out < 0;
        return true;
    }
    if (!cJSON_IsNumber(at->item) || x != floor(x) || fabs(x) >= 0x1p53)
        return json_wrong(doc, at, "a whole number");
    *out = (int64_t)x;
    return true;
}

bool json_int(const json_doc *doc, const json_at *at, int64_t *out)
{
    bool huge;

    if (!json_integer(doc, at, out, &huge))
        return false;
    return !huge || json_fail(doc, at, "%s does not fit 64 bits", at->item->valuestring);
}

bool json_number_or_word(const json_at *at, const char *const words[3], double *out)
{
    static const double values[] = {NAN, INFINITY, -INFINITY};

    if (cJSON_IsNumber(at->item)) {
        *out = at->item->valuedouble;
        return true;
    }
    for (size_t i = 0; cJSON_IsString(at->item) && i < 3; i++) {
        if (strcmp(at->item->valuestring, words[i]) == 0) {
            *out = values[i];
            return true;
        }
    }
    return false;
}

bool json_float(const json_doc *doc, const json_at *at, double *out)
{
    return json_number_or_word(at, (const char *const[]){"nan", "inf", "-inf"}, out) ||
           json_wrong(doc, at, "a number, \"nan\", \"inf\" or \"-inf\"");
}
