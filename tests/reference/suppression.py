"""Non-maximum suppression in all its forms: plain loops, from the steps that the specifications list."""

import math

import numpy as np

from case import FLOATS, Tensor, exact, rounded
from images import case_of


def area(box):
    return max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0)


def overlap(a, b, margin=0.0):
    """Intersection over union of [x0, y0, x1, y1]; margin: what belongs to a side beyond its ends."""
    grown = [[*box[:2], box[2] + margin, box[3] + margin] for box in (a, b)]
    shared = area([max(grown[0][0], grown[1][0]), max(grown[0][1], grown[1][1]), min(grown[0][2], grown[1][2]),
                   min(grown[0][3], grown[1][3])])
    whole = area(grown[0]) + area(grown[1]) - shared
    return shared / whole if shared > 0 else 0.0


def corners(row):
    """[y1, x1, y2, x2], any two corners."""
    return [min(row[1], row[3]), min(row[0], row[2]), max(row[1], row[3]), max(row[0], row[2])]


def centers(row):
    return [row[0] - row[2] / 2, row[1] - row[3] / 2, row[0] + row[2] / 2, row[1] + row[3] / 2]


# ---- turned boxes ----


def vertices(row, clockwise):
    x, y, w, h, angle = row
    angle = angle if clockwise else -angle
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return [np.array([x, y]) + turn @ (np.array(corner) * [w / 2, h / 2]) for corner in
            ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def is_inside(point, polygon):
    sides = [np.subtract(polygon[(i + 1) % 4], polygon[i]) for i in range(4)]
    return all(s[0] * (point - p)[1] - s[1] * (point - p)[0] >= -1e-12 for s, p in zip(sides, polygon))


def crossings(a, b):
    """The points in which the sides of two polygons cross."""
    for i in range(4):
        for k in range(4):
            p, r = a[i], a[(i + 1) % 4] - a[i]
            q, s = b[k], b[(k + 1) % 4] - b[k]
            turn = r[0] * s[1] - r[1] * s[0]
            if abs(turn) > 1e-12:
                t = ((q - p)[0] * s[1] - (q - p)[1] * s[0]) / turn
                u = ((q - p)[0] * r[1] - (q - p)[1] * r[0]) / turn
                if 0 <= t <= 1 and 0 <= u <= 1:
                    yield p + t * r


def turned_overlap(first, second, clockwise):
    """The page's steps: crossings and corners inside, sorted around their middle, the shoelace formula."""
    if first[2] * first[3] <= 0 or second[2] * second[3] <= 0:
        return 0.0
    a, b = vertices(first, clockwise), vertices(second, clockwise)
    points = [*crossings(a, b), *(p for p in a if is_inside(p, b)), *(p for p in b if is_inside(p, a))]
    if len(points) < 3:
        return 0.0
    middle = np.mean(points, axis=0)
    points.sort(key=lambda p: math.atan2(p[1] - middle[1], p[0] - middle[0]))
    shared = abs(sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(points, points[1:] + points[:1]))) / 2
    return shared / (first[2] * first[3] + second[2] * second[3] - shared)


# ---- NonMaxSuppression, NMSRotated ----


def hard(iou):
    """What becomes of a score, by the overlap with a better box."""
    return lambda shared: 1.0 if shared <= iou else 0.0


def soft(iou, sigma, drops):
    return lambda shared: 0.0 if drops and shared > iou else math.exp(-0.5 * shared**2 / sigma)


def select(scores, limit, threshold, keeps, overlap_of):
    """The boxes of one class, best first; a score that equals the threshold is not above it (OpenVINO)."""
    left, found = {i: float(score) for i, score in enumerate(scores)}, []
    while left and len(found) < limit:
        best = max(left, key=lambda i: (left[i], -i))
        if not left[best] > threshold:
            break
        found.append((best, left.pop(best)))
        left = {i: score * keeps(overlap_of(best, i)) for i, score in left.items()}
        left = {i: score for i, score in left.items() if score}
    return found


def suppress(boxes, scores, limit, keeps, threshold, descending, overlap_of):
    """Rows [batch, class, box, score]; keeps: a function, or the greatest overlap that is kept."""
    keeps, found = keeps if callable(keeps) else hard(keeps), []
    for batch, label in np.ndindex(*scores.shape[:2]):
        picked = select(scores[batch, label], limit, threshold, keeps,
                        lambda i, k: overlap_of(boxes[batch, i], boxes[batch, k]))
        found += [(batch, label, i, score) for i, score in picked]
    return sorted(found, key=lambda row: -row[3]) if descending else found


