/* See regex.h. A pattern becomes a tree, the tree a program of an automaton with several states at
 * a time:
 *
 *     a(b|c)*    ->    0 one of {a}    1 either 2 or 6    2 either 3 or 4 ...    6 match
 *
 * Source: the syntax page of RE2. */
#include "interp/kernels/regex.h"
#include "interp/kernels/utf8.h"

#include <string.h>

enum { MAX_NESTING = 100, MAX_REPEAT = 1000, MAX_PROGRAM = 20000, LAST_CODE = 0x10ffff };

typedef struct range {
    uint32_t low, high;
    struct range *next;
} range;

typedef enum node_kind { RE_ONE, RE_ALL, RE_ANY_OF, RE_REPEAT, RE_AT } node_kind;

typedef struct re_node {
    node_kind kind;
    range *ranges; /* the code points, or with NEGATED all others */
    bool negated;
    struct re_node *first, *last; /* of RE_ALL, RE_ANY_OF; the one of RE_REPEAT */
    int min, max;                 /* RE_REPEAT; -1: no end */
    char where;                   /* RE_AT: '^' '$' 'b' 'B' */
    struct re_node *next;
} re_node;

typedef struct re_step {
    enum { STEP_ONE, STEP_EITHER, STEP_AT, STEP_MATCH } what;
    const re_node *node;
    int to, or_to; /* STEP_EITHER */
} re_step;

struct regex {
    re_step *steps;
    int n, room;
    int *now, *then, *stack;
    int64_t *seen; /* by step: the last round in which it was added to a list */
    int64_t round;
};

typedef struct re_reader {
    inlay_call *c;
    const char *pattern, *at;
    int nesting;
    bool failed;
} re_reader;

/* Reading */

static re_node *re_fail(re_reader *r, const char *why)
{
    if (!r->failed)
        inlay_call_fail(r->c, "pattern \"%.200s\", at %lld: %s", r->pattern,
                        (long long)(r->at - r->pattern), why);
    r->failed = true;
    return NULL;
}

static re_node *re_make(re_reader *r, node_kind kind)
{
    re_node *n = r->failed ? NULL : call_bytes(r->c, sizeof *n);

    if (!n) {
        r->failed = true;
        return NULL;
    }
    *n = (re_node){.kind = kind};
    return n;
}

static void re_append(re_node *list, re_node *n)
{
    if (!list || !n)
        return;
    if (list->last)
        list->last->next = n;
    else
        list->first = n;
    list->last = n;
}

static void re_add(re_reader *r, re_node *n, uint32_t low, uint32_t high)
{
    range *x = n ? call_bytes(r->c, sizeof *x) : NULL;

    if (!x) {
        r->failed = true;
        return;
    }
    *x = (range){low, high, n->ranges};
    n->ranges = x;
}

/* Adds the ranges of PAIRS: "AZaz" is A to Z and a to z. */
static void re_add_ranges(re_reader *r, re_node *n, const char *pairs)
{
    for (; *pairs; pairs += 2)
        re_add(r, n, (unsigned char)pairs[0], (unsigned char)pairs[1]);
}

/* Adds the code points between the ranges of PAIRS, which are in ascending order. */
static void re_add_others(re_reader *r, re_node *n, const char *pairs)
{
    uint32_t low = 0;

    for (; *pairs; pairs += 2) {
        if ((unsigned char)pairs[0] > low)
            re_add(r, n, low, (unsigned char)pairs[0] - 1u);
        low = (unsigned char)pairs[1] + 1u;
    }
    re_add(r, n, low, LAST_CODE);
}

