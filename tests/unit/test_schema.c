/* Compares models/graph.schema.json with the reader: what the reader accepts validates, and what
 * the reader refuses is refused by the schema too, unless the list says that no schema can. The
 * validator is for the part of JSON Schema (draft 2020-12) that the schema uses, and refuses other
 * keywords. */
#include "ir/ir.h"
#include "tests/unit/json_documents.h"
#include "tests/unit/models.h"
#include "unit.h"

#include <math.h>
#include <regex.h>

#include <cjson/cJSON.h>

static cJSON *root; /* the schema */

static bool valid(const cJSON *schema, const cJSON *value);

static bool has_type(const char *type, const cJSON *v)
{
    if (strcmp(type, "object") == 0)
        return cJSON_IsObject(v);
    if (strcmp(type, "array") == 0)
        return cJSON_IsArray(v);
    if (strcmp(type, "string") == 0)
        return cJSON_IsString(v);
    if (strcmp(type, "boolean") == 0)
        return cJSON_IsBool(v);
    if (strcmp(type, "null") == 0)
        return cJSON_IsNull(v);
    if (strcmp(type, "integer") == 0)
        return cJSON_IsNumber(v) && v->valuedouble == floor(v->valuedouble);
    assert_string_equal(type, "number");
    return cJSON_IsNumber(v);
}

static bool check_type(const cJSON *rule, const cJSON *v)
{
    const cJSON *type;

    if (cJSON_IsString(rule))
        return has_type(rule->valuestring, v);
    cJSON_ArrayForEach(type, rule)
    {
        if (has_type(type->valuestring, v))
            return true;
    }
    return false;
}

static bool check_enum(const cJSON *rule, const cJSON *v)
{
    const cJSON *one;

    cJSON_ArrayForEach(one, rule)
    {
        if (cJSON_Compare(one, v, 1))
            return true;
    }
    return false;
}

static bool check_required(const cJSON *rule, const cJSON *v)
{
    const cJSON *key;

    cJSON_ArrayForEach(key, rule)
    {
        if (cJSON_IsObject(v) && !cJSON_GetObjectItemCaseSensitive(v, key->valuestring))
            return false;
    }
    return true;
}

static bool check_dependent(const cJSON *rule, const cJSON *v)
{
    const cJSON *keys;

    cJSON_ArrayForEach(keys, rule)
    {
        if (cJSON_GetObjectItemCaseSensitive(v, keys->string) && !check_required(keys, v))
            return false;
    }
    return true;
}

static bool check_properties(const cJSON *schema, const cJSON *v)
{
    const cJSON *known = cJSON_GetObjectItemCaseSensitive(schema, "properties");
    const cJSON *others = cJSON_GetObjectItemCaseSensitive(schema, "additionalProperties");
    const cJSON *member, *rule;

    if (!cJSON_IsObject(v))
        return true;
    cJSON_ArrayForEach(member, v)
    {
        rule = known ? cJSON_GetObjectItemCaseSensitive(known, member->string) : NULL;
        if (rule == NULL)
            rule = others;
        if (rule != NULL && !valid(rule, member))
            return false;
    }
    return true;
}

static bool check_items(const cJSON *rule, const cJSON *v)
{
    const cJSON *item;

    if (!cJSON_IsArray(v))
        return true;
    cJSON_ArrayForEach(item, v)
    {
        if (!valid(rule, item))
            return false;
    }
    return true;
}

static bool check_pattern(const cJSON *rule, const cJSON *v)
{
    regex_t regex;
    bool found;

    if (!cJSON_IsString(v))
        return true;
    assert_int_equal(regcomp(&regex, rule->valuestring, REG_EXTENDED | REG_NOSUB), 0);
    found = regexec(&regex, v->valuestring, 0, NULL, 0) == 0;
    regfree(&regex);
    return found;
}

static int count_valid(const cJSON *rules, const cJSON *v)
{
    const cJSON *one;
    int n = 0;

    cJSON_ArrayForEach(one, rules) n += valid(one, v);
    return n;
}

static bool follow(const cJSON *rule, const cJSON *v)
{
    static const char prefix[] = "#/$defs/";
    const cJSON *defs = cJSON_GetObjectItemCaseSensitive(root, "$defs"), *target;

    assert_memory_equal(rule->valuestring, prefix, sizeof(prefix) - 1);
    target = cJSON_GetObjectItemCaseSensitive(defs, rule->valuestring + sizeof(prefix) - 1);
    assert_non_null(target);
    return valid(target, v);
}

