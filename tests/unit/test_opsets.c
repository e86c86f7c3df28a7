/* The rows of ops.def against the list of OpenVINO's operations: every row of an opset exists
 * there, is contained in the same opsets, and is written under the same version. */
#include "ir/ir.h"
#include "ir/shared.h"
#include "unit.h"

#include <cjson/cJSON.h>

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *bytes = NULL;
    long n;

    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    n = ftell(f);
    rewind(f);
    bytes = calloc(1, (size_t)n + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)n, f), (size_t)n);
    fclose(f);
    return bytes;
}

static bool holds(const cJSON *numbers, int k)
{
    const cJSON *n;

    cJSON_ArrayForEach(n, numbers)
    {
        if (n->valueint == k)
            return true;
    }
    return false;
}

static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItem(object, name)->valuestring;
}

/* Returns the class that implements version VERSION of OP: "v8", or the only or first one ("v0") of
 * specification 8. */
static const cJSON *find_class(const cJSON *op, int version, const cJSON **spec)
{
    const cJSON *v, *c;
    char name[16];

    snprintf(name, sizeof name, "v%d", version);
    cJSON_ArrayForEach(v, cJSON_GetObjectItem(op, "versions"))
    {
        const cJSON *classes = cJSON_GetObjectItem(v, "classes");
        bool its_version = cJSON_GetObjectItem(v, "opset")->valueint == version;

        *spec = v;
        cJSON_ArrayForEach(c, classes)
        {
            bool only = cJSON_GetArraySize(classes) == 1 || strcmp(text_of(c, "class"), "v0") == 0;

            if (strcmp(text_of(c, "class"), name) == 0 || (its_version && only))
                return c;
        }
    }
    return NULL;
}

/* Returns whether opset K has class CLS of OP: one class may stand under two specifications. */
static bool class_in_opset(const cJSON *op, const cJSON *cls, int k)
{
    const cJSON *v, *c;

    cJSON_ArrayForEach(v, cJSON_GetObjectItem(op, "versions"))
    {
        cJSON_ArrayForEach(c, cJSON_GetObjectItem(v, "classes"))
        {
            if (strcmp(text_of(c, "class"), text_of(cls, "class")) == 0 &&
                holds(cJSON_GetObjectItem(c, "opsets"), k))
                return true;
        }
    }
    return false;
}

/* Returns whether OpenVINO registers class CLS of OP in opset K, whatever the page of K lists:
 * files name the opset in which it is registered. (A row has no gaps: it has opset2, too, where
 * opset1 and opset3 have the operation.) */
static bool is_registered(const cJSON *root, const cJSON *op, const cJSON *cls, int k)
{
    char opset[32];
    const cJSON *of, *name = cJSON_GetObjectItem(op, "registry_name");

    snprintf(opset, sizeof opset, "opset%d", k);
    of = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "registries"), opset);
    of = of && name ? cJSON_GetObjectItem(of, name->valuestring) : NULL;
    return cJSON_IsString(of) && strcmp(of->valuestring, text_of(cls, "class")) == 0;
}

static const cJSON *find_op(const cJSON *root, const char *type)
{
    const cJSON *op;

    cJSON_ArrayForEach(op, cJSON_GetObjectItem(root, "operations"))
    {
        if (strcmp(cJSON_GetObjectItem(op, "xml_type")->valuestring, type) == 0)
            return op;
    }
    return NULL;
}

/* Returns whether an operation is registered, or specified, but stands on no opset's page: "6..15",
 * "1". */
static bool is_off_page(const cJSON *root, const inlay_op *row)
{
    const cJSON *op;

    cJSON_ArrayForEach(op, cJSON_GetObjectItem(root, "registered_or_specified_without_opset_page"))
    {
        const cJSON *version = cJSON_GetObjectItem(op, "version");
        const cJSON *opsets = cJSON_GetObjectItem(op, "opsets");

        if (strcmp(cJSON_GetObjectItem(op, "name")->valuestring, row->name) == 0 &&
            cJSON_IsNumber(version) && version->valueint == row->version)
            return strtol(opsets->valuestring, NULL, 10) == row->first;
    }
    return false;
}

