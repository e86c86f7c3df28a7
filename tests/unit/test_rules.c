/* The rule language: every message of its reader, and what a rule may say. The built-in rules are
 * tested by tests/rules. */
#include "graphs.h"
#include "models.h"

#include "inlay_ops.h"
#include "passes/passes.h"

/* Checks that reading TEXT fails with a message that has WANTED in it. */
static void check_fails(const char *text, const char *wanted)
{
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("my.rules", text, strlen(text), d);

    if (rules)
        fail_msg("this was read:\n%s\nit must fail with %s", text, wanted);
    assert_int_equal(inlay_diags_count(d), 1);
    if (!strstr(model_messages(d), wanted))
        fail_msg("wanted \"%s\", found %s", wanted, model_messages(d));
    assert_string_equal(inlay_diags_at(d, 0)->file, "my.rules");
    assert_int_equal(inlay_diags_status(d), INLAY_INVALID);
    inlay_diags_free(d);
}

/* Checks that a rule is refused whose sides and conditions are REST. */
static void check_rule_fails(const char *rest, const char *wanted)
{
    char text[2048];

    snprintf(text, sizeof text, "rule r exact:\n%s", rest);
    check_fails(text, wanted);
}

static void test_frame(void **state)
{
    check_fails("role r exact: ReLU(x) => x", "1: error: found `role`, expected `rule`");
    check_fails("rule 3 exact: ReLU(x) => x", "found `3`, expected the name of a rule");
    check_fails("rule r nearly: ReLU(x) => x", "found `nearly`, expected exact, refines or approx");
    check_fails("rule r exact ReLU(x) => x", "found `ReLU`, expected `:`");
    check_fails("rule r exact: ReLU(x) = x", "found `=`, expected `=>`");
    check_fails("rule r exact:\nReLU(x) =>\n",
                "3: error: found the end of the text, expected an operand");
    check_fails("rule r exact: ReLU(x) => x\nrule r exact: Abs(x) => x",
                "2: error: rule r: there is a rule of this name on line 1");
    check_fails("rule r exact: ReLU(x) => x $", "1: error: a stray `$`");
}

static void test_operations(void **state)
{
    check_rule_fails("Rely(x) => x", "2: error: rule r: there is no operation `Rely` in opset");
    check_rule_fails("Gelu@opset1(x) => x", "there is no operation `Gelu` in these versions");
    check_rule_fails("ReLU@8(x) => x", "found `8`, expected a version such as opset8");
    check_rule_fails("ReLU(x, y) => x", "ReLU-1 has 1 operand, here it has 2");
    check_rule_fails("Add(x) => x", "Add-1 has 2 operands, here it has 1");
    check_rule_fails("Add(...xs) => x", "Add-1 does not take any number of operands");
    check_rule_fails("Concat(...xs, y) {...} => y", "`...` must be the last operand");
    check_rule_fails("x => x", "the left side must be a node");
    check_rule_fails("ReLU(ReLU(ReLU(ReLU(ReLU(ReLU(ReLU(ReLU(ReLU(x))))))))) => x",
                     "nodes are nested more than 8 deep");
    check_rule_fails("Concat(a,b,c,d,e,f,g,h,i) {...} => a", "there are more than 8 operands");
    check_rule_fails("ScatterUpdate(window w) => x",
                     "`window` stands for the last operands of OpenVINO's Slice and SliceScatter");
    check_rule_fails("Slice(x, window w) => ReLU(window w)", "ReLU-1 has 1 operand, here it has 4");
}

