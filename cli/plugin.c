/* Plugins: shared objects with passes. To load one is to run its code, so only those are loaded
 * that the command line names (--load); nothing in a model can name one. */
#include "cli/cli.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Without a slash in its name it would be looked for where libraries are. */
static void *open_object(const char *file)
{
    char path[4096];

    if (strchr(file, '/'))
        return dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if ((size_t)snprintf(path, sizeof path, "./%s", file) >= sizeof path)
        return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static bool load(const char *file, cli_plugins *out, inlay_diags *d)
{
    void *object = open_object(file);
    inlay_pos pos = {file, 0};
    const inlay_plugin *plugin;
    const char *why;

    if (!object) {
        why = dlerror();
        return inlay_fail(d, &pos, "the plugin cannot be loaded: %s", why ? why : "no such file");
    }
    out->objects[out->n++] = object;
    plugin = dlsym(object, INLAY_PLUGIN_SYMBOL);
    if (!plugin)
        return inlay_fail(d, &pos,
                          "this is no plugin: it has no %s, which the macro INLAY_PLUGIN defines",
                          INLAY_PLUGIN_SYMBOL);
    return inlay_plugin_add(out->passes, file, plugin, d);
}

static bool load_all(const cli_list *files, cli_plugins *out, inlay_diags *d)
{
    out->objects = calloc((size_t)files->n, sizeof *out->objects);
    if (!out->objects)
        return inlay_fail_memory(d);
    out->passes = inlay_pass_registry_new(d);
    for (int i = 0; out->passes && i < files->n; i++) {
        if (!load(files->items[i], out, d))
            return false;
    }
    return out->passes != NULL;
}

bool cli_load_plugins(const cli_list *files, cli_plugins *out)
{
    inlay_diags *d;
    bool ok;

    if (files->n == 0)
        return true;
    d = inlay_diags_new();
    if (!d) {
        cli_no_memory();
        return false;
    }
    ok = load_all(files, out, d);
    cli_finish(d, INLAY_INVALID);
    return ok;
}

void cli_free_plugins(cli_plugins *p)
{
    inlay_pass_registry_free(p->passes);
    while (p->n > 0)
        dlclose(p->objects[--p->n]);
    free(p->objects);
}
