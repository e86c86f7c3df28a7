/* Parses a row of the table of operations. */
#include "ir/ops/row.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_OF(name, NAME, text) #name,
static const char *const roles[] = {INLAY_ROW_ROLES(NAME_OF)};
#undef NAME_OF
#define NAME_OF(name, NAME) #name,
static const char *const kinds[] = {INLAY_ROW_KINDS(NAME_OF)};
static const char *const flags[] = {INLAY_ROW_FLAGS(NAME_OF)};
#undef NAME_OF
#define NAME_OF(name) #name,
static const char *const types[] = {INLAY_ROW_TYPES(NAME_OF)};
#undef NAME_OF

enum { N_TYPES = sizeof types / sizeof types[0], NO_ROLE = 0, NOT_FOUND = -1, NO_END = 9999 };

/* A type variable of the row; its constraint is where it first occurs. */
typedef struct type_var {
    row_word name, types;
} type_var;

typedef struct parser {
    row *r;
    char *why;
    size_t size;
    type_var vars[ROW_MAX];
    int n_vars;
} parser;

static bool refuse(parser *p, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(p->why, p->size, fmt, args);
    va_end(args);
    return false;
}

/* Words */

bool row_is(row_word w, const char *text)
{
    return strlen(text) == (size_t)w.length && strncmp(w.text, text, (size_t)w.length) == 0;
}

static row_word word_of(const char *text)
{
    row_word w = {text ? text : "", 0};

    w.length = (int)strlen(w.text);
    return w;
}

static row_word from(row_word w, int n)
{
    return (row_word){w.text + n, w.length - n};
}

static row_word upto(row_word w, int n)
{
    return (row_word){w.text, n};
}

static row_word trimmed(row_word w)
{
    while (w.length > 0 && isspace((unsigned char)w.text[0]))
        w = from(w, 1);
    while (w.length > 0 && isspace((unsigned char)w.text[w.length - 1]))
        w.length--;
    return w;
}

/* Returns the index of C in W, or -1. */
static int find(row_word w, char c)
{
    const char *at = w.length > 0 ? memchr(w.text, c, (size_t)w.length) : NULL;

    return at ? (int)(at - w.text) : NOT_FOUND;
}

static bool ends_in(row_word w, const char *end)
{
    int n = (int)strlen(end);

    return w.length > n && strncmp(w.text + w.length - n, end, (size_t)n) == 0;
}

static int find_name(row_word w, const char *const *names, int n)
{
    while (--n >= 0 && !row_is(w, names[n]))
        ;
    return n;
}

/* Separators in parentheses do not count. */
bool row_cut(row_word *rest, char separator, row_word *out)
{
    int depth = 0, n = 0;

    *rest = trimmed(*rest);
    if (rest->length == 0)
        return false;
    for (; n < rest->length && (depth > 0 || rest->text[n] != separator); n++)
        depth += (rest->text[n] == '(') - (rest->text[n] == ')');
    *out = trimmed(upto(*rest, n));
    *rest = from(*rest, n < rest->length ? n + 1 : n);
    return true;
}

/* Splits "T:any data" into "T:any" and "data". False if there are not two words. */
static bool two_words(row_word w, row_word *first, row_word *second)
{
    int n = 0;

    while (n < w.length && !isspace((unsigned char)w.text[n]))
        n++;
    *first = upto(w, n);
    *second = trimmed(from(w, n));
    return n > 0 && second->length > 0;
}

/* Reads a number of at most four digits. */
static bool read_number(row_word w, int *n)
{
    *n = 0;
    if (w.length < 1 || w.length > 4)
        return false;
    for (int i = 0; i < w.length; i++) {
        if (!isdigit((unsigned char)w.text[i]))
            return false;
        *n = *n * 10 + (w.text[i] - '0');
    }
    return true;
}

#define WORD(w) (w).length, (w).text

/* Opsets */

static int digits_of(row_word w)
{
    int n = 0;

    while (n < w.length && isdigit((unsigned char)w.text[n]))
        n++;
    return n;
}

/* Reads "4..14", "15..", "7". */
static bool read_range(parser *p, row_word w)
{
    row *r = p->r;
    int n = digits_of(w);
    row_word rest = from(w, n);

    if (!read_number(upto(w, n), &r->first) || r->first < 1)
        return refuse(p, "opsets: a number is expected after the set");
    r->last = r->first;
    if (rest.length == 0)
        return true;
    if (rest.length < 2 || strncmp(rest.text, "..", 2) != 0)
        return refuse(p, "opsets: what is \"%.*s\"?", WORD(rest));
    rest = from(rest, 2);
    r->last = NO_END;
    if (rest.length > 0 && !read_number(rest, &r->last))
        return refuse(p, "opsets: what is \"%.*s\"?", WORD(rest));
    return r->last >= r->first || refuse(p, "opsets: an empty range");
}