static void test_attributes(void **state)
{
    check_rule_fails("Concat(...xs) => x",
                     "attribute \"axis\" of Concat has no default: name it or write {...}");
    check_rule_fails("ReLU(x) => Concat(x)",
                     "attribute \"axis\" of Concat has no default: name it");
    check_rule_fails("ReLU(x) {axis = 1} => x", "ReLU-1 has no attribute \"axis\"");
    check_rule_fails(
        "Squeeze(x) {allow_axis_skip = true} => x",
        "Squeeze-1 has no attribute \"allow_axis_skip\": say which versions are meant");
    check_rule_fails("any f(x) {keep = true} => x", "no operation has an attribute \"keep\"");
    check_rule_fails("any f(x) {value = n} => x",
                     "\"value\" is another kind of attribute of one operation than of others: say "
                     "which operation is meant");
    check_rule_fails("Concat(x) {axis = [1]} => x", "attribute \"axis\" is one number, not a list");
    check_rule_fails("StridedSlice(x, b, e) {begin_mask = 1, end_mask = [1]} => x",
                     "attribute \"begin_mask\" is a list of numbers");
    check_rule_fails("Concat(x) {axis = 1, axis = 2} => x", "attribute \"axis\" is named twice");
    check_rule_fails("Concat(x) {1 = 1} => x", "found `1`, expected the name of an attribute");
    check_rule_fails("Concat(x) {... , axis = 1} => x", "found `,`, expected `}`");
    check_rule_fails("Clamp(x) {min = \"0\", max = 1} => x", "found `\"0\"`, expected a number");
    check_rule_fails("Convert(x) {destination_type = 3} => x", "found `3`, expected a name");
    check_rule_fails("Broadcast(x, s) {mode = numppy} => x",
                     "`numppy` is no value of its attribute, and as a name it is used only here");
    check_rule_fails("ReLU(x) => Concat(x) {axis = n}",
                     "`n` has no meaning, and \"axis\" knows no such value");
    check_rule_fails("Concat(x) {axis = n} => Convert(x) {destination_type = n}",
                     "`n` is an attribute of another kind than attribute \"destination_type\"");
    check_rule_fails("Concat(Convert(x) {destination_type = n}) {axis = n} => x",
                     "`n` is an attribute of another kind than \"axis\"");
    check_rule_fails("Concat(x) {axis = x} => x", "`x` is a value, here it would be an attribute");
    check_rule_fails("ReLU(x) => Concat(x) {...}",
                     "there is no Concat on the left whose attributes {...} could be");
}

static void test_names(void **state)
{
    check_rule_fails("ReLU(x) => y",
                     "`y` has no meaning: neither the left side nor a let binds it");
    check_rule_fails("Slice(x, window w) => ReLU(w)", "`w` is a window, here a value is needed");
    check_rule_fails("Slice(x, window x) => x", "`x` is a value, here it would be a window");
    check_rule_fails("Squeeze(x, [a]) => Squeeze(x, a)", "`a` may be absent: write [a]");
    check_rule_fails("Slice(x, window w) => Slice(x, window v)", "`v` has no meaning");
    check_rule_fails("ReLU(x) => _", "`_` has no meaning on the right side");
    check_rule_fails("ReLU(x) => [0]", "the right side must be a value");
    check_rule_fails("ReLU(x) => [x]", "the right side must be a value");
    check_rule_fails("Concat(...xs) {...} => ...xs", "the right side is a list, the root is not");
    check_rule_fails("(...ys) = Split(x, k) {...} => x",
                     "the root has any number of outputs, the right side must be a list");
    check_rule_fails("(a, b) = TopK(x, k) {...} => x",
                     "the root has 2 outputs, the right side 1 value");
    check_rule_fails("(a, b, c) = TopK(x, k) {...} => x", "TopK has 2 outputs, here it has 3");
    check_rule_fails("x = ReLU(x) => x", "a meaning already");
    check_rule_fails("(x, x) = Split(y, k) {...} => (y, y)", "`x` has a meaning already");
    check_rule_fails("y = ReLU(x); Abs(z) => z",
                     "nothing the root depends on uses this node of the left side");
    check_rule_fails("y = x; ReLU(y) => x", "a node must follow `=`");
    check_rule_fails(
        "(...ys) = Split(x, k) {...} => (...zs) = Split(x, k) {...}; Concat(...zs) {axis = 0}",
        "all outputs of a new node cannot be operands");
}

