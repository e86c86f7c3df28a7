/* Drives libxml2's SAX2 interface over a document in memory and keeps the stack of open elements.
 * Which elements mean something is for openvino_records.c to say.
 *
 * The document is untrusted. libxml2's own limits stay on (never XML_PARSE_HUGE), a DOCTYPE is
 * refused as soon as it appears, so there are no entities and nothing external, and the number of
 * attributes of an element is checked before libxml2 sees it, because its check for duplicates is
 * quadratic in that number.
 */
#include "ir/shared.h"
#include "parser/xml/xml.h"

#include <libxml/SAX2.h>
#include <limits.h>
#include <string.h>

unsigned xml_line(const xml_reader *x)
{
    int line = xmlSAX2GetLineNumber(x->ctxt);

    return line > 0 ? (unsigned)line : 0;
}

bool xml_fail(xml_reader *x, const char *fmt, ...)
{
    char text[600];
    va_list args;

    if (x->failed)
        return false;
    x->failed = true;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (x->layer)
        return ov_fail_layer(x->r, x->layer, xml_line(x), "%s", text);
    return ov_fail_line(x->r, xml_line(x), "%s", text);
}

static bool xml_fail_memory(xml_reader *x)
{
    x->failed = true;
    return inlay_fail_memory(x->r->a.d);
}

const char *xml_attr(const xml_reader *x, xml_attrs attrs, enum xml_name name, size_t *n)
{
    for (int i = 0; i < attrs.n; i++) {
        const xmlChar **a = attrs.a + 5 * i;

        if (a[0] == x->names[name] && !a[1]) {
            *n = (size_t)(a[4] - a[3]);
            return (const char *)a[3];
        }
    }
    return NULL;
}

const char *xml_copy(xml_reader *x, inlay_arena *arena, const char *bytes, size_t n)
{
    char *copy = inlay_arena_strndup(arena, bytes, n);

    if (!copy)
        xml_fail_memory(x);
    return copy;
}

/* The dictionary has a limit; beyond it a word is a copy like any other string. */
const char *xml_word(xml_reader *x, const char *bytes, size_t n)
{
    const xmlChar *word = NULL;

    if (n < 100)
        word = xmlDictLookup(x->ctxt->dict, (const xmlChar *)bytes, (int)n);
    return word ? (const char *)word : xml_copy(x, x->r->a.scratch, bytes, n);
}

/* "prefix:name", as the file wrote it. */
static const char *full_name(xml_reader *x, const xmlChar *prefix, const xmlChar *name)
{
    inlay_arena *arena = x->r->a.graph->arena;
    const char *full;

    if (!prefix)
        return xml_copy(x, arena, (const char *)name, strlen((const char *)name));
    full = inlay_arena_printf(arena, "%s:%s", (const char *)prefix, (const char *)name);
    if (!full)
        xml_fail_memory(x);
    return full;
}

bool xml_meta_start(xml_reader *x, xml_attrs attrs)
{
    inlay_arena *arena = x->r->a.graph->arena;
    inlay_meta *m = inlay_arena_alloc(arena, sizeof *m);
    const char **list = inlay_arena_array(arena, (size_t)attrs.n * 2, sizeof *list);

    if (!m || !list)
        return xml_fail_memory(x);
    if (x->depth >= INLAY_MAX_META_DEPTH && x->kinds[x->depth - INLAY_MAX_META_DEPTH] == XML_META &&
        x->meta[x->depth - INLAY_MAX_META_DEPTH] != NULL) /* which is no rt_info of a layer */
        return xml_fail(x, "metadata is nested more than %d deep", INLAY_MAX_META_DEPTH);
    for (int i = 0; i < attrs.n; i++) {
        const xmlChar **a = attrs.a + 5 * i;

        list[2 * i] = full_name(x, a[1], a[0]);
        list[2 * i + 1] = xml_copy(x, arena, (const char *)a[3], (size_t)(a[4] - a[3]));
    }
    m->tag = full_name(x, attrs.prefix, attrs.tag);
    m->attrs = list;
    m->n_attrs = attrs.n;
    x->meta[x->depth] = m;
    *x->meta_end[x->depth] = m;
    x->meta_end[x->depth] = &m->next;
    x->meta_end[x->depth + 1] = &m->child;
    x->text.n = 0;
    return !x->failed;
}

static bool is_blank(const char *s, size_t n)
{
    while (n > 0 && strchr(" \t\r\n", s[n - 1]))
        n--;
    return n == 0;
}

/* Text is kept where an element has nothing else in it. */
static bool meta_finish(xml_reader *x)
{
    inlay_meta *m = x->meta[x->depth];

    if (m && !m->child && x->text.n > 0 && !is_blank(x->text.bytes, x->text.n))
        m->text = xml_copy(x, x->r->a.graph->arena, x->text.bytes, x->text.n);
    x->text.n = 0;
    return !x->failed;
}

