/* A rule file of any bytes: it is read or refused with a message, and what is read can be applied.
 */
#include "fuzz.h"
#include "parser/parser.h"
#include "passes/passes.h"

static const char model[] = "graph \"g\" {\n"
                            "  %x = Parameter-1 {element_type = f32, shape = [4,5]}\n"
                            "  %start = Const-1 {value = i64[1] [1]}\n"
                            "  %stop = Const-1 {value = i64[1] [3]}\n"
                            "  %step = Const-1 {value = i64[1] [1]}\n"
                            "  %rows = Slice-8(%x, %start, %stop, %step)\n"
                            "  %changed = ReLU-1(%rows)\n"
                            "  %out = SliceScatter-15(%x, %changed, %start, %stop, %step)\n"
                            "  %result = Result-1(%out)\n"
                            "}\n";

static void apply(const inlay_rules *rules, inlay_diags *d)
{
    inlay_graph *g = inlay_read_text("model.inlay", model, sizeof model - 1, NULL, d);
    const inlay_pass_options o = {.passes = "rules", .rules = &rules, .n_rules = 1, .check = true};

    if (!g || (!inlay_run_passes(g, &o, d) && inlay_diags_status(d) != INLAY_NO_RESOURCE))
        fuzz_broken("rules that were read can be applied", d);
    inlay_graph_free(g);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("fuzz.rules", (const char *)bytes, n, d);

    if (!rules && !inlay_diags_error(d))
        fuzz_broken("a reader that refuses says why", d);
    if (rules)
        apply(rules, d);
    inlay_rules_free(rules);
    inlay_diags_free(d);
    return 0;
}