/* Rules may say `...node` for lists. */
static void test_nodes_for_lists(void **state)
{
    check_rule_fails("y = Concat(...Slice(x, window w)) {axis = 0}; Abs(y) => x",
                     "found `(`, expected `)`");
    check_rule_fails("Concat(...xs) {axis = n} => Concat(...Abs(x)) {axis = n}",
                     "`x` has no meaning");
    check_rule_fails("Abs(x) => Concat(...Abs(x)) {axis = 0}",
                     "no operand of the node after `...` is a list, so their number is not known");
    check_rule_fails("Concat(...xs) {axis = n} => Concat(Abs(xs)) {axis = n}",
                     "`xs` is a list of values, here a value is needed");
    check_rule_fails("Concat(...xs) {axis = n} => Add(...Abs(xs))",
                     "Add-1 does not take any number of operands");
    check_rule_fails("Concat(...xs) {axis = n} => ...Abs(xs)",
                     "the right side is a list, the root is not");
    check_rule_fails("(...ys) = Split(x, k) {...} => (...zs) = Split(x, k) {...}; ...Abs(zs)",
                     "all outputs of a new node cannot be operands");
}

static void test_conditions(void **state)
{
    check_rule_fails("ReLU(x) => x where 3", "found `3`, expected the name of a condition");
    check_rule_fails("ReLU(x) => x where nice(x)", "there is no condition or function `nice`");
    check_rule_fails("ReLU(x) => x where once x", "found `x`, expected `(`");
    check_rule_fails("ReLU(x) => x where once()", "once takes 1 argument");
    check_rule_fails("ReLU(x) => x where same_shape(x)", "same_shape takes 2 arguments");
    check_rule_fails("ReLU(x) => x where once(x, x)", "once takes 1 argument");
    check_rule_fails("ReLU(x) => x where once(y)", "`y` has no meaning here");
    check_rule_fails("ReLU(x) => x where has_type(x, f17)",
                     "`f17` has no meaning here: the left side does not bind it, and it is no "
                     "element type");
    check_rule_fails("ReLU(x) => x where has_type(x, 16)", "found `16`, expected an attribute");
    check_rule_fails("ReLU(x) => x where full(x)", "full wants a window, `x` is a value");
    check_rule_fails("ReLU(x) => x where full(3)", "found `3`, expected a window");
    check_rule_fails("ReLU(x) => x where zeros([a])", "found `a`, expected a whole number");
    check_rule_fails("ReLU(x) => x where zeros(1.5)",
                     "found `1.5`, expected a whole number of 64 bits");
    check_rule_fails("ReLU(x) => x where let y = once(x)",
                     "once answers yes or no, it gives no value for `let`");
    check_rule_fails("ReLU(x) => x where static_shape(x)",
                     "static_shape is no condition: it gives a list of integers");
    check_rule_fails("ReLU(x) => x where let x = static_shape(x)", "`x` has a meaning already");
    check_rule_fails("ReLU(x) => x where let y static_shape(x)",
                     "found `static_shape`, expected `=`");
    check_rule_fails("ReLU(x) => x where once(x),once(x),once(x),once(x),once(x),once(x),once(x),"
                     "once(x),once(x),once(x),once(x),once(x),once(x),once(x),once(x)",
                     "there are more than 14 conditions");
    check_rule_fails("ReLU(x) => x where zeros([0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
                     "0,0,0,0,0,0,0,0])",
                     "a list has more than 32 elements");
}

#define SEVEN(a) "Concat(" a "1," a "2," a "3," a "4," a "5," a "6," a "7) {...}"
#define SEVEN_NODES(a)                                                                             \
    "Concat(Abs(" a "1),Abs(" a "2),Abs(" a "3),Abs(" a "4),Abs(" a "5),Abs(" a "6),Abs(" a        \
    "7)) {...}"