/* Reads "opset4..14 as opset3", "tensorflow". */
static bool read_opsets(parser *p, const char *text)
{
    row *r = p->r;
    row_word rest = word_of(text), all, as, written;
    int n = 0;

    if (!row_cut(&rest, ' ', &all))
        return refuse(p, "opsets: no set is named");
    while (n < all.length && !isdigit((unsigned char)all.text[n]))
        n++;
    r->set = upto(all, n);
    if (n == 0 || n > 31 || find(r->set, '.') >= 0)
        return refuse(p, "opsets \"%s\": no set is named", text);
    if (n < all.length && !read_range(p, from(all, n)))
        return false;
    if (!row_cut(&rest, ' ', &as)) {
        snprintf(r->written, sizeof r->written, n < all.length ? "%.*s%d" : "%.*s", WORD(r->set),
                 r->first);
        return true;
    }
    if (!row_is(as, "as") || !row_cut(&rest, ' ', &written) || rest.length > 0 ||
        written.length >= (int)sizeof r->written)
        return refuse(p, "opsets: what is \"%.*s\"?", WORD(as));
    snprintf(r->written, sizeof r->written, "%.*s", WORD(written));
    return true;
}

/* Roles */

/* Reads the role of a name and removes it: "begin@start" has role start, "start" too, "gamma" none.
 */
static bool cut_role(parser *p, row_word *name, int *role)
{
    int at = find(*name, '@'), own;
    row_word said = at >= 0 ? from(*name, at + 1) : *name;

    *name = at >= 0 ? upto(*name, at) : *name;
    own = find_name(*name, roles, ROW_ROLES);
    own = own < 0 ? NO_ROLE : own;
    *role = own;
    if (at < 0)
        return true;
    *role = find_name(said, roles, ROW_ROLES);
    if (*role < 0)
        return refuse(p, "unknown role \"%.*s\"", WORD(said));
    return *role != own ||
           refuse(p, "\"%.*s\" has role %.*s without saying so", WORD(*name), WORD(said));
}

/* Notes that NTH (an input or attribute) has ROLE, which only one of them may have. */
static bool note_role(parser *p, signed char *of, int role, int nth)
{
    if (role == NO_ROLE)
        return true;
    if (p->r->in_of[role] >= 0 || p->r->attr_of[role] >= 0)
        return refuse(p, "two have role %s", roles[role]);
    of[role] = (signed char)nth;
    return true;
}

/* Types */

static bool is_var(row_word w)
{
    if (!isupper((unsigned char)w.text[0]))
        return false;
    return digits_of(from(w, 1)) == w.length - 1;
}

static bool check_types(parser *p, row_word w)
{
    row_word rest = w, one;

    while (row_cut(&rest, '|', &one)) {
        if (find_name(one, types, N_TYPES) < 0)
            return refuse(p, "unknown type \"%.*s\"", WORD(one));
    }
    return w.length > 0 || refuse(p, "a type is missing");
}

/* Reads a type: "T:num" is the variable T, bound to num; "boolean" is no variable, *VAR = -1. */
static bool read_type(parser *p, row_word w, int *var, row_word *types_of)
{
    int colon = find(w, ':');
    row_word name = colon >= 0 ? upto(w, colon) : w;

    *var = -1;
    *types_of = w;
    if (!is_var(name))
        return check_types(p, w);
    for (int i = 0; i < p->n_vars; i++) {
        if (p->vars[i].name.length != name.length ||
            strncmp(p->vars[i].name.text, name.text, (size_t)name.length) != 0)
            continue;
        *var = i;
        *types_of = p->vars[i].types;
        return colon < 0 || refuse(p, "type variable %.*s has two constraints", WORD(name));
    }
    if (p->n_vars == ROW_MAX)
        return refuse(p, "more than %d type variables", ROW_MAX);
    *types_of = colon >= 0 ? from(w, colon + 1) : word_of("any");
    *var = p->n_vars;
    p->vars[p->n_vars++] = (type_var){name, *types_of};
    return check_types(p, *types_of);
}

/* Operands */

static bool cut_dots(row_word *name)
{
    bool dots = ends_in(*name, "...");

    name->length -= dots ? 3 : 0;
    return dots;
}

