"""Non-maximum suppression in all its forms: plain loops, from the steps that the specifications list."""

import math

import numpy as np

from case import FLOATS, Tensor, exact
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


def make():
    old_suppressions()
    soft_suppressions()
    turned_suppressions()