static void test_limits(void **state)
{
    check_rule_fails("(x, y) = MaxPool@opset8..(a) {strides = b, pads_begin = c, pads_end = d, "
                     "kernel = e, auto_pad = f, dilations = g, rounding_type = h, "
                     "index_element_type = i, axis = j} => a",
                     "there are more than 8 attributes");
    check_rule_fails("Concat(" SEVEN("a") "," SEVEN("b") "," SEVEN("c") "," SEVEN("d") "," SEVEN(
                         "e") ") {...} => a1",
                     "there are more than 32 names");
    check_rule_fails("Concat(" SEVEN_NODES("a") "," SEVEN_NODES("b") ", x) {...} => x",
                     "there are more than 16 nodes on a side");
    check_rule_fails("(a,b,c,d,e,f,g,h,i) = Split(x, k) {...} => x",
                     "there are more than 8 outputs");
    check_rule_fails("(a, b) = TopK(x, k) {...} => (x, x, x, x, x, x, x, x, x)",
                     "there are more than 8 values");
}

static void test_kinds(void **state)
{
    check_rule_fails("ReLU(x) => s where let s = static_shape(x)",
                     "the right side must be a value");
    check_rule_fails("any f(x) => x where once(f)", "once wants a value, `f` is an operation");
    check_rule_fails("y = any f(...xs); Slice(y, window w) => y where "
                     "let ws = operand_windows(f, xs, w, y), once(ws)",
                     "once wants a value, `ws` is a list of windows");
    check_rule_fails("ReLU(x) => x where let 3 = static_shape(x)", "found `3`, expected a name");
    check_rule_fails("y = ReLU(x); x = Abs(y) => y", "`x` has a meaning already");
    check_rule_fails("ReLU@opset8x(x) => x", "found `opset8x`, expected a version such as opset8");
}

/* Runs a user's set, which pass rules applies. */
static void run_own(const char *text, const char *body, uint64_t wanted, const char *said)
{
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("own.rules", text, strlen(text), d);
    inlay_graph *g = graph_of(body);
    const inlay_rules *sets[1] = {rules};
    inlay_pass_options o = {.passes = "rules", .rules = sets, .n_rules = 1, .check = true};

    (void)wanted;
    if (!rules || !inlay_run_passes(g, &o, d))
        fail_msg("%s", model_messages(d));
    if (wanted == 0)
        assert_true(inlay_graph_node(g, "y") &&
                    inlay_node_is(inlay_graph_node(g, "y"), INLAY_OP_RELU));
    if (said && !strstr(model_messages(d), said))
        fail_msg("wanted \"%s\", found %s", said, model_messages(d));
    inlay_graph_free(g);
    inlay_rules_free(rules);
    inlay_diags_free(d);
}

#define ONE                                                                                        \
    "%x = Parameter-1 {element_type = f32, shape = [2]}\n%y = ReLU-1(%x)\n%z = Abs-1(%y)\n%r = "   \
    "Result-1(%z)\n"

/* Rules that go in circles end at the limit, with a warning. */
static void test_circles_end(void **state)
{
    run_own("rule a exact: Abs(x) => Negative(x)\nrule b exact: Negative(x) => Abs(x)", ONE, 1,
            "which is the limit: do they go in circles?");
}

/* A replacement is refused that is not at least as precise in type and shape. */
static void test_replacement_must_fit(void **state)
{
    run_own("rule a exact: ReLU(x) => Convert(x) {destination_type = i32}", ONE, 0, NULL);
    run_own("rule b exact: ReLU(x) => Unsqueeze(x, [0])", ONE, 0, NULL);
    run_own("rule c exact: ReLU(x) => Unsqueeze(x, [7])", ONE, 0, NULL);
}

/* Returns the graph of BODY after the rules of TEXT. */
static inlay_graph *rewritten(const char *text, const char *body)
{
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("own.rules", text, strlen(text), d);
    const inlay_rules *sets[1] = {rules};
    inlay_pass_options o = {.passes = "rules", .rules = sets, .n_rules = 1, .check = true};
    inlay_graph *g = graph_of(body);

    if (!rules || !inlay_run_passes(g, &o, d))
        fail_msg("%s", model_messages(d));
    inlay_rules_free(rules);
    inlay_diags_free(d);
    return g;
}