/* Reads "[I axes]", "T:any data", "any inputs...". */
static bool read_input(parser *p, row_word w, int nth)
{
    row *r = p->r;
    row_operand *o = &r->in[nth];
    row_word type;

    o->optional = w.text[0] == '[';
    if (o->optional && w.text[w.length - 1] != ']')
        return refuse(p, "input \"%.*s\": ] is missing", WORD(w));
    if (r->variadic_in)
        return refuse(p, "an input after one that repeats");
    if (!o->optional && r->min_in < nth)
        return refuse(p, "the required input \"%.*s\" after an optional one", WORD(w));
    if (o->optional)
        w = trimmed((row_word){w.text + 1, w.length - 2});
    if (!two_words(w, &type, &o->name) || find(o->name, ' ') >= 0)
        return refuse(p, "input \"%.*s\" is not TYPE name", WORD(w));
    r->variadic_in = cut_dots(&o->name);
    r->min_in += !o->optional;
    return cut_role(p, &o->name, &o->role) && note_role(p, r->in_of, o->role, nth) &&
           read_type(p, type, &o->var, &o->types);
}

/* Reads the number of outputs: "name{num_splits}", "name{single_plane}", "name{#2}", "name...". */
static bool read_count(parser *p, row_word *name)
{
    row *r = p->r;
    int brace = find(*name, '{');
    row_word count;

    if (cut_dots(name)) {
        r->counted_out = true;
        return true;
    }
    if (brace < 0)
        return true;
    count = from(*name, brace + 1);
    if (!ends_in(count, "}"))
        return refuse(p, "output \"%.*s\": } is missing", WORD(*name));
    count.length--;
    *name = upto(*name, brace);
    r->counted_out = true;
    if (count.text[0] != '#')
        r->count_attr = count;
    else if (!read_number(from(count, 1), &r->count_in) || r->count_in >= r->n_in)
        return refuse(p, "there is no input %.*s", WORD(count));
    return true;
}

static bool read_output(parser *p, row_word w, int nth)
{
    row_operand *o = &p->r->out[nth];
    row_word type;

    if (p->r->counted_out)
        return refuse(p, "an output after one that is counted");
    if (!two_words(w, &type, &o->name)) {
        type = w;
        o->name = word_of("output");
    }
    if (!read_count(p, &o->name) || !cut_role(p, &o->name, &o->role))
        return false;
    if (type.text[0] != '@')
        return read_type(p, type, &o->var, &o->types);
    if (nth > 0)
        return refuse(p, "only the first output can have the type of an attribute");
    p->r->type_attr = from(type, 1);
    o->types = word_of("any");
    o->var = -1;
    return true;
}

/* Attributes */

/* Cuts the allowed names off "mode(a|b|c)=a". */
static bool cut_allowed(parser *p, row_word *w, row_attr *a)
{
    int open = find(*w, '('), close = find(*w, ')');

    a->name = *w;
    if (!row_is(word_of(kinds[a->kind]), "enum"))
        return true;
    if (open < 1 || close < open + 2)
        return refuse(p, "enum \"%.*s\" needs its names in parentheses", WORD(*w));
    a->allowed = (row_word){w->text + open + 1, close - open - 1};
    a->name = upto(*w, open);
    *w = from(*w, close + 1);
    return true;
}

static bool may_have_default(int kind)
{
    static const char *const with[] = {"bool", "int", "float", "string", "enum", "type", "ints"};

    return find_name(word_of(kinds[kind]), with, sizeof with / sizeof with[0]) >= 0;
}

static bool is_allowed(row_word allowed, row_word w)
{
    row_word one;

    while (row_cut(&allowed, '|', &one)) {
        if (one.length == w.length && strncmp(one.text, w.text, (size_t)w.length) == 0)
            return true;
    }
    return false;
}

/* Reads what follows the name: "=default", "?" or nothing. */
static bool read_default(parser *p, row_word rest, row_attr *a)
{
    a->required = rest.length == 0;
    if (a->required || row_is(rest, "?"))
        return true;
    a->has_default = rest.text[0] == '=';
    a->otherwise = from(rest, 1);
    if (!a->has_default)
        return refuse(p, "attribute \"%.*s\": what is \"%.*s\"?", WORD(a->name), WORD(rest));
    if (!may_have_default(a->kind))
        return refuse(p, "attribute \"%.*s\": this kind cannot have a default", WORD(a->name));
    return a->allowed.length == 0 || is_allowed(a->allowed, a->otherwise) ||
           refuse(p, "attribute \"%.*s\": its default is none of its names", WORD(a->name));
}