def scattered(c, type_, batches, boxes, classes):
    """Boxes that overlap now and then, with scores of which no two are equal."""
    low = c.rng.randint(0, 24, (batches, boxes, 2)) / 4
    rows = np.concatenate([low, low + c.rng.randint(4, 16, (batches, boxes, 2)) / 4], -1)
    scores = c.rng.permutation(batches * classes * boxes).reshape(batches, classes, boxes) / 64
    return Tensor(type_, rows), Tensor(type_, scores)


def padded(rows, n, type_):
    y = np.full((n, 3), -1)
    for i, row in enumerate(rows[:n]):
        y[i] = row[:3]
    return Tensor(type_, y)


def old_suppressions():
    # version, batches, boxes, classes, limit, attributes
    cases = [("opset1", 1, 6, 2, 3, {}), ("opset1", 2, 4, 2, 3, {"sort_result_descending": False}),
             ("opset3", 1, 5, 3, 1, {}), ("opset3", 1, 5, 3, 1, {"output_type": "i32"}),
             ("opset3", 1, 5, 1, 4, {"box_encoding": "center"}), ("opset4", 2, 5, 2, 3, {}),
             ("opset4", 1, 3, 2, 7, {"sort_result_descending": False, "output_type": "i32"}),
             ("opset4", 1, 5, 1, 5, {"box_encoding": "center"})]
    for version, batches, n, classes, limit, attributes in cases:
        c = case_of("NonMaxSuppression", "padded")
        boxes, scores = scattered(c, "f32", batches, n, classes)
        shape = centers if attributes.get("box_encoding") == "center" else corners
        rows = suppress(exact(boxes), exact(scores), limit, 0.25, 0.125, attributes.get("sort_result_descending", True),
                        lambda a, b, shape=shape: overlap(shape(a), shape(b)))
        size = min(n, limit) * batches * classes if version == "opset4" else min(n, limit * classes)
        c.node([boxes, scores, c.scalar("i64", limit), c.scalar("f32", 0.25), c.scalar("f32", 0.125)],
               padded(rows, size, attributes.get("output_type", "i64")), attributes, version)
    c = case_of("NonMaxSuppression", "padded_types")
    for t in FLOATS:
        boxes, scores = scattered(c, t, 1, 4, 1)
        rows = suppress(exact(boxes), exact(scores), 3, 0.0, 0.0, True, lambda a, b: overlap(corners(a), corners(b)))
        c.node([boxes, scores, c.scalar("i32", 3)], padded(rows, 3, "i64"), {}, "opset4")
    c = case_of("NonMaxSuppression", "padded_with_nothing")
    boxes, scores = scattered(c, "f32", 1, 4, 2)
    for version in ("opset1", "opset3", "opset4"):
        c.node([boxes, scores], padded([], 0, "i64"), {}, version)


def soft_suppressions():
    cases = [({}, 0), ({"sort_result_descending": False, "output_type": "i32"}, 0), ({"box_encoding": "center"}, 0),
             ({}, 0.5), ({"sort_result_descending": False}, 0.125)]
    for version in ("opset5", "opset9"):
        for attributes, sigma in cases:
            c = case_of("NonMaxSuppression", f"{'soft' if sigma else 'counted'}_{version}")
            boxes, scores = scattered(c, "f32", 2, 6, 2)
            shape = centers if attributes.get("box_encoding") == "center" else corners
            keeps = soft(0.25, sigma, version == "opset5") if sigma else 0.25
            rows = suppress(exact(boxes), exact(scores), 5, keeps, 0.03125,
                            attributes.get("sort_result_descending", True),
                            lambda a, b, shape=shape: overlap(shape(a), shape(b)))
            given = [boxes, scores, c.scalar("i64", 5), c.scalar("f32", 0.25), c.scalar("f32", 0.03125)]
            found(c, given + [c.scalar("f32", sigma)] * (sigma > 0), rows, attributes, version)


def turned(c, type_, batches, boxes, classes):
    low, scores = scattered(c, type_, batches, boxes, classes)
    angles = c.rng.randint(-12, 13, (batches, boxes, 1)) / 8
    rows = np.concatenate([low.array[..., :2].astype(float), c.rng.randint(8, 24, (batches, boxes, 2)) / 4, angles], -1)
    return Tensor(type_, rows), scores


