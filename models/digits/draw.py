"""Draws digits.

Each digit is a few strokes in the unit square (x to the right, y down). A picture is those strokes
bent a little, turned, stretched, moved, drawn with a pen of some width, and spoilt: part of the
ink rubbed out, stray strokes, a background that is not even, noise, specks. The same seed gives
the same pictures: numpy guarantees the streams of RandomState for good.
"""

import numpy as np

SIZE = 28


def arc(cx, cy, rx, ry, start, end, points=14):
    """Points on an ellipse; degrees, 0 is to the right, 90 is down."""
    t = np.radians(np.linspace(start, end, points))
    return np.stack([cx + rx * np.cos(t), cy + ry * np.sin(t)], axis=1)


def curve(a, b, c, points=10):
    """A quadratic Bezier curve from a to c, drawn towards b."""
    t = np.linspace(0, 1, points)[:, None]
    a, b, c = np.array(a), np.array(b), np.array(c)
    return (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c


def line(*points):
    """Straight pieces, cut short enough that the bending bends them too."""
    pieces = [
        np.linspace(a, b, 6, endpoint=False) for a, b in zip(points[:-1], points[1:])
    ]
    return np.concatenate(pieces + [np.array([points[-1]])])


# Every digit in the ways people write it.
STYLES = [
    [
        [arc(0.5, 0.5, 0.30, 0.45, 0, 360, 24)],
        [arc(0.5, 0.5, 0.36, 0.42, -80, 275, 24)],
    ],
    [
        [line((0.5, 0.05), (0.5, 0.95))],
        [line((0.28, 0.28), (0.52, 0.05), (0.52, 0.95))],
        [line((0.3, 0.25), (0.5, 0.05), (0.5, 0.95)), line((0.28, 0.95), (0.72, 0.95))],
    ],
    [
        [arc(0.48, 0.30, 0.28, 0.25, 175, 385), line((0.72, 0.42), (0.2, 0.95), (0.82, 0.95))],
        [arc(0.48, 0.28, 0.28, 0.23, 190, 390), curve((0.72, 0.4), (0.6, 0.65), (0.2, 0.93)),
         curve((0.2, 0.93), (0.45, 0.8), (0.85, 0.93))],
    ],
    [
        [arc(0.45, 0.27, 0.27, 0.22, -155, 90), arc(0.45, 0.72, 0.32, 0.23, -90, 150)],
        [line((0.2, 0.06), (0.75, 0.06), (0.45, 0.42)), arc(0.45, 0.68, 0.32, 0.27, -90, 150)],
    ],
    [
        [line((0.6, 0.05), (0.15, 0.65), (0.88, 0.65)), line((0.62, 0.05), (0.62, 0.95))],
        [line((0.25, 0.08), (0.18, 0.55), (0.85, 0.55)), line((0.68, 0.1), (0.66, 0.95))],
    ],
    [
        [line((0.78, 0.05), (0.28, 0.05), (0.25, 0.46)), arc(0.46, 0.67, 0.31, 0.27, -135, 145)],
        [line((0.3, 0.06), (0.26, 0.42)), arc(0.46, 0.66, 0.30, 0.28, -130, 140),
         line((0.3, 0.06), (0.8, 0.08))],
    ],
    [
        [arc(0.5, 0.68, 0.27, 0.26, 0, 360, 20), curve((0.68, 0.05), (0.22, 0.2), (0.23, 0.68))],
        [arc(0.48, 0.72, 0.24, 0.22, 0, 360, 20), line((0.42, 0.05), (0.25, 0.66))],
    ],
    [
        [line((0.18, 0.06), (0.82, 0.06), (0.4, 0.95))],
        [line((0.18, 0.08), (0.8, 0.06), (0.42, 0.95)), line((0.34, 0.5), (0.74, 0.48))],
        [line((0.2, 0.2), (0.2, 0.06)), curve((0.8, 0.06), (0.5, 0.45), (0.42, 0.95)),
         line((0.2, 0.06), (0.8, 0.06))],
    ],
    [
        [arc(0.5, 0.27, 0.22, 0.21, 0, 360, 18), arc(0.5, 0.72, 0.28, 0.24, 0, 360, 20)],
        [arc(0.5, 0.28, 0.26, 0.23, 90, 430, 18), arc(0.5, 0.73, 0.25, 0.22, -90, 260, 20)],
    ],
    [
        [arc(0.48, 0.32, 0.26, 0.26, 0, 360, 20), curve((0.74, 0.32), (0.75, 0.7), (0.55, 0.95))],
        [arc(0.48, 0.30, 0.25, 0.24, 0, 360, 20), line((0.73, 0.2), (0.7, 0.95))],
        [arc(0.48, 0.30, 0.25, 0.24, 0, 360, 20), curve((0.73, 0.3), (0.8, 1.05), (0.25, 0.9))],
    ],
]


def bend(points, rng):
    """A slow wave in each direction, so that no two hands are the same."""
    phase = rng.uniform(0, 2 * np.pi, (2, 2))
    pace = rng.uniform(2, 6, (2, 2))
    force = rng.uniform(0, 0.045, (2, 2))
    wave = force * np.sin(pace * points[:, None, :] + phase)
    return points + wave.sum(axis=2)


def placement(rng):
    """The affine map from the unit square to pixels: a 2 x 2 matrix and a shift."""
    angle = np.radians(rng.uniform(-22, 22))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shear = np.array([[1, rng.uniform(-0.3, 0.3)], [0, 1]])
    scale = np.diag([rng.uniform(11, 21), rng.uniform(15, 23)])
    return turn @ shear @ scale, rng.uniform(-2.8, 2.8, 2) + SIZE / 2 - 0.5


def distance(strokes):
    """For every pixel, how far the nearest stroke is."""
    a = np.concatenate([s[:-1] for s in strokes])
    b = np.concatenate([s[1:] for s in strokes])
    along = b - a
    length2 = np.maximum((along**2).sum(axis=1), 1e-9)
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    dx = x.reshape(-1, 1) - a[:, 0]
    dy = y.reshape(-1, 1) - a[:, 1]
    t = np.clip((dx * along[:, 0] + dy * along[:, 1]) / length2, 0, 1)
    d2 = (dx - t * along[:, 0]) ** 2 + (dy - t * along[:, 1]) ** 2
    return np.sqrt(d2.min(axis=1)).reshape(SIZE, SIZE)


def ink(strokes, width):
    """Anti-aliased: a pixel at the edge of the pen is partly covered."""
    return np.clip(width / 2 - distance(strokes) + 0.5, 0, 1)


def rub_out(picture, rng):
    """Fades one or two round spots."""
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    for _ in range(rng.randint(0, 3)):
        cx, cy = rng.uniform(5, SIZE - 5, 2)
        radius = rng.uniform(1.0, 2.8)
        spot = np.clip(radius - np.hypot(x - cx, y - cy) + 0.5, 0, 1)
        picture = picture * (1 - spot * rng.uniform(0.5, 1.0))
    return picture


def stray_strokes(rng):
    """Zero to two short strokes anywhere, paler than the digit."""
    picture = np.zeros((SIZE, SIZE))
    for _ in range(rng.randint(0, 3)):
        start = rng.uniform(0, SIZE - 1, 2)
        end = start + rng.uniform(-7, 7, 2)
        mark = ink([np.stack([start, end])], rng.uniform(0.6, 1.6))
        picture = np.maximum(picture, mark * rng.uniform(0.2, 0.7))
    return picture


def spoil(picture, rng):
    """Uneven light, noise, specks."""
    y, x = np.mgrid[0:SIZE, 0:SIZE] / (SIZE - 1) - 0.5
    slope = rng.uniform(-0.15, 0.15, 2)
    paper = rng.uniform(0, 0.2) + slope[0] * x + slope[1] * y
    picture = np.maximum(paper, picture * rng.uniform(0.55, 1.0))
    picture = picture + rng.normal(0, rng.uniform(0.02, 0.12), picture.shape)
    specks = rng.uniform(size=picture.shape) < rng.uniform(0, 0.02)
    return np.where(specks, rng.uniform(size=picture.shape), picture)


def draw(digit, rng):
    """One picture, u8 [28, 28], ink is bright."""
    styles = STYLES[digit]
    matrix, shift = placement(rng)
    strokes = [
        (bend(s, rng) - 0.5) @ matrix.T + shift for s in styles[rng.randint(len(styles))]
    ]
    picture = ink(strokes, rng.uniform(1.2, 3.6))
    picture = np.maximum(rub_out(picture, rng), stray_strokes(rng))
    return np.rint(np.clip(spoil(picture, rng), 0, 1) * 255).astype(np.uint8)


def draw_set(count, seed):
    """Pictures u8 [count, 1, 28, 28] and labels i64 [count], every digit equally often."""
    rng = np.random.RandomState(seed)
    labels = rng.permutation(np.arange(count) % 10).astype(np.int64)
    pictures = np.stack([draw(digit, rng) for digit in labels])
    return pictures[:, None], labels
