/* Runs a model again and again with its output in a buffer of the program's own: nothing is copied,
 * and from the second run on nothing is allocated. usage: bind_output */
#include <inlay.h>

#include <stdio.h>
#include <string.h>

static const char model[] = "graph \"model\" {\n"
                            "  %x = Parameter {element_type = f32, shape = [4]}\n"
                            "  %two = Const {value = f32[] 2}\n"
                            "  %twice = Multiply(%x, %two)\n"
                            "  %y = Exp(%twice)\n"
                            "  %out = Result(%y)\n"
                            "}\n";

/* A tensor over memory that stays the program's. */
static inlay_tensor *tensor_over(float *memory, int64_t n)
{
    inlay_buffer *b = inlay_buffer_wrap(memory, (size_t)n * sizeof *memory, NULL, NULL);
    inlay_tensor *t = b ? inlay_tensor_over(b, memory, INLAY_F32, 1, &n) : NULL;

    inlay_buffer_release(b);
    return t;
}

int main(void)
{
    float in[4] = {0, 0, 0, 0}, out[4];
    inlay_diags *d = inlay_diags_new();
    inlay_graph *g = inlay_read_text("model", model, strlen(model), NULL, d);
    inlay_program *p = g ? inlay_compile(g, NULL, d) : NULL;
    inlay_session *s = p ? inlay_session_new(p, d) : NULL;
    inlay_tensor *x = tensor_over(in, 4), *y = tensor_over(out, 4), *result;
    bool ok = s && x && y && inlay_session_bind_output(s, 0, y, d);

    for (int i = 0; ok && i < 3; i++) {
        in[1] = (float)i;
        ok = inlay_session_run(s, (const inlay_tensor *const[]){x}, NULL, &result, d);
        if (ok)
            printf("%.3f %.3f\n", (double)out[0], (double)out[1]);
        inlay_tensor_release(ok ? result : NULL);
    }
    for (size_t i = 0; i < inlay_diags_count(d); i++)
        fprintf(stderr, "%s\n", inlay_diags_at(d, i)->text);
    inlay_tensor_release(x);
    inlay_tensor_release(y);
    inlay_session_free(s);
    inlay_program_free(p);
    inlay_graph_free(g);
    inlay_diags_free(d);
    return ok ? 0 : 1;
}
