#include "case_files.h"
#include "unit.h"

#include "models.h"

#include <glob.h>

/* Adds the N bytes of TEXT as the case NAME of FILE; NULL: the file is the case. */
static void add(case_texts *c, const char *file, const char *name, size_t n_name, const char *text,
                size_t n)
{
    size_t size = strlen(file) + n_name + 2;
    case_text *x;

    c->list = realloc(c->list, (c->n + 1) * sizeof *c->list);
    assert_non_null(c->list);
    x = &c->list[c->n++];
    x->path = malloc(size);
    x->text = strndup(text, n);
    assert_true(x->path && x->text);
    snprintf(x->path, size, "%s%s%.*s", file, name ? ":" : "", (int)n_name, name ? name : "");
    x->name = name ? x->path + strlen(file) + 1 : strrchr(x->path, '/') + 1;
}

static const char start[] = "\ncase ";

/* Adds what stands below each line `case NAME`; before the first one stand comments. */
static void split(case_texts *c, const char *file, const char *text)
{
    const char *at = strstr(text, start);

    if (!at)
        fail_msg("%s: found no line `case NAME`", file);
    while (at) {
        const char *name = at + strlen(start), *body = name + strcspn(name, "\n");

        at = strstr(body, start);
        add(c, file, name, (size_t)(body - name), body,
            at ? (size_t)(at + 1 - body) : strlen(body));
    }
}

static int compare(const void *a, const void *b)
{
    const case_text *x = a, *y = b;
    size_t n = (size_t)(strrchr(x->path, '/') - x->path),
           m = (size_t)(strrchr(y->path, '/') - y->path);
    int order = strncmp(x->path, y->path, n < m ? n : m);

    return order ? order : n != m ? (n > m) - (n < m) : strcmp(x->name, y->name);
}

void case_texts_add(case_texts *c, const char *folder)
{
    const char *root = getenv("ROOT");
    size_t before = c->n;
    glob_t found = {0};
    char pattern[512];

    snprintf(pattern, sizeof pattern, "%s/%s/*.inlay", root ? root : ".", folder);
    glob(pattern, 0, NULL, &found);
    snprintf(pattern, sizeof pattern, "%s/%s/*.cases", root ? root : ".", folder);
    glob(pattern, GLOB_APPEND, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *file = found.gl_pathv[i];
        char *text = model_load(file, NULL);

        if (strcmp(strrchr(file, '.'), ".cases") == 0)
            split(c, file, text);
        else
            add(c, file, NULL, 0, text, strlen(text));
        free(text);
    }
    globfree(&found);
    if (c->n > before)
        qsort(c->list + before, c->n - before, sizeof *c->list, compare);
}

void case_texts_free(case_texts *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->list[i].path);
        free(c->list[i].text);
    }
    free(c->list);
}