/* A condition may come to hold by a rewrite elsewhere, after its node was looked at: y is used once
 * when m is gone. */
/* Returns whether Abs goes before a Slice of data of this SHAPE. */
static bool slice_goes_behind(const char *shape)
{
    char text[512];
    inlay_graph *g;
    bool moved;

    snprintf(text, sizeof text,
             "%%x = Parameter-1 {element_type = f32, shape = %s}\n"
             "%%b = Parameter-1 {element_type = i64, shape = [1]}\n"
             "%%c = Const-1 {value = i64[1] [1]}\n%%y = Slice-8(%%x, %%b, %%b, %%c)\n"
             "%%s = Abs-1(%%y)\n%%r = Result-1(%%s)\n",
             shape);
    g = rewritten(
        "rule a exact: Abs(Slice(x, window w)) => Slice(Abs(x), window w) where proper(w)", text);
    moved = inlay_node_is(inlay_graph_node(g, "s"), INLAY_OP_SLICE);
    inlay_graph_free(g);
    return moved;
}

/* The pairs of two constants are known if both have the same shape, or one has a single element. */
static void test_compared_constants(void **state)
{
    static const struct {
        const char *low, *high;
        bool less;
    } pairs[] = {{"f32[2,2] [1, 2, 3, 4]", "f32[2,2] [2, 3, 4, 5]", true},
                 {"f32[2,2] [1, 2, 3, 4]", "f32[2,2] [2, 3, 4, 4]", false},
                 {"f32[1,2] [1, 2]", "f32[2,2] [2, 3, 4, 5]", false},
                 {"f32[2,1] [1, 2]", "f32[2,2] [2, 3, 4, 5]", false},
                 {"f32[2] [1, 2]", "f32[2,2] [2, 3, 4, 5]", false},
                 {"f32[1,1] [1]", "f32[2,2] [2, 3, 4, 5]", true}};

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[400];
        inlay_graph *g;

        snprintf(text, sizeof text,
                 "%%x = Parameter {element_type = f32, shape = [2,2]}\n%%l = Const {value = %s}\n"
                 "%%h = Const {value = %s}\n%%m = Maximum(%%x, %%l)\n%%y = Minimum(%%m, %%h)\n"
                 "%%r = Result(%%y)\n",
                 pairs[i].low, pairs[i].high);
        g = rewritten("rule a exact: Minimum(Maximum(x, l), h) => Maximum(Minimum(x, h), l) "
                      "where less(l, h)",
                      text);
        if (inlay_node_is(inlay_graph_node(g, "y"), INLAY_OP_MAXIMUM) != pairs[i].less)
            fail_msg("%s < %s", pairs[i].low, pairs[i].high);
        inlay_graph_free(g);
    }
}

/* What is no constant is tried, be it made by another node or not. */
static void test_no_constant(void **state)
{
    inlay_graph *g = rewritten("rule a exact: Abs(x) => Sign(x) where not constant(x)",
                               "%x = Parameter {element_type = f32, shape = [2]}\n"
                               "%k = Const {value = f32[2] [1, 2]}\n%e = Exp(%x)\n"
                               "%a = Abs(%x)\n%b = Abs(%k)\n%c = Abs(%e)\n"
                               "%r = Result(%a)\n%s = Result(%b)\n%t = Result(%c)\n");

    assert_true(inlay_node_is(inlay_graph_node(g, "a"), INLAY_OP_SIGN));
    assert_false(inlay_node_is(inlay_graph_node(g, "b"), INLAY_OP_SIGN));
    assert_true(inlay_node_is(inlay_graph_node(g, "c"), INLAY_OP_SIGN));
    inlay_graph_free(g);
}

/* A number has no axis that could be cut. */
static void test_windows_of_unknown_rank(void **state)
{
    assert_true(slice_goes_behind("[?]"));
    assert_false(slice_goes_behind("[...]"));
}