static bool check_keyword(const cJSON *schema, const cJSON *rule, const cJSON *v)
{
    static const char *const words[] = {"$schema", "$id", "title", "description", "$defs"};
    const char *key = rule->string;

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(key, words[i]) == 0)
            return true;
    }
    if (strcmp(key, "type") == 0)
        return check_type(rule, v);
    if (strcmp(key, "const") == 0)
        return cJSON_Compare(rule, v, 1);
    if (strcmp(key, "enum") == 0)
        return check_enum(rule, v);
    if (strcmp(key, "required") == 0)
        return check_required(rule, v);
    if (strcmp(key, "dependentRequired") == 0)
        return check_dependent(rule, v);
    if (strcmp(key, "properties") == 0 || strcmp(key, "additionalProperties") == 0)
        return check_properties(schema, v);
    if (strcmp(key, "items") == 0)
        return check_items(rule, v);
    if (strcmp(key, "maxItems") == 0)
        return !cJSON_IsArray(v) || cJSON_GetArraySize(v) <= rule->valueint;
    if (strcmp(key, "minLength") == 0)
        return !cJSON_IsString(v) || (int)strlen(v->valuestring) >= rule->valueint;
    if (strcmp(key, "minimum") == 0)
        return !cJSON_IsNumber(v) || v->valuedouble >= rule->valuedouble;
    if (strcmp(key, "pattern") == 0)
        return check_pattern(rule, v);
    if (strcmp(key, "anyOf") == 0)
        return count_valid(rule, v) > 0;
    if (strcmp(key, "oneOf") == 0)
        return count_valid(rule, v) == 1;
    if (strcmp(key, "$ref") == 0)
        return follow(rule, v);
    fail_msg("the schema uses \"%s\", which this test does not know", key);
    return false;
}

static bool valid(const cJSON *schema, const cJSON *value)
{
    const cJSON *rule;

    if (cJSON_IsBool(schema))
        return cJSON_IsTrue(schema);
    cJSON_ArrayForEach(rule, schema)
    {
        if (!check_keyword(schema, rule, value))
            return false;
    }
    return true;
}

static int load_schema(void **state)
{
    char *text = model_load("models/graph.schema.json", NULL);

    root = cJSON_Parse(text);
    free(text);
    return root == NULL;
}

static int free_schema(void **state)
{
    cJSON_Delete(root);
    return 0;
}

static bool accepted(const char *text)
{
    char *quoted = json_quoted(text);
    cJSON *document = cJSON_Parse(quoted);
    bool ok = document != NULL && valid(root, document);

    if (document == NULL)
        print_error("no JSON: %s\n", text);
    assert_non_null(document);
    cJSON_Delete(document);
    free(quoted);
    return ok;
}

static void what_is_read_validates(void **state)
{
    for (size_t i = 0; i < n_json_good; i++) {
        if (!accepted(json_good[i].text))
            fail_msg("the schema refuses %s", json_good[i].text);
    }
}

static void what_is_refused_does_not_validate(void **state)
{
    int wrong = 0;

    for (size_t i = 0; i < n_json_bad; i++) {
        if (accepted(json_bad[i].text) != json_bad[i].schema) {
            print_error("the schema %s %s\n", json_bad[i].schema ? "refuses" : "accepts",
                        json_bad[i].text);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* The element types of the schema are those of the table. */
static void the_types_are_the_tables(void **state)
{
    const cJSON *defs = cJSON_GetObjectItemCaseSensitive(root, "$defs");
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(defs, "type");
    const cJSON *names = cJSON_GetObjectItemCaseSensitive(type, "enum"), *name;
    inlay_type found;

    assert_int_equal(cJSON_GetArraySize(names), INLAY_N_TYPES);
    cJSON_ArrayForEach(name, names) assert_true(inlay_type_by_name(name->valuestring, &found));
}

/* A validator that accepts everything would pass the tests above in part. */
static void the_validator_can_refuse(void **state)
{
    assert_false(accepted("{'format': 'inlay-graph', 'format_version': 1, 'inputs': [{}]}"));
    assert_false(accepted("{'format': 'inlay-graph', 'format_version': 1, 'x': 1}"));
    assert_false(accepted("{'format': 'inlay-graph', 'format_version': 1, 'inputs': "
                          "[{'name': 'x', 'type': 'f32', 'shape': ['x']}]}"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_validates),
        cmocka_unit_test(what_is_refused_does_not_validate),
        cmocka_unit_test(the_types_are_the_tables),
        cmocka_unit_test(the_validator_can_refuse),
    };
    return cmocka_run_group_tests(tests, load_schema, free_schema);
}
