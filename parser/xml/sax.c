/* Drives libxml2's SAX2 interface over a document in memory and keeps the stack of open elements.
 *
 * The document is untrusted. libxml2's own limits stay on (never XML_PARSE_HUGE). A DOCTYPE is
 * refused as soon as it appears, so there are no entities and nothing external. The number of
 * attributes of an element is checked before libxml2 processes it, because libxml2's check for
 * duplicates is quadratic in that number. */
#include "parser/xml/xml.h"

#include <limits.h>
#include <string.h>

void xml_skip(xml_reader *x)
{
    x->kinds[x->depth] = XML_SKIP;
}

/* Finds the rule for an element; NULL: the element is skipped. NAME is NULL for an element with a
 * prefix. */
static const xml_rule *find_rule(const xml_reader *x, int parent, const xmlChar *name)
{
    for (size_t i = 0; i < x->format->n_rules; i++) {
        const xml_rule *rule = &x->format->rules[i];

        if (rule->parent == parent && (rule->name == XML_ANY || x->names[rule->name] == name))
            return rule;
    }
    return NULL;
}

static bool enter(xml_reader *x, xml_attrs attrs)
{
    int parent = x->kinds[x->depth];
    const xml_rule *rule = NULL;

    if (x->depth == XML_MAX_DEPTH)
        return xml_fail(x, "elements are nested more than %d deep", XML_MAX_DEPTH);
    x->depth++;
    if (parent == XML_TREE) {
        x->kinds[x->depth] = XML_TREE;
        return xml_tree_start(x, attrs);
    }
    if (parent != XML_SKIP)
        rule = find_rule(x, parent, attrs.prefix ? NULL : attrs.tag);
    x->kinds[x->depth] = (unsigned char)(rule ? rule->kind : XML_SKIP);
    if (x->kinds[x->depth] == XML_TEXT)
        x->text.n = 0;
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
        x->library.xmlStopParser(x->ctxt);
}

static void end_element(void *ctx, const xmlChar *tag, const xmlChar *prefix, const xmlChar *uri)
{
    xml_reader *x = ctx;
    const xml_rule *rule = NULL;
    bool ok = true;
    int kind;

    (void)uri;
    if (x->failed)
        return;
    kind = x->kinds[x->depth];
    if (kind == XML_TREE)
        ok = xml_tree_finish(x);
    else if (kind != XML_SKIP)
        rule = find_rule(x, x->kinds[x->depth - 1], prefix ? NULL : tag);
    if (rule && rule->end)
        ok = rule->end(x);
    x->depth--;
    if (!ok) {
        x->failed = true;
        x->library.xmlStopParser(x->ctxt);
    }
}

static void characters(void *ctx, const xmlChar *text, int n)
{
    xml_reader *x = ctx;
    int kind = x->kinds[x->depth];

    if (x->failed || (kind != XML_TEXT && kind != XML_TREE))
        return;
    inlay_strbuf_add(&x->text, (const char *)text, (size_t)n);
    if (x->text.failed) {
        xml_fail_memory(x);
        x->library.xmlStopParser(x->ctxt);
    }
}

static void refuse_doctype(void *ctx, const xmlChar *name, const xmlChar *id, const xmlChar *uri)
{
    xml_reader *x = ctx;

    (void)name, (void)id, (void)uri;
    xml_fail(x, "a DOCTYPE is not allowed in a model");
    x->library.xmlStopParser(x->ctxt);
}

/* Accepts only UTF-8, so that offsets and limits count the bytes of the file. */
static bool check_encoding(xml_reader *x)
{
    static const char *const fine[] = {"UTF-8", "utf8", "US-ASCII", "ASCII"};
    const char *encoding = (const char *)x->ctxt->encoding;

    if (!encoding && x->ctxt->input)
        encoding = (const char *)x->ctxt->input->encoding;
    for (size_t i = 0; encoding && i < sizeof fine / sizeof *fine; i++) {
        if (inlay_word_compare(encoding, fine[i]) == 0)
            return true;
    }
    return !encoding || xml_fail(x, "the encoding is %.40s, only UTF-8 is read", encoding);
}

