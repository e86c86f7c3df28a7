/* Passes from a shared object that the caller has loaded. */
#include "inlay_ops.h"
#include "ir/shared.h"
#include "passes/registry.h"

bool inlay_plugin_add(inlay_pass_registry *p, const char *file, const inlay_plugin *plugin,
                      inlay_diags *d)
{
    inlay_pos pos = {file, 0};
    bool ok;

    if (inlay_is_missing(plugin, "plugin", d) || inlay_is_missing(p, "registry of passes", d))
        return false;
    if (plugin->version != INLAY_PLUGIN_VERSION)
        return inlay_fail(d, &pos,
                          "the plugin was built for version %u of the interface, this is %d",
                          plugin->version, INLAY_PLUGIN_VERSION);
    if (plugin->layout != INLAY_PLUGIN_LAYOUT)
        return inlay_fail(d, &pos,
                          "the plugin was built with the headers of another inlay: build it again "
                          "with those of this one");
    if (!plugin->add)
        return inlay_fail(d, &pos, "the plugin adds nothing: it has no function");
    registry_come_from(p, file);
    ok = plugin->add(p, d);
    registry_come_from(p, NULL);
    if (!ok && !inlay_diags_error(d))
        inlay_fail(d, &pos, "the plugin could not add its passes");
    return ok;
}