static void test_conditions_that_come_to_hold(void **state)
{
    inlay_graph *g = rewritten("rule a exact: y = Cos(x); Sin(y) => Negative(y) where once(y)\n"
                               "rule b exact: Multiply(x, _) => x",
                               "%x = Parameter-1 {element_type = f32, shape = [2]}\n"
                               "%y = Cos-1(%x)\n%s = Sin-1(%y)\n%r = Result-1(%s)\n"
                               "%t = Abs-1(%y)\n%m = Multiply-1(%x, %t)\n%n = Abs-1(%m)\n"
                               "%q = Result-1(%n)\n");

    assert_true(inlay_node_is(inlay_graph_node(g, "s"), INLAY_OP_NEGATIVE));
    inlay_graph_free(g);
}

/* Nodes that only a list of operands led to go when that list does. */
static void test_lists_are_swept(void **state)
{
    inlay_graph *g =
        rewritten("rule a exact: Concat(...xs) {axis = 0} => x where let x = sliced(xs)",
                  "%x = Parameter-1 {element_type = f32, shape = [1]}\n"
                  "%b = Parameter-1 {element_type = i64, shape = [1]}\n"
                  "%n = Const-1 {value = i64[1] [1]}\n"
                  "%s = Slice-8(%x, %b, %n, %n)\n%t = Slice-8(%x, %b, %n, %n)\n"
                  "%c = Concat-1(%s, %t) {axis = 0}\n%y = Abs-1(%c)\n"
                  "%r = Result-1(%y)\n");

    assert_null(inlay_graph_node(g, "s"));
    assert_null(inlay_graph_node(g, "t"));
    inlay_graph_free(g);
}

/* Nodes are made for the elements of several lists only when these are as many. */
static void test_lists_of_different_length(void **state)
{
    inlay_graph *g = rewritten(
        "rule a exact: y = Concat(...xs) {axis = n}; Slice(y, window w) => Concat(...Slice(ps, "
        "window ws)) {axis = n} where let ps = parts_before(xs, n, w), let ws = "
        "windows_of_parts(xs, n, w)",
        "%x = Parameter-1 {element_type = f32, shape = [3]}\n"
        "%m = Const-1 {value = i64[1] [6]}\n%n = Const-1 {value = i64[1] [7]}\n"
        "%o = Const-1 {value = i64[1] [1]}\n"
        "%c = Concat-1(%x, %x, %x) {axis = 0}\n%s = Slice-8(%c, %m, %n, %o)\n"
        "%y = Abs-1(%s)\n%r = Result-1(%y)\n");

    assert_ptr_equal(inlay_graph_node(g, "s")->in[0].value->node, inlay_graph_node(g, "c"));
    inlay_graph_free(g);
}

static bool keep_miss(void *ctx, const inlay_event *e, inlay_diags *d)
{
    const inlay_rule_miss *miss = e->as.miss;

    (void)d;
    if (e->kind == INLAY_EVENT_MISSED)
        snprintf(ctx, 500, "%s%s%s", miss->at ? miss->at : "", miss->at ? ": " : "", miss->why);
    return true;
}

/* Checks that the one rule of TEXT does nothing on BODY, and says WANTED. */
static void check_missed(const char *text, const char *body, const char *wanted)
{
    inlay_diags *d = inlay_diags_new();
    inlay_rules *rules = inlay_rules_parse("own.rules", text, strlen(text), d);
    const inlay_rules *sets[1] = {rules};
    char said[500] = "nothing";
    inlay_pass_options o = {
        .passes = "rules", .rules = sets, .n_rules = 1, .events = {keep_miss, said, true}};
    inlay_graph *g = graph_of(body);

    if (!rules || !inlay_run_passes(g, &o, d))
        fail_msg("%s", model_messages(d));
    assert_string_equal(said, wanted);
    inlay_graph_free(g);
    inlay_rules_free(rules);
    inlay_diags_free(d);
}

#define WINDOWS                                                                                    \
    "%x = Parameter-1 {element_type = f32, shape = [4]}\n%u = Parameter-1 {element_type = f32, "   \
    "shape = [2]}\n%a = Const-1 {value = i64[1] [0]}\n%b = Const-1 {value = i64[1] [2]}\n"         \
    "%c = Const-1 {value = i64[1] [1]}\n%s = SliceScatter-15(%x, %u, %a, %b, %c)\n"
