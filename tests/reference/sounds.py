"""Signals and pictures seen by their frequencies, as exported models see them: tests/subgraphs. Each is computed as a whole,
in f64, by numpy's transforms, or without any."""

import numpy as np

from nets import Net
from signals import joined_frames, mel_matrix, number, short_time

SIZE, STEP = 8, 4
HAMMING = np.float32(0.54 - 0.46 * np.cos(2 * np.pi * np.arange(SIZE) / SIZE))


def denoiser():
    g = Net("denoiser", "Short-time spectra, of which what is weak is held back, become sound again. Untouched they become the "
            "sound that they were made of.")
    x, xv = g.floats("sound", (2, 24))
    window, size, step = g.f32("hamming", HAMMING), g.scalar("frame", SIZE), g.scalar("step", STEP)
    spectra = g.node("STFT-15", x, window, size, step, transpose_frames=True)
    power = g.node("ReduceSum-1", g.node("Multiply-1", spectra, spectra), g.ints("parts", -1), keep_dims=True)
    gate = g.node("Divide-1", power, g.node("Add-1", power, g.scalar("noise", 0.5, "f32")))
    kept = g.node("Multiply-1", spectra, gate)
    length = g.scalar("length", 24)
    again = g.node("ISTFT-16", spectra, window, size, step, length, center=False, normalized=False)
    clean = g.node("ISTFT-16", kept, window, size, step, length, center=False, normalized=False)
    z = number(short_time(xv, HAMMING.astype(float), SIZE, STEP)).swapaxes(-1, -2)
    z = z * (np.abs(z)**2 / (np.abs(z)**2 + 0.5))
    g.result("same", again, xv, atol=2e-6)
    g.result("clean", clean, joined_frames(z, HAMMING.astype(float), SIZE, STEP, False, False, 24), atol=5e-6)


def spectrogram():
    g = Net("spectrogram", "The features of a speech model that was exported before there was an STFT: frames are gathered, "
            "and RDFT gives their spectra.")
    x, xv = g.floats("sound", (2, 24))
    places = np.arange(5)[:, None] * STEP + np.arange(SIZE)
    frames = g.node("Gather-8", x, g.ints("places", *places.reshape(-1)), g.scalar("axis", 1))
    frames = g.node("Reshape-1", frames, g.ints("framed", 0, -1, SIZE), special_zero=True)
    frames = g.node("Multiply-1", frames, g.f32("hamming", HAMMING))
    spectra = g.node("RDFT-9", frames, g.ints("last", -1), g.ints("padded", 16))
    strength = g.node("ReduceL2-4", spectra, g.ints("parts", -1), keep_dims=False)
    mel = g.node("MelWeightMatrix-17@onnx17", g.scalar("bands", 4), g.scalar("padded_size", 16), g.scalar("rate", 8192),
                 g.scalar("low", 0.0, "f32"), g.scalar("high", 4096.0, "f32"), output_datatype="f32")
    logs = g.node("Log-1", g.node("Add-1", g.node("MatMul-1", strength, mel), g.scalar("floor", 0.0625, "f32")))
    wanted = np.abs(np.fft.rfft(xv[:, places] * HAMMING, n=16)) @ mel_matrix(4, 16, 8192, 0.0, 4096.0)
    g.result("features", logs, np.log(wanted + 0.0625), atol=2e-5)


def turned_products(x, y):
    """Convolution on a ring, by its definition."""
    n = x.shape[-1]
    return np.array([[sum(row[k] * other[(i - k) % n] for k in range(n)) for i in range(n)] for row, other in zip(x, y)])


def times(g, a, b, name, last):
    """The product of complex numbers, whose parts are on the last axis."""
    axis = g.scalar(f"parts_of_{name}", -1)
    (ar, ai), (br, bi) = (g.node("Split-1", v, axis, outputs=2, num_splits=2) for v in (a, b))
    product = lambda x, y: g.node("Multiply-1", x, y)
    return g.node("Concat-1", g.node("Subtract-1", product(ar, br), product(ai, bi)),
                  g.node("Add-1", product(ar, bi), product(ai, br)), axis=-1)


def fourier_mixer():
    g = Net("fourier_mixer", "Layers that mix by transforms: the real part of a spectrum (Lee-Thorp et al., \"FNet\"), learned "
            "weights for each frequency (Rao et al., \"Global filter networks\"), a long convolution on a ring.")
    x, xv = g.floats("x", (2, 4, 6))
    zeros, last, behind = g.scalar("nothing", 0, "f32"), g.ints("last", -1), g.scalar("behind", -1)
    no, real = g.scalar("first", 0), g.node("Unsqueeze-1", x, last)
    imaginary = g.node("Multiply-1", real, zeros)
    whole = g.node("DFT-7", g.node("Concat-1", real, imaginary, axis=-1), g.ints("both", 1, 2))
    g.result("fnet", g.node("Add-1", x, g.node("Gather-8", whole, no, behind)), xv + np.fft.fft2(xv).real, atol=2e-5)

    weights, wv = g.floats("filter", (4, 4, 2))
    half = g.node("RDFT-9", x, g.ints("plane", 1, 2))
    filtered = g.node("IRDFT-9", times(g, half, weights, "filter", last), g.ints("plane_again", 1, 2), g.ints("size", 4, 6))
    wanted = np.fft.irfft(np.fft.ifft(np.fft.rfft2(xv) * number(wv), axis=1), n=6)
    g.result("filtered", filtered, wanted, atol=1e-5)

    y, yv = g.floats("kernel", (2, 5))
    z, zv = g.floats("long", (2, 5))
    joined = [g.node("Pad-12", g.node("Unsqueeze-1", v, last), g.ints(f"before_{i}", 0, 0, 0), g.ints(f"after_{i}", 0, 0, 1),
                     zeros, pad_mode="constant") for i, v in enumerate((y, z))]
    a, b = (g.node("DFT-7", v, g.ints(f"ring_{i}", 1)) for i, v in enumerate(joined))
    ring = g.node("IDFT-7", times(g, a, b, "ring", last), g.ints("ring", 1))
    g.result("ring_convolution", g.node("Gather-8", ring, no, behind), turned_products(yv, zv), atol=1e-5)


def make():
    denoiser()
    spectrogram()
    fourier_mixer()
