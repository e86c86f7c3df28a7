/* `inlay --version`: the library, what is built into it, and what of the rest is found here. */
#include "cli/cli.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether a program compiles for oneDNN's kernels, whose module is looked for then. */
static bool has_onednn(void)
{
    static const char text[] = "graph \"g\" {\n"
                               "  %x = Parameter-1 {element_type = f32, shape = []}\n"
                               "  %r = Result-1(%x)\n}\n";
    const inlay_exec_options options = {.kernels = INLAY_KERNELS_ONEDNN};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = d ? inlay_read_text("version", text, sizeof text - 1, NULL, d) : NULL;
    inlay_program *p = g ? inlay_compile(g, &options, d) : NULL;

    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return p != NULL;
}

static bool has_library(const char *a, const char *b)
{
    void *library = dlopen(a, RTLD_LAZY);

    library = library ? library : dlopen(b, RTLD_LAZY);
    return library != NULL;
}

/* Is the program NAME in a folder of PATH? */
static bool has_program(const char *name)
{
    const char *folders = getenv("PATH");
    bool found = false;

    while (folders && *folders && !found) {
        int n = (int)strcspn(folders, ":");
        char path[4096];

        snprintf(path, sizeof path, "%.*s/%s", n, folders, name);
        found = access(path, X_OK) == 0;
        folders += n + (folders[n] == ':');
    }
    return found;
}

static void print_module(const char *name, const char *what, bool found)
{
    printf("  %-22s %-28s %s\n", name, what, found ? "found" : "not found");
}

int cli_print_version(void)
{
    const char *formats = inlay_image_formats();

    printf("inlay %s\n", inlay_version());
    printf(
        "built in: libxml2 (OpenVINO IR), cJSON (JSON graph), zlib (npz), protobuf-c (ONNX)%s%s\n",
        *formats ? ", pictures: " : "", formats);
    printf("used where it is there:\n");
    print_module("libinlay-onednn.so", "--kernels onednn", has_onednn());
    print_module("libonnxruntime.so", "bench --compare",
                 has_library("libonnxruntime.so", "libonnxruntime.so.1"));
    print_module("z3", "prove", has_program("z3"));
    return INLAY_OK;
}
