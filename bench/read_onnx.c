/* The time to read ONNX, compared in one run: from a file to a verified graph; protobuf-c's
 * protobuf_c_message_unpack of the same bytes; and, given ONNX Runtime's library, its session. The
 * first two run in processes of their own, as a file is opened: in one process, malloc gives unpack
 * the pages that it had before, while an arena of ours asks the system for clear ones each time.
 * usage: read_onnx [LIBRARY|-] [MODEL...]; a chain of 100,000 nodes is always measured. */
#include "bench/measure.h"
#include "bench/session.h"
#include "parser/parser.h"

#include "onnx.pb-c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 7, CHAIN = 100000, FLOAT = 1 };

static void *memory(size_t n, size_t size)
{
    void *p = calloc(n, size);

    if (!p)
        die("memory", NULL);
    return p;
}

/* the chain: x + b + b + ..., of four numbers */

static Onnx__ValueInfoProto *value_info(char *name)
{
    Onnx__ValueInfoProto *v = memory(1, sizeof *v);
    Onnx__TypeProto *type = memory(1, sizeof *type);
    Onnx__TypeProto__Tensor *tensor = memory(1, sizeof *tensor);
    Onnx__TensorShapeProto *shape = memory(1, sizeof *shape);
    Onnx__TensorShapeProto__Dimension *dim = memory(1, sizeof *dim);

    onnx__value_info_proto__init(v);
    onnx__type_proto__init(type);
    onnx__type_proto__tensor__init(tensor);
    onnx__tensor_shape_proto__init(shape);
    onnx__tensor_shape_proto__dimension__init(dim);
    dim->has_dim_value = 1;
    dim->dim_value = 4;
    shape->n_dim = 1;
    shape->dim = memory(1, sizeof(void *));
    shape->dim[0] = dim;
    tensor->has_elem_type = 1;
    tensor->elem_type = FLOAT;
    tensor->shape = shape;
    type->tensor_type = tensor;
    v->name = name;
    v->type = type;
    return v;
}

static char *name_of(int i)
{
    char *name = memory(1, 16);

    if (i == 0)
        return strcpy(name, "x");
    snprintf(name, 16, "t%d", i);
    return name;
}

static Onnx__NodeProto *add(char *x, char *b, char *y)
{
    Onnx__NodeProto *n = memory(1, sizeof *n);

    onnx__node_proto__init(n);
    n->op_type = "Add";
    n->n_input = 2;
    n->input = memory(2, sizeof *n->input);
    n->input[0] = x;
    n->input[1] = b;
    n->n_output = 1;
    n->output = memory(1, sizeof *n->output);
    n->output[0] = y;
    return n;
}

static Onnx__GraphProto *chain_graph(void)
{
    Onnx__GraphProto *g = memory(1, sizeof *g);
    char *last = name_of(0), *b = "b";

    onnx__graph_proto__init(g);
    g->name = "chain";
    g->n_input = 2;
    g->input = memory(2, sizeof *g->input);
    g->input[0] = value_info(last);
    g->input[1] = value_info(b);
    g->n_node = CHAIN;
    g->node = memory(CHAIN, sizeof *g->node);
    for (int i = 0; i < CHAIN; i++) {
        char *next = name_of(i + 1);

        g->node[i] = add(last, b, next);
        last = next;
    }
    g->n_output = 1;
    g->output = memory(1, sizeof *g->output);
    g->output[0] = value_info(last);
    return g;
}

/* The records of the chain are small and never freed. */
static void write_chain(const char *path)
{
    Onnx__ModelProto m = ONNX__MODEL_PROTO__INIT;
    Onnx__OperatorSetIdProto set = ONNX__OPERATOR_SET_ID_PROTO__INIT, *sets[] = {&set};
    size_t n;
    uint8_t *bytes;
    FILE *f = fopen(path, "wb");

    set.has_version = m.has_ir_version = 1;
    set.version = 17;
    m.ir_version = 8;
    m.n_opset_import = 1;
    m.opset_import = sets;
    m.graph = chain_graph();
    n = protobuf_c_message_get_packed_size(&m.base);
    bytes = memory(n, 1);
    protobuf_c_message_pack(&m.base, bytes);
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
        die("writing the chain", NULL);
    free(bytes);
}

/* the three readers */

