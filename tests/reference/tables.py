"""Cases of learned functions of tables (ai.onnx.ml) and of numbers that look random."""

import struct

import numpy as np

from case import Case, Tensor

CASES = {}


def case_of(op, name):
    """Nodes of one name are one case."""
    if (op, name) not in CASES:
        CASES[op, name] = Case(op, name)
    return CASES[op, name]

# ---- LabelEncoder ----


def label_encoder():
    def case(keys, values, default, x):
        table = list(zip(keys.array.tolist(), values.array.tolist()))

        def find(e):
            same = [v for k, v in table if k == e or (k != k and e != e)]
            return same[0] if same else default.array.reshape(-1)[0]

        y = np.array([find(e) for e in x.array.reshape(-1).tolist()], values.array.dtype).reshape(x.shape)
        case_of("LabelEncoder", f"{keys.type}-to-{values.type}").node([x, keys, values, default], values.like(y),
                                                                  version="onnxml4")

    words = Tensor("string", ["a", "bb", "", "a"])
    case(words, Tensor("i64", [7, 8, 9, 1]), Tensor("i64", -1), Tensor("string", [["a", "b"], ["", "bb"]]))
    case(Tensor("i64", [3, -1, 2**62]), Tensor("string", ["x", "", "z"]), Tensor("string", "none"),
         Tensor("i64", [0, 2**62, -1, 3]))
    case(Tensor("f32", [0.5, np.nan, -1]), Tensor("f64", [1, 2, 3]), Tensor("f64", [-0.0][0]),
         Tensor("f32", [np.nan, 0.5, 7, -1]))
    case(Tensor("string", ["q"]), Tensor("i16", [5]), Tensor("i16", [42]), Tensor("string", ["q", "r"]))


# ---- TreeEnsemble ----

COMPARE = [np.less_equal, np.less, np.greater_equal, np.greater, np.equal, np.not_equal]


def tree_ensemble():
    # Two trees, and one that is a leaf: leaf k is -1 - k.
    roots, features, modes = [0, 3, -6], [0, 1, 0, 1], [0, 6, 3, 1]
    splits, yes, no = [1.5, 0, -2, 0.5], [1, -1, -2, -4], [2, -3, -4, -5]
    missing, members, member_begin = [True, False, False, False], [1, 2.5, -3], [0, 0, 3, 3, 3]
    leaf_begin, targets, weights = [0, 1, 3, 4, 6, 7, 8], [0, 0, 1, 1, 2, 0, 1, 2], [1, 2, -1, 4, 8, 0.5, 16, 3]
    x = np.array([[1, 2.5], [1, 7], [5, 0], [-4, 0.5], [np.nan, 1], [1.5, np.nan]])

    def leaf(row, at):
        while at >= 0:
            v = row[features[at]]
            inside = v in members[member_begin[at]:member_begin[at + 1]] if modes[at] == 6 else COMPARE[modes[at]](
                v, splits[at])
            at = yes[at] if inside or (np.isnan(v) and missing[at]) else no[at]
        return -1 - at

    def result(how):
        y = np.zeros((len(x), 3))
        for r, row in enumerate(x):
            votes = [[], [], []]
            for root in roots:
                k = leaf(row, root)
                for i in range(leaf_begin[k], leaf_begin[k + 1]):
                    votes[targets[i]].append(weights[i])
            for t, given in enumerate(votes):
                if given:
                    y[r, t] = {"SUM": sum(given), "AVERAGE": sum(given) / len(roots), "MIN": min(given),
                               "MAX": max(given)}[how]
        return y

    for type_ in ("f64", "f32", "f16"):
        for how in ("SUM", "AVERAGE", "MIN", "MAX"):
            operands = [Tensor(type_, x), Tensor("i64", roots), Tensor("i64", features), Tensor("i64", modes),
                        Tensor(type_, splits), Tensor("i64", yes), Tensor("i64", no), Tensor("boolean", missing),
                        Tensor(type_, members), Tensor("i64", member_begin), Tensor("i64", leaf_begin),
                        Tensor("i64", targets), Tensor(type_, weights)]
            case_of("TreeEnsemble", how.lower()).node(operands, Tensor(type_, result(how)),
                                                   {"n_targets": 3, "aggregate_function": how}, "onnxml5")


# ---- RandomUniform ----

MASK = 2**32 - 1