/* Adds the class of an escape such as \d or \W. False: LETTER names none. */
static bool re_perl_class(re_reader *r, re_node *n, char letter)
{
    static const char digits[] = "09", words[] = "09AZ__az", spaces[] = "\t\n\f\r  ";
    const char *pairs = strchr("dD", letter)   ? digits
                        : strchr("wW", letter) ? words
                        : strchr("sS", letter) ? spaces
                                               : NULL;

    if (!letter || !pairs)
        return false;
    if (letter < 'a')
        re_add_others(r, n, pairs);
    else
        re_add_ranges(r, n, pairs);
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Reads what follows "\x": two digits, or any number of digits in braces. */
static bool re_hex(re_reader *r, uint32_t *x)
{
    bool braces = *r->at == '{';
    int digits = 0;

    r->at += braces;
    for (*x = 0; hex_digit(*r->at) >= 0 && (braces || digits < 2) && *x <= LAST_CODE; digits++)
        *x = 16 * *x + (uint32_t)hex_digit(*r->at++);
    if (digits == 0 || (!braces && digits < 2) || *x > LAST_CODE || (braces && *r->at != '}')) {
        re_fail(r, "\\x needs two hexadecimal digits, or some in braces");
        return false;
    }
    r->at += braces;
    return true;
}

/* Reads the code point of an escape after its backslash. */
static bool re_escaped(re_reader *r, uint32_t *x)
{
    static const char names[] = "afnrtv", codes[] = "\a\f\n\r\t\v";
    char letter = *r->at;
    const char *name = letter ? strchr(names, letter) : NULL;

    if (letter == 'x') {
        r->at++;
        return re_hex(r, x);
    }
    if (!letter || (unsigned char)letter >= 0x80 ||
        (!name && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZbcdeghijklmopqsuwyz0123456789", letter))) {
        re_fail(r, "this escape is not read");
        return false;
    }
    *x = name ? (unsigned char)codes[name - names] : (unsigned char)letter;
    r->at++;
    return true;
}

static uint32_t re_code(re_reader *r)
{
    size_t length;
    uint32_t x = utf8_read(r->at, strlen(r->at), &length);

    r->at += length;
    return x;
}

/* Reads a class such as "[:alpha:]" inside of brackets. */
static bool re_posix_class(re_reader *r, re_node *n)
{
    static const char *const classes[][2] = {
        {"alnum", "09AZaz"}, {"alpha", "AZaz"}, {"blank", "\t\t  "},  {"digit", "09"},
        {"graph", "!~"},     {"lower", "az"},   {"print", " ~"},      {"punct", "!/:@[`{~"},
        {"space", "\t\r  "}, {"upper", "AZ"},   {"word", "09AZ__az"}, {"xdigit", "09AFaf"},
        {"ascii", "\1\177"},
    };
    bool others = r->at[2] == '^';
    const char *name = r->at + 2 + others, *end = strstr(name, ":]");

    for (size_t i = 0; end && i < sizeof classes / sizeof classes[0]; i++) {
        if (strlen(classes[i][0]) != (size_t)(end - name) ||
            strncmp(classes[i][0], name, (size_t)(end - name)) != 0)
            continue;
        r->at = end + 2;
        if (others)
            re_add_others(r, n, classes[i][1]);
        else
            re_add_ranges(r, n, classes[i][1]);
        return true;
    }
    re_fail(r, "this class is not read");
    return false;
}

/* Reads one end of a range in brackets, or a whole class; *IS_CLASS says which. */
static bool re_member(re_reader *r, re_node *n, uint32_t *x, bool *is_class)
{
    *is_class = true;
    if (r->at[0] == '[' && r->at[1] == ':')
        return re_posix_class(r, n);
    if (r->at[0] == '\\') {
        r->at++;
        if (re_perl_class(r, n, *r->at)) {
            r->at++;
            return true;
        }
        *is_class = false;
        return re_escaped(r, x);
    }
    *is_class = false;
    *x = re_code(r);
    return true;
}

/* Reads what follows "[". A "]" that comes first is a member. */
static re_node *re_brackets(re_reader *r)
{
    re_node *n = re_make(r, RE_ONE);
    bool first = true, is_class;
    uint32_t low, high;

    if (n && *r->at == '^') {
        n->negated = true;
        r->at++;
    }
    for (; n && *r->at && (first || *r->at != ']'); first = false) {
        if (!re_member(r, n, &low, &is_class))
            return NULL;
        if (is_class)
            continue;
        high = low;
        if (r->at[0] == '-' && r->at[1] && r->at[1] != ']') {
            r->at++;
            if (!re_member(r, n, &high, &is_class))
                return NULL;
            if (is_class || high < low)
                return re_fail(r, "a range in brackets goes from a character to a higher one");
        }
        re_add(r, n, low, high);
    }
    if (*r->at != ']')
        return re_fail(r, "a \"]\" is missing");
    r->at++;
    return n;
}

static re_node *re_any_of(re_reader *r);

/* Reads what follows "(": a group; its name and number are not needed. */
static re_node *re_group(re_reader *r)
{
    re_node *n;

    if (r->at[0] == '?') {
        const char *end = strchr(r->at, '>');

        if (r->at[1] == ':')
            r->at += 2;
        else if (end && (strncmp(r->at, "?P<", 3) == 0 || strncmp(r->at, "?<", 2) == 0))
            r->at = end + 1;
        else
            return re_fail(r, "flags of a group are not read");
    }
    if (++r->nesting > MAX_NESTING)
        return re_fail(r, "groups nest too deeply");
    n = re_any_of(r);
    r->nesting--;
    if (n && *r->at != ')')
        return re_fail(r, "a \")\" is missing");
    r->at += n != NULL;
    return n;
}

static re_node *re_place(re_reader *r, char where)
{
    re_node *n = re_make(r, RE_AT);

    if (n)
        n->where = where;
    return n;
}

static re_node *re_single(re_reader *r, uint32_t x)
{
    re_node *n = re_make(r, RE_ONE);

    if (n)
        re_add(r, n, x, x);
    return n;
}

static re_node *re_backslash(re_reader *r)
{
    char letter = *r->at;
    re_node *n;
    uint32_t x;

    if (letter && strchr("AzbB", letter)) {
        r->at++;
        return re_place(r, letter == 'A' ? '^' : letter == 'z' ? '$' : letter);
    }
    n = re_make(r, RE_ONE);
    if (n && re_perl_class(r, n, letter)) {
        r->at++;
        return n;
    }
    return n && re_escaped(r, &x) ? re_single(r, x) : NULL;
}

static re_node *re_atom(re_reader *r)
{
    re_node *n;

    switch (*r->at) {
    case '(':
        r->at++;
        return re_group(r);
    case '[':
        r->at++;
        return re_brackets(r);
    case '\\':
        r->at++;
        return re_backslash(r);
    case '^':
    case '$':
        return re_place(r, *r->at++);
    case '.':
        r->at++;
        n = re_single(r, '\n');
        if (n)
            n->negated = true;
        return n;
    case '*':
    case '+':
    case '?':
        return re_fail(r, "nothing is repeated");
    default:
        return re_single(r, re_code(r));
    }
}

static const char *read_count(const char *p, int *x)
{
    if (*p < '0' || *p > '9')
        return NULL;
    for (*x = 0; *p >= '0' && *p <= '9'; p++)
        *x = *x > MAX_REPEAT ? *x : 10 * *x + (*p - '0');
    return p;
}

/* Reads "*", "+", "?", "{2}", "{2,}" or "{2,5}"; a brace that begins none of these is an ordinary
 * character. */
static bool re_counts(re_reader *r, int *min, int *max)
{
    const char *p = r->at;

    *min = *p == '+';
    *max = *p == '?' ? 1 : -1;
    if (*p == '*' || *p == '+' || *p == '?') {
        r->at++;
        return true;
    }
    if (*p != '{' || !(p = read_count(p + 1, min)))
        return false;
    *max = *min;
    if (*p == ',') {
        *max = -1;
        if (p[1] != '}' && !(p = read_count(p + 1, max)))
            return false;
        p += *max < 0;
    }
    if (*p != '}')
        return false;
    r->at = p + 1;
    return true;
}

static re_node *re_repeated(re_reader *r)
{
    re_node *n = re_atom(r), *all;
    int min, max;

    if (!n || !re_counts(r, &min, &max))
        return n;
    if (min > MAX_REPEAT || max > MAX_REPEAT || (max >= 0 && max < min))
        return re_fail(r, "a number of repetitions must be at most 1000, and not fall");
    if (*r->at == '?') /* as few as possible: that matches the same strings */
        r->at++;
    if (*r->at && strchr("*+?", *r->at))
        return re_fail(r, "a repetition is repeated");
    all = re_make(r, RE_REPEAT);
    if (!all)
        return NULL;
    all->min = min;
    all->max = max;
    re_append(all, n);
    return all;
}

static re_node *re_all(re_reader *r)
{
    re_node *list = re_make(r, RE_ALL);

    while (list && !r->failed && *r->at && *r->at != '|' && *r->at != ')')
        re_append(list, re_repeated(r));
    return r->failed ? NULL : list;
}

static re_node *re_any_of(re_reader *r)
{
    re_node *list = re_make(r, RE_ANY_OF);

    re_append(list, re_all(r));
    while (list && !r->failed && *r->at == '|') {
        r->at++;
        re_append(list, re_all(r));
    }
    return r->failed ? NULL : list;
}

/* The program */

/* Adds STEP to the program. False: the program is too large. */
static bool put(regex *x, re_step step)
{
    if (x->n == x->room)
        return false;
    x->steps[x->n++] = step;
    return true;
}

static bool put_node(regex *x, const re_node *n);

static bool put_list(regex *x, const re_node *n)
{
    for (; n; n = n->next) {
        if (!put_node(x, n))
            return false;
    }
    return true;
}

/* Sets the targets of all forks in a list to the next step. The end of an alternative is not known
 * when its fork is added: until then, or_to of the fork is the fork before it in the list; -1 ends
 * the list. */
static void close_ways(regex *x, int last)
{
    while (last >= 0) {
        int before = x->steps[last].or_to;

        x->steps[last].or_to = x->n;
        last = before;
    }
}

static bool put_any_of(regex *x, const re_node *n)
{
    int ends = -1;

    for (const re_node *k = n->first; k; k = k->next) {
        int fork = x->n;

        if (k->next && !put(x, (re_step){.what = STEP_EITHER, .to = fork + 1}))
            return false;
        if (!put_node(x, k))
            return false;
        if (!k->next)
            break;
        /* This step has one target, the end of the alternatives, which close_ways sets. */
        if (!put(x, (re_step){.what = STEP_EITHER, .to = -1, .or_to = ends}))
            return false;
        ends = x->n - 1;
        x->steps[fork].or_to = x->n;
    }
    close_ways(x, ends);
    return true;
}

static bool put_repeat(regex *x, const re_node *n)
{
    int ends = -1, begin;

    for (int i = 0; i < n->min; i++) {
        if (!put_node(x, n->first))
            return false;
    }
    begin = x->n;
    for (int i = n->min; n->max < 0 ? i == n->min : i < n->max; i++) {
        if (!put(x, (re_step){.what = STEP_EITHER, .to = x->n + 1, .or_to = ends}))
            return false;
        ends = x->n - 1;
        if (!put_node(x, n->first))
            return false;
    }
    if (n->max < 0 && !put(x, (re_step){.what = STEP_EITHER, .to = begin, .or_to = begin}))
        return false;
    close_ways(x, ends);
    return true;
}

static bool put_node(regex *x, const re_node *n)
{
    switch (n->kind) {
    case RE_ALL:
        return put_list(x, n->first);
    case RE_ANY_OF:
        return put_any_of(x, n);
    case RE_REPEAT:
        return put_repeat(x, n);
    default:
        return put(x, (re_step){.what = n->kind == RE_ONE ? STEP_ONE : STEP_AT, .node = n});
    }
}

static bool make_room(inlay_call *c, regex *x)
{
    x->room = MAX_PROGRAM;
    x->steps = inlay_call_memory(c, x->room, sizeof *x->steps);
    x->now = inlay_call_memory(c, x->room, sizeof *x->now);
    x->then = inlay_call_memory(c, x->room, sizeof *x->then);
    x->stack = inlay_call_memory(c, 2 * x->room, sizeof *x->stack);
    x->seen = inlay_call_memory(c, x->room, sizeof *x->seen);
    return x->steps && x->now && x->then && x->stack && x->seen;
}

regex *regex_new(inlay_call *c, const char *pattern)
{
    re_reader r = {.c = c, .pattern = pattern, .at = pattern};
    regex *x = inlay_call_memory(c, 1, sizeof *x);
    re_node *tree = x && make_room(c, x) ? re_any_of(&r) : NULL;

    if (tree && *r.at)
        tree = re_fail(&r, "a \")\" without a \"(\"");
    if (!tree)
        return NULL;
    if (!put_node(x, tree) || !put(x, (re_step){.what = STEP_MATCH})) {
        inlay_call_fail(c, "pattern \"%.200s\" repeats too much", pattern);
        return NULL;
    }
    return x;
}

/* Matching */

static bool is_one_of(const re_node *n, uint32_t x)
{
    for (const range *k = n->ranges; k; k = k->next) {
        if (x >= k->low && x <= k->high)
            return !n->negated;
    }
    return n->negated;
}

static bool is_word(inlay_string s, size_t at)
{
    unsigned char c = at < s.length ? (unsigned char)s.bytes[at] : 0;

    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

static bool is_at(char where, inlay_string s, size_t at)
{
    bool border = (at > 0 && is_word(s, at - 1)) != is_word(s, at);

    return where == '^' ? at == 0 : where == '$' ? at == s.length : border == (where == 'b');
}

/* Adds step FIRST, and those reachable from it without reading a character, to LIST, which has N
 * steps. */
static int add_steps(regex *x, int *list, int n, int first, inlay_string s, size_t at)
{
    int depth = 0;

    x->stack[depth++] = first;
    while (depth > 0) {
        int k = x->stack[--depth];
        const re_step *step = &x->steps[k];

        if (x->seen[k] == x->round)
            continue;
        x->seen[k] = x->round;
        if (step->what == STEP_EITHER) {
            x->stack[depth++] = step->or_to;
            if (step->to >= 0)
                x->stack[depth++] = step->to;
        } else if (step->what == STEP_AT) {
            if (is_at(step->node->where, s, at))
                x->stack[depth++] = k + 1;
        } else {
            list[n++] = k;
        }
    }
    return n;
}

bool regex_matches(regex *x, inlay_string s)
{
    int n, m;

    x->round++;
    n = add_steps(x, x->now, 0, 0, s, 0);
    for (size_t at = 0, length; at < s.length; at += length) {
        uint32_t code = utf8_read(s.bytes + at, s.length - at, &length);
        int *swap = x->now;

        x->round++;
        m = 0;
        for (int i = 0; i < n; i++) {
            const re_step *step = &x->steps[x->now[i]];

            if (step->what == STEP_ONE && is_one_of(step->node, code))
                m = add_steps(x, x->then, m, x->now[i] + 1, s, at + length);
        }
        x->now = x->then;
        x->then = swap;
        n = m;
    }
    for (int i = 0; i < n; i++) {
        if (x->steps[x->now[i]].what == STEP_MATCH)
            return true;
    }
    return false;
}
