"""A small decoder-only transformer, forwards and backwards, in numpy alone.

    tokens -> embedding + position -> 2 x (norm, attention, add; norm, 64 -> 256, silu, 256 -> 64, add)
           -> norm -> 13 scores

The norm is the root mean square without a gain. All matrices stand as [in, out].
"""

import numpy as np

ALPHABET = "0123456789+=."
WIDTH, HEADS, LAYERS, HIDDEN = 64, 4, 2, 256
HEAD = WIDTH // HEADS
EPSILON = 1e-5
DIGITS = 3
PROMPT = 2 * DIGITS + 2      # "123+456="
ANSWER = DIGITS + 2          # "0579."


def layer_parameters(k):
    return [
        (f"query{k}", (WIDTH, WIDTH)),
        (f"key{k}", (WIDTH, WIDTH)),
        (f"value{k}", (WIDTH, WIDTH)),
        (f"out{k}", (WIDTH, WIDTH)),
        (f"up{k}", (WIDTH, HIDDEN)),
        (f"down{k}", (HIDDEN, WIDTH)),
    ]


PARAMETERS = (
    [("embedding", (len(ALPHABET), WIDTH))]
    + [p for k in range(LAYERS) for p in layer_parameters(k)]
    + [("scores", (WIDTH, len(ALPHABET)))]
)


def positions(n):
    """The sines and cosines of "Attention Is All You Need", section 3.5: any number of rows."""
    angle = np.arange(n)[:, None] / 10000 ** (np.arange(0, WIDTH, 2) / WIDTH)
    return np.stack([np.sin(angle), np.cos(angle)], axis=2).reshape(n, WIDTH).astype(np.float32)


def start_parameters(rng):
    p = {}
    for name, shape in PARAMETERS:
        spread = 1 if name == "embedding" else shape[0] ** -0.5
        if name.startswith(("out", "down")):
            spread /= (2 * LAYERS) ** 0.5
        p[name] = (rng.standard_normal(shape) * spread).astype(np.float32)
    return p


def encode(text):
    return [ALPHABET.index(c) for c in text]


def decode(tokens):
    return "".join(ALPHABET[t] for t in tokens)


def line(a, b):
    """What the network reads and goes on with: 123 and 456 give "123+456=0579."."""
    return f"{a:03d}+{b:03d}=" + f"{a + b:04d}."


def norm(x):
    scale = 1 / np.sqrt((x * x).mean(axis=-1, keepdims=True) + x.dtype.type(EPSILON))
    return x * scale, scale


def norm_back(dy, y, scale):
    return scale * (dy - y * (dy * y).mean(axis=-1, keepdims=True))


def split(x):
    """[n, t, width] to [n, heads, t, head]."""
    n, t, _ = x.shape
    return x.reshape(n, t, HEADS, HEAD).transpose(0, 2, 1, 3)


def join(x):
    n, _, t, _ = x.shape
    return x.transpose(0, 2, 1, 3).reshape(n, t, WIDTH)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attend(p, k, x):
    """What each position takes from itself and those before it, and what the way back needs."""
    q, key, value = (split(x @ p[f"{name}{k}"]) for name in ("query", "key", "value"))
    t = x.shape[1]
    later = np.triu(np.ones((t, t), bool), 1)
    scores = q @ key.swapaxes(2, 3) * x.dtype.type(HEAD**-0.5)
    weights = softmax(np.where(later, x.dtype.type(-np.inf), scores))
    mixed = join(weights @ value)
    return mixed @ p[f"out{k}"], (x, q, key, value, weights, mixed)


def attend_back(p, g, k, dy, kept):
    x, q, key, value, weights, mixed = kept
    g[f"out{k}"] = flat(mixed).T @ flat(dy)
    d = split(dy @ p[f"out{k}"].T)
    dweights = d @ value.swapaxes(2, 3)
    dscores = weights * (dweights - (dweights * weights).sum(axis=-1, keepdims=True))
    dscores *= x.dtype.type(HEAD**-0.5)
    parts = {"query": dscores @ key, "key": dscores.swapaxes(2, 3) @ q,
             "value": weights.swapaxes(2, 3) @ d}
    dx = 0
    for name, part in parts.items():
        part = join(part)
        g[f"{name}{k}"] = flat(x).T @ flat(part)
        dx = dx + part @ p[f"{name}{k}"].T
    return dx


def flat(x):
    return x.reshape(-1, x.shape[-1])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def dense(p, k, x):
    """silu(x up) down, where silu(x) = x sigmoid(x)."""
    up = x @ p[f"up{k}"]
    s = sigmoid(up)
    return (up * s) @ p[f"down{k}"], (x, up, s)


def dense_back(p, g, k, dy, kept):
    x, up, s = kept
    g[f"down{k}"] = flat(up * s).T @ flat(dy)
    d = (dy @ p[f"down{k}"].T) * s * (1 + up * (1 - s))
    g[f"up{k}"] = flat(x).T @ flat(d)
    return d @ p[f"up{k}"].T


def forward(p, tokens, dtype=np.float32):
    """The scores [n, t, 13] of what comes next at each place of tokens [n, t]; what backward needs."""
    p = {name: value.astype(dtype) for name, value in p.items()}
    x = p["embedding"][tokens] + positions(tokens.shape[1]).astype(dtype)
    kept = []
    for k in range(LAYERS):
        for block in (attend, dense):
            y, scale = norm(x)
            change, inner = block(p, k, y)
            x = x + change
            kept.append((y, scale, inner))
    y, scale = norm(x)
    kept.append((y, scale))
    return y @ p["scores"], kept


def backward(p, tokens, dscores, kept):
    """The gradients of all parameters from that of the scores."""
    g = {}
    y, scale = kept.pop()
    g["scores"] = flat(y).T @ flat(dscores)
    d = norm_back(dscores @ p["scores"].T, y, scale)
    for k in reversed(range(LAYERS)):
        for back in (dense_back, attend_back):
            y, scale, inner = kept.pop()
            d = d + norm_back(back(p, g, k, d, inner), y, scale)
    g["embedding"] = np.zeros_like(p["embedding"])
    np.add.at(g["embedding"], tokens, d)
    return g


def loss_gradient(scores, tokens):
    """The mean cross entropy of the answer's tokens, and its gradient; the prompt is not learnt."""
    places = np.arange(PROMPT - 1, PROMPT + ANSWER - 1)
    probabilities = softmax(scores[:, places])
    wanted = np.eye(len(ALPHABET), dtype=scores.dtype)[tokens[:, places + 1]]
    gradient = np.zeros_like(scores)
    gradient[:, places] = (probabilities - wanted) / wanted[..., 0].size
    return -np.log((probabilities * wanted).sum(axis=-1)).mean(), gradient


def answer(p, prompts, dtype=np.float32):
    """The likeliest answers, token by token: [n, ANSWER]; and the scores they were chosen by."""
    tokens, scores = prompts, []
    for _ in range(ANSWER):
        scores.append(forward(p, tokens, dtype)[0][:, -1])
        tokens = np.concatenate([tokens, scores[-1].argmax(axis=-1)[:, None]], axis=1)
    return tokens[:, prompts.shape[1]:], np.stack(scores, axis=1)
