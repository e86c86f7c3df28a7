/* Plugins: shared objects with passes (--load), or with operations (--extension). Loading one runs
 * its code, so only those named on the command line are loaded; a model cannot name one. */
#include "cli/cli.h"

#include "inlay.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* A name without a slash would be looked for in the directories of libraries. */
static void *open_object(const char *file)
{
    char path[4096];

    if (strchr(file, '/'))
        return dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if ((size_t)snprintf(path, sizeof path, "./%s", file) >= sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* Returns the object that FILE exports as SYMBOL, or NULL after recording an error, which calls it
 * WHAT and names MACRO, by which it is defined. */
static const void *load(const char *file, const char *symbol, const char *what, const char *macro,
                        cli_plugins *out, inlay_diags *d)
{
    void *object = open_object(file);
    inlay_pos pos = {file, 0};
    const void *found;
    const char *why;

    if (!object) {
        why = dlerror();
        inlay_fail(d, &pos, "the %s cannot be loaded: %s", what, why ? why : "no such file");
        return NULL;
    }
    out->objects[out->n++] = object;
    found = dlsym(object, symbol);
    if (!found)
        inlay_fail(d, &pos, "this is no %s: it has no %s, which the macro %s defines", what, symbol,
                   macro);
    return found;
}

static bool load_passes(const cli_list *files, cli_plugins *out, inlay_diags *d)
{
    out->passes = files->n > 0 ? inlay_pass_registry_new(d) : NULL;
    for (int i = 0; out->passes && i < files->n; i++) {
        const inlay_plugin *p =
            load(files->items[i], INLAY_PLUGIN_SYMBOL, "plugin", "INLAY_PLUGIN", out, d);

        if (!p || !inlay_plugin_add(out->passes, files->items[i], p, d))
            return false;
    }
    return out->passes != NULL || files->n == 0;
}

/* Adds the operations of extension X to OUT's set. */
static bool add_operations(const char *file, const inlay_extension *x, cli_plugins *out,
                           inlay_diags *d)
{
    inlay_pos pos = {file, 0};
    const inlay_op_set *more;

    if (x->version != INLAY_EXTENSION_VERSION)
        return inlay_fail(d, &pos,
                          "the extension was built for version %u of the interface, this is %d",
                          x->version, INLAY_EXTENSION_VERSION);
    if (x->layout != INLAY_EXTENSION_LAYOUT)
        return inlay_fail(d, &pos,
                          "the extension was built with the headers of another inlay: build it "
                          "again with those of this one");
    more = inlay_op_set_new(out->ops, x->ops, x->n_ops, d);
    if (!more)
        return false;
    inlay_op_set_release(out->ops);
    out->ops = more;
    return true;
}

static bool load_operations(const cli_list *files, cli_plugins *out, inlay_diags *d)
{
    for (int i = 0; i < files->n; i++) {
        const inlay_extension *x =
            load(files->items[i], INLAY_EXTENSION_SYMBOL, "extension", "INLAY_EXTENSION", out, d);

        if (!x || !add_operations(files->items[i], x, out, d))
            return false;
    }
    return true;
}

static bool load_all(const cli_list *passes, const cli_list *operations, cli_plugins *out,
                     inlay_diags *d)
{
    out->objects = calloc((size_t)passes->n + (size_t)operations->n, sizeof *out->objects);
    if (!out->objects)
        return inlay_fail_memory(d);
    return load_passes(passes, out, d) && load_operations(operations, out, d);
}

bool cli_load_plugins(const cli_list *passes, const cli_list *operations, cli_plugins *out)
{
    inlay_diags *d;
    bool ok;

    if (passes->n + operations->n == 0)
        return true;
    d = inlay_diags_new();
    if (!d) {
        cli_no_memory();
        return false;
    }
    ok = load_all(passes, operations, out, d);
    cli_finish(d, INLAY_INVALID);
    return ok;
}

void cli_free_plugins(cli_plugins *p)
{
    inlay_pass_registry_free(p->passes);
    inlay_op_set_release(p->ops);
    while (p->n > 0)
        dlclose(p->objects[--p->n]);
    free(p->objects);
}