def turned_suppressions():
    for attributes in ({}, {"clockwise": False}, {"sort_result_descending": False, "output_type": "i32"}):
        c = case_of("NMSRotated", "directions")
        boxes, scores = turned(c, "f32", 2, 7, 2)
        rows = suppress(exact(boxes), exact(scores), 5, 0.2, 0.1, attributes.get("sort_result_descending", True),
                        lambda a, b: turned_overlap(a, b, attributes.get("clockwise", True)))
        found(c, [boxes, scores, c.scalar("i64", 5), c.scalar("f32", 0.2), c.scalar("f32", 0.1)], rows, attributes)
    c = case_of("NMSRotated", "one_direction_keeps")
    # turned with the clock the second bar lies along the first one; against it they cross
    boxes = Tensor("f32", [[[4, 4, 8, 1, 0.75], [5, 4.875, 8, 1, 0.75]]])
    scores = Tensor("f32", [[[0.5, 0.25]]])
    for clockwise in (True, False):
        rows = suppress(exact(boxes), exact(scores), 2, 0.3, 0.0, True,
                        lambda a, b, clockwise=clockwise: turned_overlap(a, b, clockwise))
        found(c, [boxes, scores, c.scalar("i64", 2), c.scalar("f32", 0.3), c.scalar("f32", 0)], rows,
              {"clockwise": clockwise})
    c = case_of("NMSRotated", "types")
    for t in FLOATS:
        boxes, scores = turned(c, t, 1, 5, 1)
        rows = suppress(exact(boxes), exact(scores), 4, 0.25, 0.0, True, lambda a, b: turned_overlap(a, b, True))
        found(c, [boxes, scores, Tensor("i32", [4]), Tensor(t, [0.25]), Tensor(t, [0])], rows, {})


def found(c, inputs, rows, attributes, version=None):
    """The three outputs of a suppression whose result has as many rows as boxes were found."""
    type_ = attributes.get("output_type", "i64")
    indices = np.array([row[:3] for row in rows]).reshape(-1, 3)
    triplets = np.array([[row[0], row[1], row[3]] for row in rows]).reshape(-1, 3)
    c.node(inputs, [Tensor(type_, indices), Tensor(inputs[3].type, triplets), Tensor(type_, [len(rows)])], attributes,
           version, ulp=2 if len(inputs) == 6 else None, dynamic=True)


# ---- MulticlassNms, MatrixNms ----


def best_first(candidates, top):
    order = sorted(candidates, key=lambda row: -row[1])
    return order if top < 0 else order[:top]


def hard_class(boxes, candidates, a, margin):
    """[(box, score)] of one class; an overlap that equals the threshold suppresses (OpenVINO)."""
    threshold, kept = a.get("iou_threshold", 0.0), []
    for i, score in best_first(candidates, a.get("nms_top_k", -1)):
        if all(overlap(boxes[i], boxes[k], margin) < threshold for k, _ in kept):
            kept.append((i, score))
            threshold *= a["nms_eta"] if a.get("nms_eta", 1.0) < 1 and threshold > 0.5 else 1
    return kept


def matrix_class(boxes, candidates, a, margin):
    """The page's matrices: X above its diagonal, its greatest by column, the least decay by column."""
    order = best_first(candidates, a.get("nms_top_k", -1))
    x = np.zeros((len(order), len(order)))
    for i, k in np.ndindex(*x.shape):
        a_box, b_box = boxes[order[i][0]], boxes[order[k][0]]
        touching = all(a_box[d] <= b_box[d + 2] and b_box[d] <= a_box[d + 2] for d in (0, 1))
        x[i, k] = overlap(a_box, b_box, margin) if i < k and touching else 0.0
    most = x.max(0, initial=0)[:, None]
    if a.get("decay_function", "linear") == "gaussian":
        factor = np.exp((most**2 - x**2) * a.get("gaussian_sigma", 2.0))
    else:
        factor = (1 - x) / (1 - most + 1e-10)
    factor[np.tril_indices(len(order))] = 1
    decayed = [(i, score * factor[:, k].min(initial=1)) for k, (i, score) in enumerate(order)]
    return [(i, score) for i, score in decayed if score > a.get("post_threshold", 0.0)]