static bool enter(xml_reader *x, xml_attrs attrs)
{
    enum xml_kind parent = x->kinds[x->depth];
    const xml_rule *rule = NULL;

    if (x->depth == XML_MAX_DEPTH)
        return xml_fail(x, "elements are nested more than %d deep", XML_MAX_DEPTH);
    x->depth++;
    if (parent == XML_META) {
        x->kinds[x->depth] = XML_META;
        return xml_meta_start(x, attrs);
    }
    if (parent != XML_SKIP && parent != XML_LEAF)
        rule = ov_element_rule(x, parent, attrs.prefix ? NULL : attrs.tag);
    x->kinds[x->depth] = rule ? rule->kind : XML_SKIP;
    return !rule || !rule->start || rule->start(x, attrs);
}

static void start_element(void *ctx, const xmlChar *tag, const xmlChar *prefix, const xmlChar *uri,
                          int n_namespaces, const xmlChar **namespaces, int n_attrs,
                          int n_defaulted, const xmlChar **attrs)
{
    xml_reader *x = ctx;

    (void)uri, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
    if (!x->failed && !enter(x, (xml_attrs){attrs, n_attrs, tag, prefix}))
        x->failed = true;
    if (x->failed)
        xmlStopParser(x->ctxt);
}

static void end_element(void *ctx, const xmlChar *tag, const xmlChar *prefix, const xmlChar *uri)
{
    xml_reader *x = ctx;
    enum xml_kind kind;
    const xml_rule *rule = NULL;
    bool ok = true;

    (void)uri;
    if (x->failed)
        return;
    kind = x->kinds[x->depth];
    if (kind == XML_META)
        ok = meta_finish(x);
    else if (kind != XML_SKIP && kind != XML_LEAF)
        rule = ov_element_rule(x, x->kinds[x->depth - 1], prefix ? NULL : tag);
    if (rule && rule->end)
        ok = rule->end(x);
    x->depth--;
    if (!ok) {
        x->failed = true;
        xmlStopParser(x->ctxt);
    }
}

static void characters(void *ctx, const xmlChar *text, int n)
{
    xml_reader *x = ctx;
    enum xml_kind kind = x->kinds[x->depth];

    if (x->failed || (kind != XML_DIM && kind != XML_META))
        return;
    inlay_strbuf_add(&x->text, (const char *)text, (size_t)n);
    if (x->text.failed) {
        xml_fail_memory(x);
        xmlStopParser(x->ctxt);
    }
}

static void refuse_doctype(void *ctx, const xmlChar *name, const xmlChar *id, const xmlChar *uri)
{
    xml_reader *x = ctx;

    (void)name, (void)id, (void)uri;
    xml_fail(x, "a DOCTYPE is not allowed in a model");
    xmlStopParser(x->ctxt);
}

/* The declaration has been read. Offsets and limits here count bytes of UTF-8. */
static void start_document(void *ctx)
{
    static const char *const names[] = {
#define X(id, text) [XML_N_##id] = (text),
        XML_NAMES(X)
#undef X
    };
    xml_reader *x = ctx;
    const char *encoding = (const char *)x->ctxt->encoding;

    if (!encoding && x->ctxt->input)
        encoding = (const char *)x->ctxt->input->encoding;
    if (encoding && inlay_word_compare(encoding, "UTF-8") != 0 &&
        inlay_word_compare(encoding, "utf8") != 0 &&
        inlay_word_compare(encoding, "US-ASCII") != 0 &&
        inlay_word_compare(encoding, "ASCII") != 0) {
        xml_fail(x, "the encoding is %.40s, only UTF-8 is read", encoding);
        xmlStopParser(x->ctxt);
        return;
    }
    for (int i = XML_ANY + 1; i < XML_N_NAMES; i++) {
        x->names[i] = xmlDictLookup(x->ctxt->dict, (const xmlChar *)names[i], -1);
        if (!x->names[i]) {
            xml_fail_memory(x);
            xmlStopParser(x->ctxt);
            return;
        }
    }
}

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_error;
#else
typedef xmlError *xml_error;
#endif

static void not_well_formed(xml_reader *x, int line, const char *why)
{
    size_t n = strcspn(why, "\n");
    inlay_pos pos = {x->r->a.file, line > 0 ? (unsigned)line : 0};

    x->failed = true;
    inlay_fail(x->r->a.d, &pos, "not well-formed XML: %.*s", n < 300 ? (int)n : 300, why);
}

static void on_error(void *ctx, xml_error e)
{
    xml_reader *x = ctx;

    if (x->failed || e->level != XML_ERR_FATAL)
        return;
    if (e->code == XML_ERR_NO_MEMORY)
        xml_fail_memory(x);
    else
        not_well_formed(x, e->line, e->message ? e->message : "");
}

