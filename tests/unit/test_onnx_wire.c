/* The binary form of ONNX files. Files are made by protobuf-c's packer, and what is read from these
 * files is packed again: the same bytes must come. What is malformed is compared with protobuf-c's
 * own reader. */
#include "ir/shared.h"
#include "parser/onnx/wire.h"
#include "unit.h"

#include "onnx.pb-c.h"
#include "seeds.h"

enum { MAX_FILE = 1 << 16 };

typedef struct file {
    uint8_t bytes[MAX_FILE];
    size_t n;
} file;

static void pack(const void *message, file *out)
{
    assert_true(protobuf_c_message_get_packed_size(message) <= MAX_FILE);
    out->n = protobuf_c_message_pack(message, out->bytes);
}

/* Reads F, and returns the message, in *A, or NULL with the error's text in WORDS. */
static Onnx__ModelProto *read_model(const file *f, size_t n, inlay_arena **a, char *words,
                                    size_t size)
{
    inlay_diags *d = inlay_diags_new();
    Onnx__ModelProto *m;

    *a = inlay_arena_new();
    m = onnx_wire_read(&onnx__model_proto__descriptor, f->bytes, n, "m.onnx", *a, d);
    assert_int_equal(m == NULL, inlay_diags_count(d) == 1);
    snprintf(words, size, "%s", m ? "" : inlay_diags_at(d, 0)->text);
    inlay_diags_free(d);
    return m;
}

static void reads_back(const file *f)
{
    static file again;
    inlay_arena *a;
    char words[300];
    Onnx__ModelProto *m = read_model(f, f->n, &a, words, sizeof words);

    assert_string_equal(words, "");
    pack(m, &again);
    assert_int_equal(again.n, f->n);
    assert_memory_equal(again.bytes, f->bytes, f->n);
    inlay_arena_free(a);
}

/* Makes a message of type WHAT with random fields, DEEP levels of messages in it. */
static void *random_message(const ProtobufCMessageDescriptor *what, int deep, uint64_t *seed,
                            inlay_arena *a);

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

static void random_element(const ProtobufCFieldDescriptor *field, void *out, int deep,
                           uint64_t *seed, inlay_arena *a)
{
    static const uint64_t numbers[] = {
        0, 1, 127, 128, 300, UINT64_MAX, INT64_MAX, (uint64_t)INT64_MIN, 1u << 31};
    static const char *const strings[] = {"", "x", "a longer name", "\xc3\xa9"};
    uint64_t number = numbers[next(seed) % (sizeof numbers / sizeof numbers[0])];
    float f = (float)number / 3;
    double g = (double)number / 3;
    int32_t i = (int32_t)(uint32_t)number;

    switch (field->type) {
    case PROTOBUF_C_TYPE_STRING:
        *(char **)out = inlay_arena_strdup(a, strings[next(seed) % 4]);
        break;
    case PROTOBUF_C_TYPE_BYTES:
        ((ProtobufCBinaryData *)out)->len = next(seed) % 5;
        ((ProtobufCBinaryData *)out)->data = (uint8_t *)inlay_arena_strdup(a, "\x80\xff zz");
        break;
    case PROTOBUF_C_TYPE_MESSAGE:
        *(void **)out = random_message(field->descriptor, deep - 1, seed, a);
        break;
    case PROTOBUF_C_TYPE_FLOAT:
        memcpy(out, &f, sizeof f);
        break;
    case PROTOBUF_C_TYPE_DOUBLE:
        memcpy(out, &g, sizeof g);
        break;
    default:
        memcpy(out, onnx_field_size(field) == 4 ? (void *)&i : (void *)&number,
               onnx_field_size(field));
    }
}

static void *random_message(const ProtobufCMessageDescriptor *what, int deep, uint64_t *seed,
                            inlay_arena *a)
{
    void *m = onnx_message_new(what, 0, a);

    for (unsigned i = 0; i < what->n_fields; i++) {
        const ProtobufCFieldDescriptor *field = &what->fields[i];
        uint64_t n = next(seed) % (field->label == PROTOBUF_C_LABEL_REPEATED ? 5 : 2);

        if (field->type == PROTOBUF_C_TYPE_MESSAGE && (deep == 0 || next(seed) % 3 > 0))
            continue;
        for (uint64_t k = 0; k < n; k++)
            random_element(field, onnx_field_add(m, field, a), deep, seed, a);
    }
    return m;
}

static void test_random_messages(void **state)
{
    const seed_range s = seeds_to_try(300, 100);
    static file f;

    for (uint64_t seed = s.first; seed < s.first + s.n; seed++) {
        inlay_arena *a = inlay_arena_new();
        uint64_t r = seed;

        pack(random_message(&onnx__model_proto__descriptor, 5, &r, a), &f);
        reads_back(&f);
        inlay_arena_free(a);
    }
}

