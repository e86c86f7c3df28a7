/* Graphs whose steps are computed together, for the tests of fused steps. */
#ifndef INLAY_TESTS_FUSED_GRAPHS_H
#define INLAY_TESTS_FUSED_GRAPHS_H

#include "graphs.h"
#include "grouped.h"

/* d is a tree, e is read by a MatMul, and f stands alone, of other dims. */
static const char tree[] = "%x = Parameter-1 {element_type = f32, shape = [6,100]}\n"
                           "%y = Parameter-1 {element_type = f32, shape = [6,1]}\n"
                           "%k = Parameter-1 {element_type = f32, shape = [100,6]}\n"
                           "%a = Add-1(%x, %y)\n"
                           "%b = Exp-1(%x)\n"
                           "%c = Multiply-1(%a, %b)\n"
                           "%d = Subtract-1(%c, %a)\n"
                           "%e = Abs-1(%d)\n"
                           "%m = MatMul-1(%e, %k)\n"
                           "%f = Sqrt-1(%m)\n"
                           "%out = Result-1(%f)\n"
                           "%also = Result-1(%e)\n";

static const char casts[] = "%x = Parameter-1 {element_type = f16, shape = [6,100]}\n"
                            "%a = Convert-1(%x) {destination_type = f32}\n"
                            "%b = Exp-1(%a)\n"
                            "%c = Convert-1(%b) {destination_type = f16}\n"
                            "%d = Convert-1(%c) {destination_type = f32}\n"
                            "%e = Abs-1(%d)\n"
                            "%f = Convert-1(%e) {destination_type = i32}\n"
                            "%out = Result-1(%f)\n";

static const char choice[] = "%x = Parameter-1 {element_type = i32, shape = [6,100]}\n"
                             "%y = Parameter-1 {element_type = i32, shape = [6,1]}\n"
                             "%mask = Parameter-1 {element_type = boolean, shape = [100]}\n"
                             "%s = Parameter-1 {element_type = f32, shape = [6,100]}\n"
                             "%low = Const-1 {value = f32[] -1000}\n"
                             "%a = Add-1(%x, %y)\n"
                             "%b = Less-1(%a, %x)\n"
                             "%c = LogicalAnd-1(%b, %mask)\n"
                             "%d = Select-1(%c, %s, %low)\n"
                             "%e = Exp-1(%d)\n"
                             "%out = Result-1(%e)\n";

/* I is read twice, so it is in memory: what leads to it is computed in one go, and what is made of
 * it in another one, with rows, a row for all of them and numbers for each on either side. R
 * divides by what O makes, and does not work on it. */
static const char straight[] = "%x = Parameter-1 {element_type = f32, shape = [5,70]}\n"
                               "%y = Parameter-1 {element_type = f32, shape = [5,1]}\n"
                               "%w = Parameter-1 {element_type = f32, shape = [70]}\n"
                               "%p = Const-1 {value = f32[] 0.7}\n"
                               "%q = Const-1 {value = f32[] -0.3}\n"
                               "%z = Add-1(%x, %y)\n"
                               "%a = Minimum-1(%z, %p)\n"
                               "%b = Subtract-1(%a, %q)\n"
                               "%c = Multiply-1(%b, %q)\n"
                               "%d = Maximum-1(%c, %q)\n"
                               "%e = Add-1(%d, %q)\n"
                               "%f = ReLU-1(%e)\n"
                               "%g = Subtract-1(%f, %p)\n"
                               "%h = Abs-1(%g)\n"
                               "%i = Clamp-1(%h) {min = 0.1, max = 0.6}\n"
                               "%j = Multiply-1(%i, %x)\n"
                               "%k = Add-1(%w, %j)\n"
                               "%l = Divide-1(%k, %y)\n"
                               "%m = Multiply-1(%q, %l)\n"
                               "%n = Subtract-1(%m, %w)\n"
                               "%o = Add-1(%y, %n)\n"
                               "%r = Divide-1(%x, %o)\n"
                               "%out = Result-1(%r)\n"
                               "%also = Result-1(%i)\n";

/* H is computed from G in one go, and must not take the register of the numbers that G divides
 * by, which nobody else reads. */
static const char straight_norm[] = "%x = Parameter-1 {element_type = f32, shape = [6,80]}\n"
                                    "%scale = Parameter-1 {element_type = f32, shape = [80]}\n"
                                    "%axis = Const-1 {value = i64[1] [-1]}\n"
                                    "%a = ReduceL1-4(%x, %axis) {keep_dims = true}\n"
                                    "%g = Divide-1(%x, %a)\n"
                                    "%h = Multiply-1(%g, %scale)\n"
                                    "%i = Exp-1(%h)\n"
                                    "%out = Result-1(%i)\n"
                                    "%also = Result-1(%x)\n";

