/* Instances in which the tests of the audit (interp/audit) plant mistakes. */
#ifndef INLAY_TESTS_AUDITED_H
#define INLAY_TESTS_AUDITED_H

#include "graphs.h"
#include "interp/exec/build/instance.h"

/* An instance to plant a mistake in: X is that of the whole graph, of its body, or of its second
 * segment, in which case BEFORE is that of the first one. */
typedef struct subject {
    inlay_graph *graph;
    inlay_diags *diags;
    graph_steps *steps;
    exec_plan *plan;
    exec_instance *before; /* or NULL */
    exec_instance *x;
    inlay_tensor *in[4], *loose; /* LOOSE: what the first segment hands over */
} subject;

/* Makes an instance after running PASSES (NULL: the default ones). Inputs have shape [4,6] in the
 * outermost graph, [6] in a body. */
subject subject_behind(const char *passes, const char *body, bool of_body);
subject subject_of(const char *body, bool of_body);
void subject_free(subject *s);

/* Returns the step of the node called NAME; its first value; the allocation of that value. */
exec_step *step_of(exec_instance *x, const char *name);
size_t value_of(exec_instance *x, const char *name);
exec_allocation *unit_of(exec_instance *x, const char *name);

/* Moves the tensor of the value NAME by BYTES, and gives it other STRIDES unless NULL. */
void reshow(exec_instance *x, const char *name, int64_t bytes, const int64_t *strides);

typedef struct mistake {
    const char *name, *body;
    enum { OUTERMOST, BODY, NEXT_SEGMENT } of; /* the instance that gets the mistake */
    void (*plant)(exec_instance *x);
} mistake;

/* Checks that the audit refuses the instance with the mistake, and names a step. */
void check_mistake(const mistake *m);

/* Values live side by side: a and b until c is made, which leaves the run; d is made after them. */
static const char chain[] = "  %x = Parameter {element_type = f32, shape = [4,6]}\n"
                            "  %k = Const {value = f32[6] [1, 2, 3, 4, 5, 6]}\n"
                            "  %one = Const {value = f32[] 1}\n"
                            "  %a = Exp(%x)\n"
                            "  %b = Add(%a, %k)\n"
                            "  %s = SoftMax(%b) {axis = 1}\n"
                            "  %c = Multiply(%s, %a)\n"
                            "  %d = Add(%c, %one)\n"
                            "  %m = MatMul(%d, %a) {transpose_b = true}\n"
                            "  %out = Result(%m)\n";

/* Moves a part of a copy in the scatter BYTES farther than it belongs. */
static inline void move_part(exec_instance *x, size_t v, int64_t bytes)
{
    inlay_tensor *was = x->meta[v], moved = *was;

    moved.data = (char *)moved.data + bytes;
    x->meta[v] = inlay_tensor_window(&moved, was->rank, was->dims, was->strides, 0);
    inlay_tensor_release(was);
}

#endif