/* This library refuses a model cut at any byte where protobuf-c refuses it. */
static void test_cut_files(void **state)
{
    static file f;
    inlay_arena *a = inlay_arena_new();
    uint64_t seed = 7;

    pack(random_message(&onnx__model_proto__descriptor, 5, &seed, a), &f);
    inlay_arena_free(a);
    for (size_t n = 0; n < f.n; n++) {
        char words[300];
        ProtobufCMessage *theirs =
            protobuf_c_message_unpack(&onnx__model_proto__descriptor, NULL, n, f.bytes);
        Onnx__ModelProto *ours = read_model(&f, n, &a, words, sizeof words);

        assert_int_equal(ours != NULL, theirs != NULL);
        if (theirs)
            protobuf_c_message_free_unpacked(theirs, NULL);
        inlay_arena_free(a);
    }
}

static void put(file *f, const void *bytes, size_t n)
{
    assert_true(f->n + n <= MAX_FILE);
    memcpy(f->bytes + f->n, bytes, n);
    f->n += n;
}

static void says(const void *bytes, size_t n, const char *expected)
{
    static file f;
    inlay_arena *a;
    char words[300];

    f.n = 0;
    put(&f, bytes, n);
    read_model(&f, n, &a, words, sizeof words);
    assert_string_equal(words, expected);
    inlay_arena_free(a);
}

#define SAYS(bytes, expected) says(bytes, sizeof bytes - 1, expected)

static void test_messages(void **state)
{
    /* graph (7) of 4 bytes: name (2), whose length is 9 */
    SAYS("\x3a\x04\x12\x09oh", "graph.name: the length at byte 3 is larger than what is left");
    /* graph: node (1) twice: empty; attribute (5): name (1) "axes", ints (8) without an end */
    SAYS("\x3a\x0e\x0a\x00\x0a\x0a\x2a\x08\x0a\x04"
         "axes\x40\xff",
         "graph.node[1].attribute \"axes\".ints: the number at byte 15 has no end");
    /* the same, the name not known yet */
    SAYS("\x3a\x06\x0a\x04\x2a\x02\x40\xff",
         "graph.node[0].attribute[0].ints: the number at byte 7 has no end");
    SAYS("\x08", "ir_version: the number at byte 1 has no end");
    SAYS("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
         "ir_version: the number at byte 1 has more than 64 bits");
    SAYS("\x0d\x01\x00\x00\x00",
         "ir_version: the field at byte 0 is of another wire type than ONNX says");
    SAYS("\x00\x01", "the tag at byte 0 has no field number");
    SAYS("\xff\x07\x01", "the field at byte 0 is of a wire type that ONNX does not have");
    SAYS("\x12\x02\xff\xff", "producer_name: the string at byte 2 is not UTF-8 text");
    SAYS("\x12\x02x\x00", "producer_name: the string at byte 2 is not UTF-8 text");
    SAYS("\x3a\x00\x3a\x00", "graph: the message at byte 2 is there a second time");
}

/* Fields that nobody knows are passed, of every wire type. */
static void test_unknown_fields(void **state)
{
    inlay_arena *a;
    char words[300];
    Onnx__ModelProto *m;
    file f = {.n = 0};

    put(&f, "\xf8\x07\x80\x01", 4);
    put(&f, "\xf9\x07\1\2\3\4\5\6\7\x08", 10);
    put(&f, "\xfa\x07\x03oho", 6);
    put(&f, "\xfd\x07\1\2\3\4", 6);
    put(&f, "\x08\x0d", 2);
    m = read_model(&f, f.n, &a, words, sizeof words);
    assert_string_equal(words, "");
    assert_int_equal(m->ir_version, 13);
    inlay_arena_free(a);
}

/* Numbers side by side and one by one are the same, also mixed; of a field that is not repeated the
 * last number counts. */
static void test_packed_or_not(void **state)
{
    static const int64_t expected[] = {1, 300, 2, -1};
    inlay_diags *d = inlay_diags_new();
    inlay_arena *a = inlay_arena_new();
    const char bytes[] = "\x0a\x03\x01\xac\x02"
                         "\x08\x02"
                         "\x0a\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                         "\x10\x07\x10\x01";
    Onnx__TensorProto *t =
        onnx_wire_read(&onnx__tensor_proto__descriptor, bytes, sizeof bytes - 1, "x.pb", a, d);

    assert_non_null(t);
    assert_int_equal(t->n_dims, 4);
    assert_memory_equal(t->dims, expected, sizeof expected);
    assert_int_equal(t->data_type, 1);
    inlay_arena_free(a);
    inlay_diags_free(d);
}

/* Fields of type bytes are not copied. */
static void test_bytes_are_views(void **state)
{
    const char bytes[] = "\x4a\x05 raw!";
    inlay_arena *a = inlay_arena_new();
    Onnx__TensorProto *t =
        onnx_wire_read(&onnx__tensor_proto__descriptor, bytes, sizeof bytes - 1, "x.pb", a, NULL);

    assert_ptr_equal(t->raw_data.data, bytes + 2);
    assert_int_equal(t->raw_data.len, 5);
    assert_int_equal(onnx_message_offset(t), 0);
    inlay_arena_free(a);
}