/* Floats that are codes for a moment. CODES_OF(256) has a Clamp beyond them. */
#define CODES_OF(most)                                                                             \
    "%x = Parameter-1 {element_type = f32, shape = [5,70]}\n"                                      \
    "%s = Const-1 {value = f32[] 0.1}\n"                                                           \
    "%zero = Const-1 {value = f32[] 7}\n"                                                          \
    "%q = Divide-1(%x, %s)\n"                                                                      \
    "%n = Round-5(%q) {mode = half_to_even}\n"                                                     \
    "%a = Add-1(%n, %zero)\n"                                                                      \
    "%c = Clamp-1(%a) {min = 0, max = " #most "}\n"                                                \
    "%k = Convert-1(%c) {destination_type = u8}\n"                                                 \
    "%f = Convert-1(%k) {destination_type = f32}\n"                                                \
    "%d = Subtract-1(%f, %zero)\n"                                                                 \
    "%y = Multiply-1(%d, %s)\n"                                                                    \
    "%r = Result-1(%y)\n"                                                                          \
    "%also = Result-1(%x)\n"
static const char codes[] = CODES_OF(255);
static const char codes_beyond[] = CODES_OF(256);

/* B and D are gates. F multiplies by another operand than that of its sigmoid; G is read twice. */
static const char gates[] = "%x = Parameter-1 {element_type = f32, shape = [5,70]}\n"
                            "%a = Sigmoid-1(%x)\n"
                            "%b = Multiply-1(%a, %x)\n"
                            "%c = Sigmoid-1(%b)\n"
                            "%d = Multiply-1(%b, %c)\n"
                            "%e = Sigmoid-1(%d)\n"
                            "%f = Multiply-1(%e, %x)\n"
                            "%g = Sigmoid-1(%f)\n"
                            "%h = Multiply-1(%g, %f)\n"
                            "%i = Add-1(%h, %g)\n"
                            "%out = Result-1(%i)\n"
                            "%also = Result-1(%x)\n";

static const char rows[] = "%x = Parameter-1 {element_type = f32, shape = [6,8,1000]}\n"
                           "%m = Parameter-1 {element_type = f32, shape = [8,1000]}\n"
                           "%half = Const-1 {value = f32[] 0.5}\n"
                           "%a = Multiply-1(%x, %half)\n"
                           "%b = Add-1(%a, %m)\n"
                           "%c = SoftMax-8(%b) {axis = -1}\n"
                           "%d = Multiply-1(%c, %m)\n"
                           "%out = Result-1(%d)\n";

static const char norm[] = "%x = Parameter-1 {element_type = f32, shape = [6,8,100]}\n"
                           "%axis = Const-1 {value = i64[1] [-1]}\n"
                           "%two = Const-1 {value = f32[] 2}\n"
                           "%little = Const-1 {value = f32[] 0.00001}\n"
                           "%scale = Parameter-1 {element_type = f32, shape = [100]}\n"
                           "%a = ReduceMean-1(%x, %axis) {keep_dims = true}\n"
                           "%b = Subtract-1(%x, %a)\n"
                           "%c = Power-1(%b, %two)\n"
                           "%d = ReduceMean-1(%c, %axis) {keep_dims = true}\n"
                           "%e = Add-1(%d, %little)\n"
                           "%f = Sqrt-1(%e)\n"
                           "%g = Divide-1(%b, %f)\n"
                           "%h = Multiply-1(%g, %scale)\n"
                           "%out = Result-1(%h)\n";

static inline exec_fused *fused_of(const grouped *s)
{
    return (exec_fused *)grouped_step(s, "a")->fused;
}

static inline exec_op *op_of(const grouped *s, const char *name)
{
    exec_fused *f = fused_of(s);

    for (int i = 0; i < f->n_ops; i++) {
        if (&s->x->list[f->ops[i].step] == grouped_step(s, name))
            return &f->ops[i];
    }
    fail_msg("%s is not fused", name);
    return NULL;
}

enum { MOST_INPUTS = 4, TEXT = 1 << 15 };

struct model {
    char text[TEXT];
    size_t used;
    inlay_type type;
    int rank;
    int64_t dims[4];
    int n_in, n_values;
    int narrow; /* number of the last value that is narrow; 0: none is */
    inlay_tensor *in[MOST_INPUTS];
};

static inline void check_model(const struct model *m, uint64_t seed)
{
    static const int threads[] = {1, 2, 3, 7};
    inlay_graph *g = graph_of(m->text);
    inlay_tensor *wanted[2], *out[2];

    grouped_run(g, &(inlay_exec_options){.mode = INLAY_EXEC_REFERENCE}, m->in, m->text, wanted);
    for (int i = 0; i < 4; i++) {
        grouped_run(g, &(inlay_exec_options){.threads = threads[i], .poison = i % 2 == 0}, m->in,
                    m->text, out);
        for (int k = 0; k < 2; k++) {
            if (!grouped_same(out[k], wanted[k]))
                fail_msg("seed %llu, %d threads: result %d differs\n%s", (unsigned long long)seed,
                         threads[i], k, m->text);
            inlay_tensor_release(out[k]);
        }
    }
    inlay_tensor_release(wanted[0]);
    inlay_tensor_release(wanted[1]);
    inlay_graph_free(g);
}

#endif