/* An operation that stood in an opset while it was developed, and that files of that time have. */
static bool is_unreleased(const inlay_op *row)
{
    return strcmp(row->name, "RMSNorm") == 0 && row->version == 14;
}

/* Returns 0 when the row agrees; else 1, with a line that says where it does not. */
static int check_row(const cJSON *root, const inlay_op *row)
{
    const cJSON *op = find_op(root, row->name), *spec = NULL;
    const cJSON *cls = op ? find_class(op, row->version, &spec) : NULL;
    int bad = 0;

    if (!cls && (is_off_page(root, row) || is_unreleased(row)))
        return 0;
    if (!cls) {
        print_error("%s-%d: OpenVINO has no such operation\n", row->name, row->version);
        return 1;
    }
    if (strcmp(cJSON_GetObjectItem(cls, "serialized_version")->valuestring, row->written) != 0) {
        print_error("%s-%d is written %s, OpenVINO writes %s\n", row->name, row->version,
                    row->written, cJSON_GetObjectItem(cls, "serialized_version")->valuestring);
        bad = 1;
    }
    for (int k = 1; k <= 15; k++) {
        bool theirs = class_in_opset(op, cls, k);
        bool ours = k >= row->first && k <= row->last;

        if (theirs != ours && !(ours && is_registered(root, op, cls, row->first))) {
            print_error("%s-%d: opset%d %s it, the row says otherwise\n", row->name, row->version,
                        k, theirs ? "contains" : "does not contain");
            bad = 1;
        }
    }
    return bad;
}

/* Returns the list; a test that needs it is skipped where it is not. */
static cJSON *read_list(void)
{
    const char *shared = getenv("INLAY_SHARED");
    char path[4096], *text;
    cJSON *root;

    snprintf(path, sizeof path, "%s/reference/opsets.json", shared ? shared : "");
    text = shared && *shared ? read_all(path) : NULL;
    if (!text) {
        print_message("skipped: the list of operations is not here\n");
        skip();
    }
    root = cJSON_Parse(text);
    free(text);
    assert_non_null(root);
    return root;
}

static void rows_agree_with_the_list(void **state)
{
    cJSON *root = read_list();
    int bad = 0;

    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        if (strcmp(inlay_op_at(NULL, i)->set, "opset") == 0)
            bad += check_row(root, inlay_op_at(NULL, i));
    }
    cJSON_Delete(root);
    assert_int_equal(bad, 0);
}

/* Returns 0 when a file that has TYPE of version WRITTEN finds a row that is written so, else 1. */
static int check_pair(const char *type, const char *written)
{
    const inlay_op *row = inlay_op_find(NULL, type, written, NULL, NULL);

    if (row && strcmp(row->written, written) == 0)
        return 0;
    print_error("%s@%s is missing\n", type, written);
    return 1;
}

static int check_classes(const cJSON *op)
{
    const cJSON *v, *c;
    int bad = 0;

    cJSON_ArrayForEach(v, cJSON_GetObjectItem(op, "versions"))
    {
        cJSON_ArrayForEach(c, cJSON_GetObjectItem(v, "classes"))
        {
            bad += check_pair(text_of(op, "xml_type"), text_of(c, "serialized_version"));
        }
    }
    return bad;
}

/* Returns 0 when TYPE has a row of version VERSION, else 1. */
static int check_version(const char *type, int version)
{
    for (size_t i = 0; i < inlay_op_count(NULL); i++) {
        const inlay_op *row = inlay_op_at(NULL, i);

        if (strcmp(row->set, "opset") == 0 && strcmp(row->name, type) == 0 &&
            row->version == version)
            return 0;
    }
    print_error("%s-%d is missing\n", type, version);
    return 1;
}