#define AND_RESULT(type, operands)                                                                 \
    WINDOWS "%y = " type operands "\n%z = Abs-1(%y)\n%r = Result-1(%z)\n"

/* A rule that does nothing says where it came nearest to a match. */
static void test_why_a_rule_did_nothing(void **state)
{
    check_missed("rule a exact: Tanh(x) => x", ONE, "there is no Tanh");
    check_missed("rule a exact: Slice@onnx13(x, b, e) => x", ONE, "there is no Slice of onnx");
    check_missed("rule a exact: Abs(Abs(x)) => x", ONE, "Abs \"z\": ReLU \"y\" is no Abs");
    check_missed("rule a exact: Abs(x) => x where constant(x)", ONE,
                 "Abs \"z\": constant(x) does not hold");
    check_missed("rule a exact: Abs(ReLU(x)) => x where let s = static_shape(x), zeros(s)", ONE,
                 "Abs \"z\": zeros(s) does not hold");
    check_missed("rule a exact: Abs(x) => Unsqueeze(x, [0])", ONE,
                 "Abs \"z\": all of it matches, but what it makes is of another type or shape, or "
                 "an output would lose its name");
    check_missed("rule a exact: Slice(SliceScatter(x, _, window v), window v) => x",
                 AND_RESULT("Slice-8", "(%s, %b, %b, %c)"),
                 "Slice \"y\": the window of Slice \"y\" is not `v`");
    check_missed("rule a exact: Add(x, x) => x", AND_RESULT("Add-1", "(%s, %x)"),
                 "Add \"y\": operand 1 of Add \"y\" is not `x`");
    check_missed("rule a exact: Add(x, [2, 3]) => x", AND_RESULT("Add-1", "(%s, %x)"),
                 "Add \"y\": operand 1 of Add \"y\" is not [2, 3]");
    check_missed("rule a exact: Gather(x, 0, a) => x", AND_RESULT("Gather-8", "(%s, %a, %a)"),
                 "Gather \"y\": operand 1 of Gather \"y\" is not 0");
    check_missed("rule a exact: Concat(x) {...} => x",
                 AND_RESULT("Concat-1", "(%s, %x) {axis = 0}"),
                 "Concat \"y\": Concat \"y\" has an operand 1");
    check_missed("rule a exact: Concat(...xs) {axis = 1} => Concat(...xs) {axis = 1}",
                 AND_RESULT("Concat-1", "(%s, %x) {axis = 0}"),
                 "Concat \"y\": attribute \"axis\" of Concat \"y\" is another");
    check_missed("rule a exact: (...xs) = Split(x, k) {...}; Concat(...xs) {axis = n} => x",
                 AND_RESULT("Concat-1", "(%s, %x) {axis = 0}"),
                 "Concat \"y\": the operands of Concat \"y\" are not `xs`");
    check_missed("rule a exact: Squeeze(x, _) {...} => x", AND_RESULT("Squeeze-1", "(%s)"),
                 "Squeeze \"y\": operand 1 of Squeeze \"y\" is not there");
    check_missed("rule a exact: x = any f(a); any f(x) => x", ONE,
                 "ReLU \"y\": Parameter \"x\" is not the operation that is meant");
    check_missed("rule a exact: Squeeze(x, ReLU(a)) {...} => x", AND_RESULT("Squeeze-1", "(%s)"),
                 "Squeeze \"y\": operand 1 of Squeeze \"y\" is not the result of ReLU");
    check_missed("rule a exact: Squeeze(x, any f(a)) {...} => x", AND_RESULT("Squeeze-1", "(%s)"),
                 "Squeeze \"y\": operand 1 of Squeeze \"y\" is not the result of an operation");
    check_missed("rule a exact: Abs(Squeeze@opset15..(x, [a]) {...}) => x",
                 AND_RESULT("Squeeze-1", "(%s)"),
                 "Abs \"z\": Squeeze \"y\" is of another version, or has other outputs");
    check_missed("rule a exact: TopK(Abs(x), k) {...} => x", ONE, "there is no TopK");
}

