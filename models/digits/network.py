"""A small convolutional network, forwards and backwards, in numpy alone.

    u8 picture / 255 -> conv 3x3 x8, relu, pool -> conv 3x3 x16, relu, pool -> 784
                     -> dense 32, relu -> dense 10, softmax
"""

import numpy as np
from adam import Adam
from numpy.lib.stride_tricks import sliding_window_view

PARAMETERS = [
    ("conv1_weights", (8, 1, 3, 3)),
    ("conv1_bias", (8,)),
    ("conv2_weights", (16, 8, 3, 3)),
    ("conv2_bias", (16,)),
    ("dense1_weights", (32, 784)),
    ("dense1_bias", (32,)),
    ("dense2_weights", (10, 32)),
    ("dense2_bias", (10,)),
]

# What the exported model multiplies the u8 picture with, as the f32 that stands in its file.
PIXEL_SCALE = np.float32(1 / 255)


def start_parameters(rng):
    """He initialisation; biases start at zero."""
    parameters = {}
    for name, shape in PARAMETERS:
        fan_in = int(np.prod(shape[1:]))
        spread = np.sqrt(2 / fan_in) if name.endswith("weights") else 0
        parameters[name] = (rng.standard_normal(shape) * spread).astype(np.float32)
    return parameters


def patches(x):
    """Every 3 x 3 patch of x [n, c, h, w], zero padded: [n, h, w, c * 9]."""
    n, c, h, w = x.shape
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = sliding_window_view(padded, (3, 3), axis=(2, 3))
    return windows.transpose(0, 2, 3, 1, 4, 5).reshape(n, h, w, c * 9)


def convolve(x, weights, bias):
    columns = patches(x)
    y = columns @ weights.reshape(len(weights), -1).T + bias
    return y.transpose(0, 3, 1, 2), columns


def convolve_back(dy, columns, weights):
    """Gradients of the weights, the bias and the input."""
    dy_last = dy.transpose(0, 2, 3, 1).reshape(-1, len(weights))
    dw = dy_last.T @ columns.reshape(len(dy_last), -1)
    turned = weights[:, :, ::-1, ::-1].transpose(1, 0, 2, 3)
    dx, _ = convolve(dy, turned, np.float32(0))
    return dw.reshape(weights.shape), dy_last.sum(axis=0), dx


def pool(x):
    """The largest of each 2 x 2 block, and where it was (the first one, if several)."""
    n, c, h, w = x.shape
    blocks = x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5)
    blocks = blocks.reshape(n, c, h // 2, w // 2, 4)
    return blocks.max(axis=4), blocks.argmax(axis=4)


def pool_back(dy, where):
    n, c, h, w = dy.shape
    blocks = np.where(np.arange(4) == where[..., None], dy[..., None], dy.dtype.type(0))
    blocks = blocks.reshape(n, c, h, w, 2, 2).transpose(0, 1, 2, 4, 3, 5)
    return blocks.reshape(n, c, 2 * h, 2 * w)


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def forward(p, pictures, dtype=np.float32):
    """Probabilities [n, 10], and what the way back needs."""
    p = {name: value.astype(dtype) for name, value in p.items()}
    kept = {}
    x = pictures.astype(dtype) * dtype(PIXEL_SCALE)
    for k in ("1", "2"):
        x, kept["columns" + k] = convolve(x, p[f"conv{k}_weights"], p[f"conv{k}_bias"])
        x, kept["where" + k] = pool(np.maximum(x, 0))
        kept["pooled" + k] = x
    flat = x.reshape(len(x), -1)
    hidden = np.maximum(flat @ p["dense1_weights"].T + p["dense1_bias"], 0)
    kept.update(flat=flat, hidden=hidden)
    return softmax(hidden @ p["dense2_weights"].T + p["dense2_bias"]), kept


def backward(p, probabilities, labels, kept):
    """Gradients of the mean cross entropy."""
    g = {}
    d = probabilities.copy()
    d[np.arange(len(labels)), labels] -= 1
    d /= len(labels)
    g["dense2_weights"], g["dense2_bias"] = d.T @ kept["hidden"], d.sum(axis=0)
    d = (d @ p["dense2_weights"]) * (kept["hidden"] > 0)
    g["dense1_weights"], g["dense1_bias"] = d.T @ kept["flat"], d.sum(axis=0)
    d = (d @ p["dense1_weights"]).reshape(kept["pooled2"].shape)
    for k in ("2", "1"):
        # The largest of a block is what relu let through: zero means that nothing passed.
        d = pool_back(d * (kept["pooled" + k] > 0), kept["where" + k])
        g[f"conv{k}_weights"], g[f"conv{k}_bias"], d = convolve_back(
            d, kept["columns" + k], p[f"conv{k}_weights"]
        )
    return g


def train(pictures, labels, epochs, batch, rng):
    """Yields the parameters after each epoch; the step gets smaller along a cosine."""
    parameters = start_parameters(rng)
    adam = Adam(parameters)
    per_epoch = len(pictures) // batch
    for epoch in range(epochs):
        order = rng.permutation(len(pictures))
        for i in range(per_epoch):
            some = order[i * batch : (i + 1) * batch]
            probabilities, kept = forward(parameters, pictures[some])
            gradients = backward(parameters, probabilities, labels[some], kept)
            done = (epoch * per_epoch + i) / (epochs * per_epoch)
            adam.step(parameters, gradients, 0.002 * (1 + np.cos(np.pi * done)))
        yield parameters


def accuracy(parameters, pictures, labels):
    right = 0
    for i in range(0, len(pictures), 200):
        probabilities, _ = forward(parameters, pictures[i : i + 200])
        right += int((probabilities.argmax(axis=1) == labels[i : i + 200]).sum())
    return right / len(pictures)
