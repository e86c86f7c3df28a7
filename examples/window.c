/* Adds 1 to rows 2 and 3 of a matrix, step after step, in the matrix itself, and counts the bytes
 * that each run copies: none, because each step donates what the one before gave. */
#include <inlay.h>

#include <stdio.h>

static const char model[] = "graph \"window\" {\n"
                            "  %data = Parameter-1 {element_type = f32, shape = [1000,4]}\n"
                            "  %start = Const-1 {value = i64[1] [2]}\n"
                            "  %stop = Const-1 {value = i64[1] [4]}\n"
                            "  %step = Const-1 {value = i64[1] [1]}\n"
                            "  %one = Const-1 {value = f32[] 1}\n"
                            "  %rows = Slice-8(%data, %start, %stop, %step)\n"
                            "  %change = Add-1(%rows, %one)\n"
                            "  %out = SliceScatter-15(%data, %change, %start, %stop, %step)\n"
                            "  %result = Result-1(%out)\n"
                            "}\n";

/* One step: T is given away, or kept as it is; the result is the caller's. NULL and an error. */
static inlay_tensor *step(inlay_session *s, inlay_tensor *t, bool donated, inlay_diags *d)
{
    inlay_input in = {"data", t, donated};
    inlay_output out = {"out", NULL};
    inlay_exec_stats stats;

    if (!inlay_session_run_named(s, &in, 1, &out, 1, d))
        return NULL;
    inlay_session_stats(s, &stats);
    printf("%s: row 2 is %g, %llu bytes copied\n", donated ? "donated" : "kept",
           inlay_tensor_get_f64(out.tensor, 8), (unsigned long long)stats.copied_bytes);
    return out.tensor;
}

int main(void)
{
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_text("window", model, sizeof model - 1, NULL, d);
    inlay_model *m = g ? inlay_load_graph(g, NULL, d) : NULL;
    inlay_session *s = m ? inlay_session_new(m->program, d) : NULL;
    inlay_tensor *t = inlay_tensor_new(INLAY_F32, 2, (int64_t[]){1000, 4});

    for (int i = 0; i < 4 && s && t; i++) {
        inlay_tensor *next = step(s, t, i < 3, d);

        inlay_tensor_release(t);
        t = next;
    }
    for (size_t i = 0; i < inlay_diags_count(d); i++)
        fprintf(stderr, "%s\n", inlay_diags_at(d, i)->text);
    bool ok = s && t;
    inlay_tensor_release(t);
    inlay_session_free(s);
    inlay_model_free(m);
    inlay_diags_free(d);
    return ok ? 0 : 1;
}