static bool read_attr(parser *p, row_word w, int nth)
{
    row_attr *a = &p->r->attrs[nth];
    row_word kind, rest;
    int role, n = 0;

    if (!two_words(w, &kind, &rest))
        return refuse(p, "attribute \"%.*s\" is not KIND name", WORD(w));
    a->kind = find_name(kind, kinds, ROW_KINDS);
    if (a->kind < 0)
        return refuse(p, "unknown attribute kind \"%.*s\"", WORD(kind));
    if (!cut_allowed(p, &rest, a))
        return false;
    if (a->allowed.length == 0) {
        while (n < rest.length && rest.text[n] != '=' && rest.text[n] != '?')
            n++;
        a->name = upto(rest, n);
        rest = from(rest, n);
    }
    if (a->name.length == 0)
        return refuse(p, "attribute \"%.*s\" has no name", WORD(w));
    return cut_role(p, &a->name, &role) && note_role(p, p->r->attr_of, role, nth) &&
           read_default(p, rest, a);
}

/* Reads the entries of TEXT, each of which is a WHAT. *N receives how many they are. */
static bool read_list(parser *p, const char *text, const char *what,
                      bool (*read)(parser *p, row_word w, int nth), int *n)
{
    row_word rest = word_of(text), w;

    for (int i = 0; row_cut(&rest, ',', &w); i++) {
        if (i == ROW_MAX)
            return refuse(p, "too many %ss", what);
        if (w.length == 0)
            return refuse(p, "an empty %s", what);
        if (!read(p, w, i))
            return false;
        *n = i + 1;
    }
    return true;
}

/* Checks an attribute to which outputs refer: that it exists, and is of KIND, or of OTHER unless
 * that is NULL. */
static bool check_named(parser *p, row_word name, const char *kind, const char *other)
{
    for (int i = 0; i < p->r->n_attrs && name.length > 0; i++) {
        const row_attr *a = &p->r->attrs[i];

        if (a->name.length == name.length &&
            strncmp(a->name.text, name.text, (size_t)name.length) == 0 &&
            (strcmp(kinds[a->kind], kind) == 0 || (other && strcmp(kinds[a->kind], other) == 0)))
            return true;
    }
    return name.length == 0 || refuse(p, "there is no attribute \"%.*s\" of kind %s%s%s",
                                      WORD(name), kind, other ? " or " : "", other ? other : "");
}

/* Flags */

/* Reads a flag with a number, "overwrites=0". */
static bool read_numbered(parser *p, row_word w, const char *name, int *input, bool *done)
{
    int n = (int)strlen(name);

    *done = w.length > n && strncmp(w.text, name, (size_t)n) == 0 && w.text[n] == '=';
    if (!*done || (read_number(from(w, n + 1), input) && *input < p->r->n_in))
        return true;
    return refuse(p, "%.*s: there is no such input", WORD(w));
}

static bool read_flag(parser *p, row_word w)
{
    bool is_overwrites, is_faults;
    int i;

    if (!read_numbered(p, w, "overwrites", &p->r->overwrites, &is_overwrites) ||
        !read_numbered(p, w, "faults", &p->r->faults, &is_faults))
        return false;
    if (is_overwrites || is_faults)
        return true;
    i = find_name(w, flags, ROW_FLAGS);
    if (i < 0)
        return refuse(p, "unknown flag \"%.*s\"", WORD(w));
    p->r->flags[i] = true;
    return true;
}

static bool read_flags(parser *p, const char *text)
{
    row_word rest = word_of(text), w;

    while (row_cut(&rest, ' ', &w)) {
        if (!read_flag(p, w))
            return false;
    }
    return true;
}

static bool check_name(parser *p, const row_text *text)
{
    if (!text->type || !*text->type)
        return refuse(p, "the operation has no name");
    return (text->version >= 0 && text->version <= NO_END) ||
           refuse(p, "the version is %d, it must be in [0, %d]", text->version, NO_END);
}

bool row_parse(const row_text *text, row *r, char *why, size_t size)
{
    parser p = {.r = r, .why = why, .size = size};

    memset(r, 0, sizeof *r);
    memset(r->in_of, -1, sizeof r->in_of);
    memset(r->attr_of, -1, sizeof r->attr_of);
    r->count_in = r->overwrites = r->faults = -1;
    return check_name(&p, text) && read_opsets(&p, text->opsets) &&
           read_list(&p, text->inputs, "input", read_input, &p.r->n_in) &&
           read_list(&p, text->outputs, "output", read_output, &p.r->n_out) &&
           read_list(&p, text->attributes, "attribute", read_attr, &p.r->n_attrs) &&
           check_named(&p, r->count_attr, "int", "bool") &&
           check_named(&p, r->type_attr, "type", NULL) && read_flags(&p, text->flags);
}