static bool look_up_names(xml_reader *x)
{
    x->names = inlay_arena_array(x->arena, (size_t)x->format->n_names, sizeof *x->names);
    if (!x->names)
        return xml_fail_memory(x);
    for (int i = XML_ANY + 1; i < x->format->n_names; i++) {
        x->names[i] =
            x->library.xmlDictLookup(x->ctxt->dict, (const xmlChar *)x->format->names[i], -1);
        if (!x->names[i])
            return xml_fail_memory(x);
    }
    return true;
}

/* Called after the XML declaration. */
static void start_document(void *ctx)
{
    xml_reader *x = ctx;

    if (!check_encoding(x) || !look_up_names(x))
        x->library.xmlStopParser(x->ctxt);
}

#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_error;
#else
typedef xmlError *xml_error;
#endif

static void not_well_formed(xml_reader *x, int line, const char *why)
{
    size_t n = strcspn(why, "\n");
    inlay_pos pos = {x->file, line > 0 ? (unsigned)line : 0};

    x->failed = true;
    inlay_fail(x->d, &pos, "not well-formed XML: %.*s", n < 300 ? (int)n : 300, why);
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

/* Counts the attributes of the start tag at P. Its '<' is at P, and it ends before END. */
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

/* Refuses a document with an element that has too many attributes. A start tag contains no '<', so
 * it lies between one '<' and the next. Since an attribute takes at least 5 bytes, short tags need
 * not be counted. */
static bool check_attribute_counts(xml_reader *x, const char *bytes, size_t n)
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
            return xml_fail_line(x, line, "an element has more than %d attributes",
                                 XML_MAX_ATTRIBUTES);
        }
        p = next;
    }
    return true;
}

/* The document, which libxml2 reads piece by piece. If it were passed as a whole, libxml2 would
 * copy it, which takes much longer for a large model. */
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
    x->library.xmlCtxtReadIO(x->ctxt, read_some, NULL, &source, NULL, NULL,
                             XML_PARSE_NONET | XML_PARSE_NOENT);
    if (!x->failed && x->ctxt->errNo == XML_ERR_NO_MEMORY)
        xml_fail_memory(x);
    if (!x->ctxt->wellFormed && !x->failed)
        not_well_formed(x, 0, "the parser gives no reason");
    if (!x->failed && !x->format->end(x))
        x->failed = true;
}

static bool check_bytes(xml_reader *x, const char *bytes, size_t n)
{
    if (n == 0)
        return xml_fail_line(x, 0, "the file is empty");
    if (n > INT_MAX)
        return xml_fail_line(x, 0, "the model has %zu byte%s, at most %d are read", n,
                             inlay_plural(n, "", "s"), INT_MAX);
    /* UTF-16 and UTF-32 begin with a byte order mark or have a zero in their first character. */
    if (bytes[0] == '\0' || (n > 1 && bytes[1] == '\0') || bytes[0] == '\xfe' || bytes[0] == '\xff')
        return xml_fail_line(x, 1, "the file is not UTF-8");
    return check_attribute_counts(x, bytes, n);
}

static void parse_with_context(xml_reader *x, const char *bytes, size_t n)
{
    x->ctxt = x->library.xmlNewParserCtxt();
    if (!x->ctxt) {
        xml_fail_memory(x);
        return;
    }
    x->words = (xml_words){x->ctxt->dict, x->library.xmlDictFree};
    x->library.xmlDictReference(x->ctxt->dict);
    parse(x, bytes, n);
    inlay_strbuf_free(&x->text);
    x->library.xmlFreeParserCtxt(x->ctxt);
}

bool xml_read(xml_reader *x, const char *bytes, size_t n)
{
    xml_library *l = &x->library;
    xmlStructuredErrorFunc old;
    void *old_context;

    if (!check_bytes(x, bytes, n) || !xml_library_open(l, x->d))
        return false;
    /* Without memory for a context libxml2 prints an error, unless this thread has set a handler.
     */
    old_context = *l->__xmlStructuredErrorContext();
    old = *l->__xmlStructuredError();
    l->xmlSetStructuredErrorFunc(x, on_error);
    parse_with_context(x, bytes, n);
    l->xmlSetStructuredErrorFunc(old_context, old);
    return !x->failed;
}

void xml_free_words(xml_words words)
{
    if (words.dict)
        words.free(words.dict);
}