/* Operations that no page of an opset lists, though OpenVINO registers them: files have them. */
static void no_unlisted_operation_is_missing(void **state)
{
    cJSON *root = read_list();
    const cJSON *op;
    int bad = 0, n = 0;

    cJSON_ArrayForEach(op, cJSON_GetObjectItem(root, "registered_or_specified_without_opset_page"))
    {
        const cJSON *version = cJSON_GetObjectItem(op, "version");

        if (cJSON_IsNumber(version)) {
            bad += check_version(text_of(op, "name"), version->valueint);
            n++;
        }
    }
    cJSON_Delete(root);
    assert_true(n > 8);
    assert_int_equal(bad, 0);
}

/* Every operation that a writer of OpenVINO writes has a row of the version that it writes. */
static void no_pair_is_missing(void **state)
{
    cJSON *root = read_list();
    const cJSON *op;
    int bad = 0, n = 0;

    cJSON_ArrayForEach(op, cJSON_GetObjectItem(root, "operations"))
    {
        bad += check_classes(op);
        n++;
    }
    cJSON_Delete(root);
    assert_true(n > 200);
    assert_int_equal(bad, 0);
}

/* A look-up may name any opset that contains the operation, in any letter case. */
static void look_up(void **state)
{
    inlay_diags *d = inlay_diags_new();

    assert_ptr_equal(inlay_op_find(NULL, "parameter", "opset8", NULL, d),
                     inlay_op_find(NULL, "Parameter", NULL, NULL, d));
    assert_null(inlay_op_find(NULL, "NoSuchOp", "opset8", NULL, d));
    assert_string_equal(inlay_diags_at(d, 0)->text, "unknown operation NoSuchOp of version opset8");
    assert_null(inlay_op_find(NULL, "Parameter", "opset99", NULL, d));
    assert_string_equal(inlay_diags_at(d, 1)->text,
                        "operation Parameter is of unknown version \"opset99\"");
    assert_null(inlay_op_find(NULL, "Parameter", "onnx13", NULL, d));
    assert_string_equal(inlay_diags_at(d, 2)->text,
                        "onnx13 does not contain operation Parameter (Parameter-1 is known)");
    assert_null(inlay_op_find(NULL, "Constant", NULL, NULL, d));
    assert_string_equal(inlay_diags_at(d, 3)->text,
                        "unknown operation Constant, did you mean \"Concat\"?");
    assert_ptr_equal(
        inlay_op_find(NULL, "ExperimentalDetectronDetectionOutput", "experimental", NULL, d),
        inlay_op_find(NULL, "ExperimentalDetectronDetectionOutput", "opset6", NULL, d));
    assert_ptr_equal(inlay_op_find(NULL, "MVN", "opset1", NULL, d),
                     inlay_op_find(NULL, "MVN", "opset2", NULL, d));
    assert_null(inlay_op_find(NULL, "Parameter", "experimental", NULL, d));
    inlay_diags_free(d);
}

static void rows_of_a_type(void **state)
{
    const inlay_op *rows[2] = {NULL, NULL};

    assert_int_equal(inlay_op_of_type(NULL, "scatterupdate", rows, 2), 1);
    assert_string_equal(rows[0]->name, "ScatterUpdate");
    assert_null(rows[1]);
    assert_true(inlay_op_of_type(NULL, "Slice", rows, 2) > 2); /* OpenVINO's and ONNX's */
    assert_string_equal(rows[1]->name, "Slice");
    assert_int_equal(inlay_op_of_type(NULL, "NoSuchOp", NULL, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_agree_with_the_list),
                                       cmocka_unit_test(no_pair_is_missing),
                                       cmocka_unit_test(no_unlisted_operation_is_missing),
                                       cmocka_unit_test(look_up), cmocka_unit_test(rows_of_a_type)};

    return cmocka_run_group_tests_name("opsets", tests, NULL, NULL);
}