/* Attributes of the start tag at P, whose '<' is at P and which ends before END. */
static size_t count_attributes(const char *p, const char *end)
{
    size_t count = 0;

    while (p < end && *p != '>') {
        if (*p == '"' || *p == '\'') {
            const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));

            count++;
            if (!close)
                break;
            p = close;
        }
        p++;
    }
    return count;
}

/* No '<' stands inside a start tag, so a tag lies between one and the next; and a tag of fewer than
 * 5 bytes an attribute cannot have too many. */
static bool check_attribute_counts(ov_reader *r, const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = memchr(bytes, '<', n);

    while (p) {
        const char *next = memchr(p + 1, '<', (size_t)(end - p - 1));
        const char *stop = next ? next : end;

        if (stop - p > 5 * XML_MAX_ATTRIBUTES && p[1] != '!' && p[1] != '?' &&
            count_attributes(p, stop) > XML_MAX_ATTRIBUTES) {
            unsigned line = 1;

            for (const char *q = bytes; q < p; q++)
                line += *q == '\n';
            return ov_fail_line(r, line, "an element has more than %d attributes",
                                XML_MAX_ATTRIBUTES);
        }
        p = next;
    }
    return true;
}

/* libxml2 would copy a document in memory as a whole; asking for it piece by piece it keeps little,
 * which for a large model is much faster. */
struct bytes {
    const char *at;
    size_t left;
};

static int read_some(void *ctx, char *to, int n)
{
    struct bytes *b = ctx;

    if (n < 0 || (size_t)n > b->left)
        n = (int)b->left;
    memcpy(to, b->at, (size_t)n);
    b->at += n;
    b->left -= (size_t)n;
    return n;
}

static void parse(xml_reader *x, const char *bytes, size_t n)
{
    struct bytes source = {bytes, n};
    xmlSAXHandler *sax = x->ctxt->sax;

    memset(sax, 0, sizeof *sax);
    sax->initialized = XML_SAX2_MAGIC;
    sax->startDocument = start_document;
    sax->startElementNs = start_element;
    sax->endElementNs = end_element;
    sax->characters = characters;
    sax->ignorableWhitespace = characters;
    sax->cdataBlock = characters;
    sax->internalSubset = refuse_doctype;
    sax->serror = on_error;
    x->ctxt->userData = x;
    /* Without XML_PARSE_NOENT an "&amp;" in an attribute arrives as "&#38;". There are no entities
     * but the five of XML itself: where others could be declared the document is refused. */
    xmlCtxtReadIO(x->ctxt, read_some, NULL, &source, NULL, NULL, XML_PARSE_NONET | XML_PARSE_NOENT);
    if (!x->failed && x->ctxt->errNo == XML_ERR_NO_MEMORY)
        xml_fail_memory(x);
    if (!x->ctxt->wellFormed && !x->failed)
        not_well_formed(x, 0, "the parser gives no reason");
    if (!x->failed)
        ov_end_document(x);
}

static bool check_bytes(ov_reader *r, const char *bytes, size_t n)
{
    if (n == 0)
        return ov_fail_line(r, 0, "the file is empty");
    if (n > INT_MAX)
        return ov_fail_line(r, 0, "the model has %zu bytes, at most %d are read", n, INT_MAX);
    /* UTF-16 and UTF-32 begin with a byte order mark or have a zero in their first character. */
    if (bytes[0] == '\0' || (n > 1 && bytes[1] == '\0') || bytes[0] == '\xfe' || bytes[0] == '\xff')
        return ov_fail_line(r, 1, "the file is not UTF-8");
    return check_attribute_counts(r, bytes, n);
}

static void parse_with_context(xml_reader *x, const char *bytes, size_t n)
{
    x->ctxt = xmlNewParserCtxt();
    if (!x->ctxt) {
        xml_fail_memory(x);
        return;
    }
    x->r->words = x->ctxt->dict;
    xmlDictReference(x->ctxt->dict);
    parse(x, bytes, n);
    inlay_strbuf_free(&x->text);
    xmlFreeParserCtxt(x->ctxt);
}

ov_net *ov_parse(ov_reader *r, const char *bytes, size_t n)
{
    xml_reader x = {.r = r};
    void *old_context = xmlStructuredErrorContext;
    xmlStructuredErrorFunc old = xmlStructuredError;

    if (!check_bytes(r, bytes, n))
        return NULL;
    /* Where memory ends before there is a context, libxml2 prints, unless this thread says
     * otherwise. */
    xmlSetStructuredErrorFunc(&x, on_error);
    parse_with_context(&x, bytes, n);
    xmlSetStructuredErrorFunc(old_context, old);
    return x.failed ? NULL : x.root;
}

void ov_free_words(ov_reader *r)
{
    if (r->words)
        xmlDictFree(r->words);
    r->words = NULL;
}