static void test_sets_are_listed(void **state)
{
    inlay_diags *d = inlay_diags_new();
    const char *text = "// mine\nrule one refines: ReLU(x) => x\nrule two approx: Abs(x) => x";
    inlay_rules *rules = inlay_rules_parse("dir/own.v2.rules", text, strlen(text), d);
    inlay_rule_info info;

    assert_non_null(rules);
    assert_int_equal(inlay_rules_count(rules), 2);
    info = inlay_rules_at(rules, 1);
    assert_string_equal(info.name, "two");
    assert_string_equal(info.set, "own.v2");
    assert_string_equal(info.file, "dir/own.v2.rules");
    assert_int_equal(info.line, 3);
    assert_int_equal(info.exactness, INLAY_APPROX);
    assert_null(inlay_rules_at(rules, 2).name);
    inlay_rules_free(rules);
    assert_null(inlay_rules_builtin("none", d));
    check_error(d, INLAY_INVALID, "there is no set of rules \"none\"");
    inlay_diags_free(d);
}

static bool keep_changes(void *ctx, const inlay_event *e, inlay_diags *d)
{
    (void)d;
    if (e->kind == INLAY_EVENT_PASS_ENDS)
        *(uint64_t *)ctx = e->as.stats->changes;
    return true;
}

/* Runs simplify on a chain: each of WINDOWS rows is read, changed and written back, one after the
 * other, and simplify sees that every row but the first was there from the beginning. */
static uint64_t simplified_chain(int windows)
{
    inlay_diags *d = inlay_diags_new();
    inlay_strbuf text = {0};
    uint64_t changes = 0;
    inlay_pass_options o = {.passes = "simplify", .events = {keep_changes, &changes, false}};
    inlay_graph *g;

    inlay_strbuf_printf(&text,
                        "graph \"g\" {\n%%w0 = Parameter {element_type = f32, shape = [%d,2]}\n"
                        "%%one = Const {value = i64[1] [1]}\n%%c0 = Const {value = i64[1] [0]}\n",
                        windows);
    for (int i = 0; i < windows; i++)
        inlay_strbuf_printf(&text,
                            "%%c%d = Const {value = i64[1] [%d]}\n"
                            "%%x%d = Slice(%%w%d, %%c%d, %%c%d, %%one)\n%%y%d = Exp(%%x%d)\n"
                            "%%w%d = SliceScatter(%%w%d, %%y%d, %%c%d, %%c%d, %%one)\n",
                            i + 1, i + 1, i, i, i, i + 1, i, i, i + 1, i, i, i, i + 1);
    inlay_strbuf_printf(&text, "%%r = Result(%%w%d)\n}\n", windows);
    g = inlay_read_text("chain", text.bytes, text.n, NULL, d);
    assert_true(g && inlay_run_passes(g, &o, d));
    assert_int_equal(inlay_diags_count(d), 0);
    inlay_graph_free(g);
    inlay_strbuf_free(&text);
    inlay_diags_free(d);
    return changes;
}

/* There are as many rewrites as there are reads, not as there are pairs of a read and a write. */
static void test_a_chain_of_windows_is_not_quadratic(void **state)
{
    assert_int_equal(simplified_chain(400), 399);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_attributes),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_nodes_for_lists),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_circles_end),
        cmocka_unit_test(test_replacement_must_fit),
        cmocka_unit_test(test_windows_of_unknown_rank),
        cmocka_unit_test(test_compared_constants),
        cmocka_unit_test(test_no_constant),
        cmocka_unit_test(test_conditions_that_come_to_hold),
        cmocka_unit_test(test_lists_are_swept),
        cmocka_unit_test(test_lists_of_different_length),
        cmocka_unit_test(test_why_a_rule_did_nothing),
        cmocka_unit_test(test_a_chain_of_windows_is_not_quadratic),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_sets_are_listed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
