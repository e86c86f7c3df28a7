#!/bin/sh
# The pass in the README is complete: it compiles without a warning and does what it says.
set -u
. "$ROOT/tests/tap.sh"
cd "$ROOT" || exit 2

awk '/^```/ { inside = /^```c$/ ; next } inside' README.md >"$scratch/my_pass.c"
cat >"$scratch/main.c" <<'END'
#include "parser/parser.h"
#include "passes/pass.h"

#include <stdio.h>
#include <string.h>

inlay_pass_fn pass_my_pass;

static bool to_stdout(void *ctx, const char *bytes, size_t n)
{
    return fwrite(bytes, 1, n, ctx) == n;
}

int main(void)
{
    static const char text[] = "graph \"g\" {\n"
                               "  %x = Parameter-1 {element_type = f32, shape = [2]}\n"
                               "  %a = Negative-1(%x)\n"
                               "  %b = Negative-1(%a)\n"
                               "  %c = ReLU-1(%b)\n"
                               "  %r = Result-1(%c)\n"
                               "}\n";
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_text(text, strlen(text), "g", NULL, d);
    inlay_pass_options options = {0};
    pass_run r = {.options = &options, .diags = d};
    inlay_sink out = {to_stdout, stdout};
    bool ok = g && pass_my_pass(g, &r) && inlay_check_graph(g, d) && inlay_print(g, true, &out, d);

    printf("%d change\n", (int)r.changes);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return ok ? 0 : 1;
}
END

# Words are split on purpose.
# shellcheck disable=SC2046,SC2086
build() {
    $CC -std=c11 -D_POSIX_C_SOURCE=200809L $CFLAGS -Wall -Wextra -Wpedantic -Wshadow -Werror -I. "-I$BUILD/gen" \
        -o "$scratch/program" "$scratch/my_pass.c" "$scratch/main.c" "$BUILD/tests/libinlay-private.a" \
        $(pkg-config --cflags --libs libxml-2.0 libcjson zlib libprotobuf-c) -lm -pthread $LDFLAGS
}

works "the pass in the README compiles" build
cat >"$scratch/expected" <<'END'
graph "g" {
  %x = Parameter-1 {element_type = f32, shape = [2]} : f32[2]
  %c = ReLU-1(%x) : f32[2]
  %r = Result-1(%c)
  %a = Negative-1(%x) : f32[2]
}
1 change
END
"$scratch/program" >"$scratch/actual" 2>&1
same "it changes what it says" "$scratch/expected" "$scratch/actual"
finish