/* Nests N messages, each in the one before: graph (7) of node (1) of attribute (5) of g (6) of node
 * ... */
static void nest(int n, file *f)
{
    static uint8_t bytes[MAX_FILE];
    size_t size = 0;

    for (int i = n - 1; i >= 1; i--) {
        static const uint8_t tags[] = {0x32, 0x0a, 0x2a};
        uint8_t head[8], k = 0;
        size_t length = size;

        head[k++] = i == 1 ? 0x3a : tags[(i - 1) % 3];
        do {
            head[k++] = (uint8_t)(length & 0x7f) | (length > 0x7f ? 0x80 : 0);
        } while (length >>= 7);
        memmove(bytes + k, bytes, size);
        memcpy(bytes, head, k);
        size += k;
    }
    f->n = 0;
    put(f, bytes, size);
}

static void test_depth(void **state)
{
    static file f;
    inlay_arena *a;
    char words[300];

    nest(ONNX_MAX_DEPTH, &f);
    assert_non_null(read_model(&f, f.n, &a, words, sizeof words));
    inlay_arena_free(a);
    nest(ONNX_MAX_DEPTH + 1, &f);
    assert_null(read_model(&f, f.n, &a, words, sizeof words));
    assert_non_null(strstr(words, "is nested more than 100 deep"));
    inlay_arena_free(a);
    nest(10000, &f);
    assert_null(read_model(&f, f.n, &a, words, sizeof words));
    inlay_arena_free(a);
}

/* The most memory that reading a chain of COUNT Adds holds, its messages included. */
static uint64_t peak_of_chain(size_t count)
{
    Onnx__ModelProto m = ONNX__MODEL_PROTO__INIT;
    Onnx__GraphProto g = ONNX__GRAPH_PROTO__INIT;
    Onnx__OperatorSetIdProto set = ONNX__OPERATOR_SET_ID_PROTO__INIT, *sets[] = {&set};
    Onnx__TensorProto x = ONNX__TENSOR_PROTO__INIT, *constants[] = {&x};
    inlay_arena *a = inlay_arena_new();
    inlay_budget *b = inlay_budget_new(0, NULL);
    const inlay_read_options o = {.budget = b};
    inlay_diags *d = inlay_diags_new();
    inlay_graph *read;
    uint64_t peak;
    char *bytes;
    size_t n;

    set.has_version = m.has_ir_version = 1;
    set.version = 17;
    m.ir_version = 8;
    m.n_opset_import = 1;
    m.opset_import = sets;
    m.graph = &g;
    x.name = "x";
    x.has_data_type = 1;
    x.data_type = 1; /* float */
    x.n_float_data = 1;
    x.float_data = (float[]){1};
    g.n_initializer = 1;
    g.initializer = constants;
    g.n_node = count;
    g.node = inlay_arena_array(a, count, sizeof *g.node);
    for (size_t i = 0; i < count; i++) {
        char **names = inlay_arena_array(a, 3, sizeof *names);

        g.node[i] = inlay_arena_alloc(a, sizeof **g.node);
        onnx__node_proto__init(g.node[i]);
        names[0] = i == 0 ? "x" : g.node[i - 1]->output[0];
        names[1] = names[0];
        names[2] = inlay_arena_printf(a, "t%zu", i);
        g.node[i]->op_type = "Add";
        g.node[i]->n_input = 2;
        g.node[i]->input = names;
        g.node[i]->n_output = 1;
        g.node[i]->output = &names[2];
    }
    n = protobuf_c_message_get_packed_size(&m.base);
    bytes = inlay_arena_alloc(a, n);
    protobuf_c_message_pack(&m.base, (uint8_t *)bytes);
    read = inlay_read_onnx("chain.onnx", bytes, n, NULL, &o, d);
    if (!read)
        fail_msg("%s", inlay_diags_error(d)->text);
    inlay_graph_free(read);
    peak = inlay_budget_peak(b);
    inlay_budget_free(b);
    inlay_diags_free(d);
    inlay_arena_free(a);
    return peak;
}

/* Large graphs are read at the speed of memory, so bytes are what can be counted: 821 a node, and
 * 926 where a sanitizer has bytes behind each object of an arena. */
static void test_bytes_a_node(void **state)
{
    enum { FEW = 20000, MANY = 80000, MOST = ADDRESS_SANITIZED ? 980 : 880 };
    uint64_t more = peak_of_chain(MANY) - peak_of_chain(FEW);

    if (more > (uint64_t)MOST * (MANY - FEW))
        fail_msg("%llu bytes a node", (unsigned long long)(more / (MANY - FEW)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_messages), cmocka_unit_test(test_cut_files),
        cmocka_unit_test(test_messages),        cmocka_unit_test(test_unknown_fields),
        cmocka_unit_test(test_packed_or_not),   cmocka_unit_test(test_bytes_are_views),
        cmocka_unit_test(test_depth),           cmocka_unit_test(test_bytes_a_node),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