def multiclass(images, a, one_class, at_least):
    """images: (boxes by class, scores by class) each; rows [image, class, box, score], and how many an image has."""
    margin, least = 0 if a.get("normalized", True) else 1, a.get("score_threshold", 0.0)
    by_class = a.get("sort_result", "none") == "class" or a.get("sort_result_type") == "classid"
    by_score = "score" in (a.get("sort_result"), a.get("sort_result_type"))
    rows, counts = [], []
    for n, (boxes, scores) in enumerate(images):
        found = []
        for k in range(len(scores)):
            candidates = [(i, s) for i, s in enumerate(scores[k]) if s > least or (at_least and s == least)]
            if k != a.get("background_class", -1):
                found += [(n, k, i, s) for i, s in one_class(boxes[k], candidates, a, margin)]
        found.sort(key=lambda row: -row[3])
        found = found if a.get("keep_top_k", -1) < 0 else found[:a["keep_top_k"]]
        counts.append(len(found))
        rows += sorted(found, key=lambda row: row[1]) if by_class else found
    if a.get("sort_result_across_batch") and (by_class or by_score):
        rows.sort(key=(lambda row: (row[1], row[0], -row[3])) if by_class else (lambda row: -row[3]))
    return rows, counts


def multiclass_node(c, inputs, rows, counts, box_of, index_of, a, version=None):
    type_, out = a.get("output_type", "i64"), inputs[0].type
    table = np.array([[k, s, *box_of(n, k, i)] for n, k, i, s in rows], float).reshape(-1, 6)
    indices = np.array([index_of(n, k, i) for n, k, i, _ in rows], int).reshape(-1, 1)
    c.node(inputs, [rounded(out, table), Tensor(type_, indices), Tensor(type_, counts)], a, version, ulp=2,
           atol={"f16": 1e-3, "bf16": 1e-2}.get(out, 1e-7), dynamic=True)


ORDERS = [{}, {"sort_result": "score"}, {"sort_result": "class"}, {"sort_result_type": "classid"},
          {"sort_result": "score", "sort_result_across_batch": True},
          {"sort_result_type": "score", "sort_result_across_batch": True, "output_type": "i32"},
          {"sort_result": "class", "sort_result_across_batch": True}]
LIMITS = [{"nms_top_k": 2}, {"keep_top_k": 3}, {"background_class": 1}, {"score_threshold": 0.25}, {"normalized": False},
          {"keep_top_k": 3, "sort_result": "class"}, {"keep_top_k": 0}, {"score_threshold": 9}]


def shared_boxes(op, name, a, one_class, at_least, version=None, type_="f32"):
    c = case_of(op, name)
    boxes, scores = scattered(c, type_, 2, 7, 3)
    images = [([exact(boxes)[n]] * 3, exact(scores)[n]) for n in range(2)]
    rows, counts = multiclass(images, a, one_class, at_least)
    multiclass_node(c, [boxes, scores], rows, counts, lambda n, k, i: exact(boxes)[n, i], lambda n, k, i: n * 7 + i, a,
                    version)


def multiclasses():
    more = [{"nms_eta": 0.5, "iou_threshold": 0.75}, {"iou_threshold": 0.75}, {"iou_threshold": 0.0}]
    for version in ("opset8", "opset9"):
        for name, a in [("orders", a) for a in ORDERS] + [("limits", a) for a in LIMITS] + [("overlaps", a) for a in more]:
            shared_boxes("MulticlassNms", f"{name}_{version}", {"iou_threshold": 0.2, **a}, hard_class, True, version)
    decays = [{"decay_function": "gaussian"}, {"decay_function": "gaussian", "gaussian_sigma": 0.5}, {"post_threshold": 0.2}]
    for name, a in [("orders", a) for a in ORDERS] + [("limits", a) for a in LIMITS] + [("decays", a) for a in decays]:
        shared_boxes("MatrixNms", name, a, matrix_class, False)
    for t in FLOATS:
        shared_boxes("MulticlassNms", "types", {"iou_threshold": 0.25}, hard_class, True, type_=t)
        shared_boxes("MatrixNms", "types", {}, matrix_class, False, type_=t)


def own_boxes():
    for counts, other in (((3, 0, 4), {}), ((3, 4), {"sort_result": "class"}), ((5,), {"keep_top_k": 2})):
        c = case_of("MulticlassNms", "boxes_of_each_class")
        boxes, scores = scattered(c, "f32", 2, 7, 1)
        scores = Tensor("f32", scores.array.reshape(2, 7))
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(int)
        images = [(exact(boxes)[:, a:b], exact(scores)[:, a:b]) for a, b in zip(starts, starts[1:])]
        a = {"iou_threshold": 0.3, **other}
        rows, found_counts = multiclass(images, a, hard_class, True)
        multiclass_node(c, [boxes, scores, c.i64(*counts)], rows, found_counts,
                        lambda n, k, i: exact(boxes)[k, starts[n] + i], lambda n, k, i: (starts[n] + i) * 2 + k, a)


def make():
    multiclasses()
    own_boxes()
    old_suppressions()
    soft_suppressions()
    turned_suppressions()