def philox(key, counter, n):
    """Salmon and others, "Parallel Random Numbers: As Easy as 1, 2, 3": Philox 4x32 with ten rounds."""
    c, k = [n & MASK, n >> 32, counter & MASK, counter >> 32], [key & MASK, key >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & MASK, (a >> 32) ^ c[3] ^ k[1], a & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return c


def random_uniform():
    def numbers(seed, op_seed, count):
        return [x for n in range((count + 3) // 4) for x in philox(seed, op_seed, n)][:count]

    def case(type_, shape, low, high, seed, op_seed):
        count = int(np.prod(shape, dtype=int))
        raw = numbers(seed, op_seed, 2 * count)
        if type_ == "f32":
            unit = [np.float32(struct.unpack("<f", struct.pack("<I", 127 << 23 | x & 0x7FFFFF))[0] - 1) for x in raw]
            y = [u * np.float32(high - low) + np.float32(low) for u in unit[:count]]
        elif type_ == "f64":
            bits = [1023 << 52 | (a & 0xFFFFF) << 32 | b for a, b in zip(raw[::2], raw[1::2])]
            y = [(struct.unpack("<d", struct.pack("<Q", b))[0] - 1) * (high - low) + low for b in bits]
        elif type_ == "f16":
            y = [(x & 0x3FF) / 1024 * (high - low) + low for x in raw[:count]]
        else:
            wide = [a | b << 32 for a, b in zip(raw[::2], raw[1::2])] if type_ == "i64" else raw[:count]
            y = [x % (high - low) + low for x in wide]
        case_of("RandomUniform", type_).node(
            [Tensor("i64", shape), Tensor(type_, low), Tensor(type_, high)], Tensor(type_, np.array(y).reshape(shape)),
            {"output_type": type_, "global_seed": seed, "op_seed": op_seed}, "opset8")

    case("f32", [3, 3], 0, 1, 150, 10)  # the examples of the specification
    case("f64", [2, 2], 2, 10, 80, 100)
    case("i32", [2, 3], 50, 100, 80, 100)
    case("i64", [5], -1000000, 1000000, 2**40 + 1, 3)
    case("f16", [7], -1, 1, 1, 2**33)
    case("f32", [2, 0], 0, 1, 1, 1)


def drawn(probs, samples, replace, logs, seed, op_seed):
    """The page's loop over the cumulated probabilities, which are made anew for each sample."""
    raw = [x for n in range(len(probs) * samples) for x in philox(seed, op_seed, n)]
    bits = [1023 << 52 | (a & 0xFFFFF) << 32 | b for a, b in zip(raw[::2], raw[1::2])]
    random = iter([struct.unpack("<d", struct.pack("<Q", b))[0] - 1 for b in bits])
    out = []
    for row in probs:
        row = np.exp(row) if logs else np.array(row)
        for _ in range(samples):
            cdf = np.cumsum(row) / np.sum(row)
            out.append(int(np.flatnonzero(next(random) <= cdf)[0]))
            if not replace:
                row[out[-1]] = 0
    return np.array(out).reshape(len(probs), samples)


def multinomial():
    for probs, samples, logs in (([[0.1, 0.5, 0.4]], 5, False), ([[-1, 1, 2], [50, 1, 21]], 10, True),
                                 ([[1, 0, 2, 5], [3, 3, 0, 1]], 3, False), (np.ones((2, 3)), 0, False)):
        for replace in (True, False):
            for t, out in (("f32", "i64"), ("f64", "i32"), ("f16", "i32"), ("bf16", "i64")):
                if samples <= len(probs[0]) or replace:
                    x = Tensor(t, probs)
                    want = drawn(x.array.astype(np.float64), samples, replace, logs, 234, 148)
                    case_of("Multinomial", "page").node(
                        [x, Tensor("i32", samples)], Tensor(out, want),
                        {"convert_type": out, "with_replacement": replace, "log_probs": logs, "global_seed": 234,
                         "op_seed": 148}, "opset13")
    rng = np.random.RandomState(5)
    x = Tensor("f32", rng.randint(1, 9, (2, 40)) / 8)
    for seed, op_seed in ((0, 0), (1, 0), (0, 7)):
        want = drawn(x.array.astype(np.float64), 40, False, False, seed, op_seed)
        case_of("Multinomial", "all_classes").node(
            [x, Tensor("i64", [40])], Tensor("i32", want),
            {"convert_type": "i32", "with_replacement": False, "log_probs": False, "global_seed": seed,
             "op_seed": op_seed}, "opset13")


def make():
    label_encoder()
    tree_ensemble()
    random_uniform()
    multinomial()