/* *OPENED: without the verification. */
static double our_time(const char *path, double *opened)
{
    inlay_diags *d = inlay_diags_new();
    double start = now();
    inlay_graph *g = inlay_read_file(path, NULL, d);

    *opened = now() - start;
    if (!g || !inlay_check_graph(g, d))
        die(path, d);
    start = now() - start;
    inlay_graph_free(g);
    inlay_diags_free(d);
    return start;
}

static uint8_t *read_bytes(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    long size;
    uint8_t *bytes;

    if (!f || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET) != 0)
        die(path, NULL);
    *n = (size_t)size;
    bytes = memory(*n + 1, 1);
    if (fread(bytes, 1, *n, f) != *n)
        die(path, NULL);
    fclose(f);
    return bytes;
}

static double unpack_time(const uint8_t *bytes, size_t n)
{
    double start = now();
    Onnx__ModelProto *m = onnx__model_proto__unpack(NULL, n, bytes);

    if (!m)
        die("protobuf_c_message_unpack", NULL);
    start = now() - start;
    onnx__model_proto__free_unpacked(m, NULL);
    return start;
}

/* Calls one of the two in a process of its own: the one that reads PATH, or with BYTES the other. */
static double time_apart(const char *path, const uint8_t *bytes, size_t n, double *opened)
{
    double took[2] = {0, 0};
    int ends[2], status;
    pid_t child = pipe(ends) == 0 ? fork() : -1;

    if (child == 0) {
        took[0] = bytes ? unpack_time(bytes, n) : our_time(path, &took[1]);
        _exit(write(ends[1], took, sizeof took) != (ssize_t)sizeof took);
    }
    if (child < 0 || read(ends[0], took, sizeof took) != (ssize_t)sizeof took ||
        waitpid(child, &status, 0) != child || status != 0)
        die("a process that reads", NULL);
    close(ends[0]);
    close(ends[1]);
    *opened = took[1];
    return took[0];
}

static double session_time(const ort_library *o, const char *path)
{
    double start = now();
    void *session = ort_session(o, path);

    start = now() - start;
    ort_release(o, session);
    return start;
}

/* Each run measures all three, under the same load. O: NULL without the library. */
static void compare_readers(const ort_library *o, const char *path, const char *label)
{
    double ours[RUNS], opened[RUNS], unpack[RUNS], session[RUNS] = {0};
    double of_unpack[RUNS], of_session[RUNS], opened_of[RUNS];
    size_t n;
    uint8_t *bytes = read_bytes(path, &n);

    for (int i = 0; i < RUNS; i++) {
        double none;

        ours[i] = time_apart(path, NULL, 0, &opened[i]);
        unpack[i] = time_apart(path, bytes, n, &none);
        opened_of[i] = opened[i] / unpack[i];
        of_unpack[i] = ours[i] / unpack[i];
        if (o) {
            session[i] = session_time(o, path);
            of_session[i] = ours[i] / session[i];
        }
    }
    free(bytes);
    printf("%s, %.1f MB; medians of %d runs\n", label, (double)n / 1e6, RUNS);
    printf("  read and verify     %8.1f ms\n", median(ours, RUNS) * 1e3);
    printf("  protobuf-c's unpack %8.1f ms, ours is %6.3f x that, %.3f x to read alone\n",
           median(unpack, RUNS) * 1e3, median(of_unpack, RUNS), median(opened_of, RUNS));
    if (o)
        printf("  ONNX Runtime        %8.1f ms, ours is %6.3f x that\n",
               median(session, RUNS) * 1e3, median(of_session, RUNS));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    char chain[] = "/tmp/inlay-bench-XXXXXX";
    ort_library library;
    const ort_library *o = NULL;
    int fd = mkstemp(chain);

    if (fd < 0)
        die("a temporary file", NULL);
    close(fd);
    if (argc > 1 && strcmp(argv[1], "-") != 0) {
        ort_open(&library, argv[1], 1);
        o = &library;
    }
    write_chain(chain);
    compare_readers(NULL, chain,
                    "a chain of 100,000 nodes"); /* a session of it takes a quarter minute */
    unlink(chain);
    for (int i = 2; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/');

        compare_readers(o, argv[i], slash ? slash + 1 : argv[i]);
    }
    return 0;
}
