/* DFT-7, IDFT-7, RDFT-9, IRDFT-9, STFT-15, ISTFT-16 and ONNX MelWeightMatrix-17. Transforms are
 * sums over all pairs, as in the formulas, in f64. The cosines and sines of one transform are equal
 * where they are equal by symmetry, so that terms that cancel in the formulas cancel here. */
#include "interp/kernels/axes.h"

#include <math.h>
#include <string.h>

typedef struct complex_number {
    double re, im;
} complex_number;

/* Returns exp(2 pi i k / n) for 0 <= K <= N / 4. The cosine and sine are those of at most an eighth
 * of the circle, so that they are 0, 1 and equal to each other where they must be. */
static complex_number root_of_quarter(int64_t k, int64_t n)
{
    const double pi = 3.14159265358979323846;
    double angle = 2 * pi * (double)k / (double)n;

    if (8 * k <= n)
        return (complex_number){cos(angle), sin(angle)};
    angle = pi * (double)(n - 4 * k) / (double)(2 * n);
    return (complex_number){sin(angle), cos(angle)};
}

/* Returns exp(2 pi i k / n) for 0 <= K < N: the second quarter mirrors the first one, the lower
 * half the upper one. */
static complex_number root(int64_t k, int64_t n)
{
    bool lower = 2 * k > n, left;
    int64_t upper = lower ? n - k : k;
    complex_number z;

    left = 4 * upper > n;
    if (left) /* exp(i (pi - x)) */
        z = root_of_quarter(n - 2 * upper, 2 * n);
    else
        z = root_of_quarter(upper, n);
    return (complex_number){left ? -z.re : z.re, lower ? -z.im : z.im};
}

/* Computes y[m] = sum of x[j] exp(-+ 2 pi i j m / n), divided by n where it is INVERSE. The N
 * elements are STEP apart. */
typedef struct transform {
    int64_t n;
    bool inverse;
    complex_number *roots, *line;
} transform;

static bool transform_of(inlay_call *c, int64_t n, bool inverse, transform *t)
{
    *t = (transform){n, inverse, inlay_call_memory(c, n, sizeof *t->roots),
                     inlay_call_memory(c, n, sizeof *t->line)};
    if (!t->roots || !t->line)
        return false;
    for (int64_t k = 0; k < n; k++) {
        t->roots[k] = root(k, n);
        if (!inverse)
            t->roots[k].im = -t->roots[k].im;
    }
    return true;
}

static complex_number transformed(const transform *t, int64_t m)
{
    complex_number sum = {0, 0};
    int64_t at = 0;

    for (int64_t j = 0; j < t->n; j++) {
        complex_number x = t->line[j], w = t->roots[at];

        sum.re += x.re * w.re - x.im * w.im;
        sum.im += x.re * w.im + x.im * w.re;
        at = at + m < t->n ? at + m : at + m - t->n;
    }
    if (t->inverse) {
        sum.re /= (double)t->n;
        sum.im /= (double)t->n;
    }
    return sum;
}

/* A tensor of complex numbers. */
typedef struct spectrum {
    int rank;
    int64_t dims[INLAY_MAX_RANK];
    complex_number *x;
} spectrum;

/* Reads the N numbers of a line from those of the spectrum. Missing numbers are zeros, further ones
 * are cut off; with MIRRORED the second half has the complex conjugates of the first one. */
static void read_line(const complex_number *x, int64_t size, int64_t step, bool mirrored,
                      const transform *t)
{
    for (int64_t j = 0; j < t->n; j++) {
        bool second = mirrored && j > t->n / 2;
        int64_t at = second ? t->n - j : j;

        t->line[j] = at < size ? x[at * step] : (complex_number){0, 0};
        if (second)
            t->line[j].im = -t->line[j].im;
    }
}

/* Transforms axis AXIS of S over N elements, of which the first KEPT ones are computed. */
static bool transform_axis(inlay_call *c, spectrum *s, int axis, int64_t n, int64_t kept,
                           bool inverse, bool mirrored)
{
    int64_t before = dims_product(s->dims, axis), size = s->dims[axis];
    int64_t after = dims_product(s->dims + axis + 1, s->rank - axis - 1);
    complex_number *y = inlay_call_memory(c, before * kept * after, sizeof *y);
    transform t;

    if (!y || !transform_of(c, n, inverse, &t))
        return false;
    for (int64_t i = 0; i < before; i++) {
        for (int64_t k = 0; k < after; k++) {
            read_line(s->x + i * size * after + k, size, after, mirrored, &t);
            for (int64_t m = 0; m < kept; m++)
                y[(i * kept + m) * after + k] = transformed(&t, m);
        }
    }
    s->x = y;
    s->dims[axis] = kept;
    return true;
}

/* Reads operand 0 as complex numbers; where it is not COMPLEX, its elements are real. */
static bool read_spectrum(inlay_call *c, bool complex, spectrum *s)
{
    const inlay_tensor *in = c->in[0];
    const double *x = load_f64(c, 0);
    int64_t n = inlay_tensor_count(in) / (complex ? 2 : 1);

    s->rank = in->rank - complex;
    memcpy(s->dims, in->dims, (size_t)s->rank * sizeof *s->dims);
    s->x = inlay_call_memory(c, n, sizeof *s->x);
    if (!x || !s->x)
        return false;
    for (int64_t i = 0; i < n; i++)
        s->x[i] = complex ? (complex_number){x[2 * i], x[2 * i + 1]} : (complex_number){x[i], 0};
    return true;
}

/* The axes and sizes that operands 1 and 2 list. */
typedef struct asked {
    int n, axis[INLAY_MAX_RANK];
    int64_t size[INLAY_MAX_RANK]; /* -1: as it is */
} asked;

static bool read_asked(inlay_call *c, int rank, asked *a)
{
    bool seen[INLAY_MAX_RANK];
    int64_t n, n_sizes = 0;
    const int64_t *axes, *sizes = NULL;

    if (!axes_of_operand(c, 1, rank, seen))
        return false;
    axes = load_ints(c, 1, &n);
    if (!axes || (call_has(c, 2) && !(sizes = load_ints(c, 2, &n_sizes))))
        return false;
    if (sizes && n_sizes != n)
        return inlay_call_fail(c, "signal_size has %lld element%s, axes has %lld",
                               (long long)n_sizes, inlay_plural(n_sizes, "", "s"), (long long)n);
    a->n = (int)n;
    for (int i = 0; i < a->n; i++) {
        a->axis[i] = (int)(axes[i] < 0 ? axes[i] + rank : axes[i]);
        a->size[i] = sizes ? sizes[i] : -1;
    }
    return true;
}

static bool store_spectrum(inlay_call *c, const spectrum *s, bool complex)
{
    int64_t n = dims_product(s->dims, s->rank);
    double *y = inlay_call_memory(c, n * (complex ? 2 : 1), sizeof *y);

    if (!y)
        return false;
    for (int64_t i = 0; i < n; i++) {
        y[complex ? 2 * i : i] = s->x[i].re;
        if (complex)
            y[2 * i + 1] = s->x[i].im;
    }
    return store_f64(c, 0, y);
}

/* Transforms the first N axes that are asked for, one after another. */
static bool transform_all(inlay_call *c, spectrum *s, const asked *a, int n, bool inverse)
{
    for (int i = 0; i < n; i++) {
        int64_t size = a->size[i] < 0 ? s->dims[a->axis[i]] : a->size[i];

        if (!transform_axis(c, s, a->axis[i], size, size, inverse, false))
            return false;
    }
    return true;
}

static bool run_complex(inlay_call *c, bool inverse)
{
    spectrum s;
    asked a;

    return read_spectrum(c, true, &s) && read_asked(c, s.rank, &a) &&
           transform_all(c, &s, &a, a.n, inverse) && store_spectrum(c, &s, true);
}

bool eval_dft(inlay_call *c)
{
    return run_complex(c, false);
}

bool eval_idft(inlay_call *c)
{
    return run_complex(c, true);
}

/* The last axis of the list is transformed first, because the data is real there; half of the
 * result stays. */
bool eval_rdft(inlay_call *c)
{
    spectrum s;
    asked a;
    int64_t size;

    if (!read_spectrum(c, false, &s) || !read_asked(c, s.rank, &a))
        return false;
    if (a.n > 0) {
        size = a.size[a.n - 1] < 0 ? s.dims[a.axis[a.n - 1]] : a.size[a.n - 1];
        if (!transform_axis(c, &s, a.axis[a.n - 1], size, size / 2 + 1, false, false))
            return false;
    }
    return transform_all(c, &s, &a, a.n - 1, false) && store_spectrum(c, &s, true);
}

/* The last axis of the list is transformed last: the half that is there stands for all of that
 * axis. */
bool eval_irdft(inlay_call *c)
{
    spectrum s;
    asked a;
    int64_t size;

    if (!read_spectrum(c, true, &s) || !read_asked(c, s.rank, &a) ||
        !transform_all(c, &s, &a, a.n - 1, true))
        return false;
    if (a.n > 0) {
        size = a.size[a.n - 1] < 0 ? 2 * (s.dims[a.axis[a.n - 1]] - 1) : a.size[a.n - 1];
        size = size < 0 ? 0 : size;
        if (!transform_axis(c, &s, a.axis[a.n - 1], size, size, true, true))
            return false;
    }
    return store_spectrum(c, &s, false);
}

/* STFT */

typedef struct frames {
    int64_t count, size, step, bins;
    bool transposed;
    double *window; /* SIZE elements: a shorter one stands in the middle of zeros */
} frames;

/* Reads operand 1, which is not longer than a frame of F. */
static bool read_window(inlay_call *c, frames *f)
{
    int64_t window = c->in[1]->dims[0];
    const double *given = load_f64(c, 1);

    f->window = inlay_call_memory(c, f->size, sizeof *f->window);
    f->bins = f->size / 2 + 1;
    if (!given || !f->window)
        return false;
    for (int64_t i = 0; i < window; i++)
        f->window[(f->size - window) / 2 + i] = given[i];
    return true;
}

static bool read_frames(inlay_call *c, frames *f)
{
    const inlay_tensor *signal = c->in[0];
    int64_t length = signal->dims[signal->rank - 1], window = c->in[1]->dims[0];

    if (!load_one_int(c, 2, &f->size) || !load_one_int(c, 3, &f->step))
        return false;
    if (f->size < 1 || f->size > length || f->step < 1 || window > f->size)
        return inlay_call_fail(c,
                               "frames of %lld element%s, %lld apart, with a window of %lld do "
                               "not fit a signal of %lld",
                               (long long)f->size, inlay_plural(f->size, "", "s"),
                               (long long)f->step, (long long)window, (long long)length);
    f->count = (length - f->size) / f->step + 1;
    f->transposed = inlay_node_bool(c->node, "transpose_frames");
    return read_window(c, f);
}

static void transform_frame(const frames *f, const transform *t, const double *x, int64_t frame,
                            double *y)
{
    for (int64_t i = 0; i < f->size; i++)
        t->line[i] = (complex_number){x[i] * f->window[i], 0};
    for (int64_t m = 0; m < f->bins; m++) {
        complex_number z = transformed(t, m);
        int64_t at = f->transposed ? m * f->count + frame : frame * f->bins + m;

        y[2 * at] = z.re;
        y[2 * at + 1] = z.im;
    }
}

bool eval_stft(inlay_call *c)
{
    const inlay_tensor *signal = c->in[0];
    int64_t length = signal->dims[signal->rank - 1], batch = signal->rank > 1 ? signal->dims[0] : 1;
    const double *x = load_f64(c, 0);
    double *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);
    transform t;
    frames f;

    if (!x || !y || !read_frames(c, &f) || !transform_of(c, f.size, false, &t))
        return false;
    for (int64_t b = 0; b < batch; b++) {
        for (int64_t i = 0; i < f.count; i++)
            transform_frame(&f, &t, x + b * length + i * f.step, i, y + 2 * b * f.count * f.bins);
    }
    return store_f64(c, 0, y);
}

/* ISTFT */

/* The sums of all frames of a signal, and of their windows. */
typedef struct overlap {
    int64_t length;
    double *sum, *window;
} overlap;

static bool overlap_of(inlay_call *c, const frames *f, overlap *o)
{
    if (f->count > (INT64_MAX - f->size) / f->step)
        return inlay_call_fail(c, "%lld frame%s, %lld apart, are too long a signal",
                               (long long)f->count, inlay_plural(f->count, "", "s"),
                               (long long)f->step);
    o->length = (f->count - 1) * f->step + f->size;
    o->sum = inlay_call_memory(c, o->length, sizeof *o->sum);
    o->window = inlay_call_memory(c, o->length, sizeof *o->window);
    for (int64_t i = 0; o->sum && o->window && i < f->count * f->size; i++)
        o->window[i / f->size * f->step + i % f->size] += f->window[i % f->size];
    return o->sum && o->window;
}

/* Adds up the inverse transforms of the frames at X, which are [bins, frames]. */
static void add_frames(const frames *f, const transform *t, const complex_number *x, overlap *o)
{
    memset(o->sum, 0, (size_t)o->length * sizeof *o->sum);
    for (int64_t i = 0; i < f->count; i++) {
        read_line(x + i, f->bins, f->count, true, t);
        for (int64_t m = 0; m < f->size; m++)
            o->sum[i * f->step + m] += transformed(t, m).re;
    }
}

static bool read_spectral_frames(inlay_call *c, const spectrum *s, frames *f)
{
    int64_t window = c->in[1]->dims[0];

    if (!load_one_int(c, 2, &f->size) || !load_one_int(c, 3, &f->step))
        return false;
    f->count = s->dims[s->rank - 1];
    if (f->size < 1 || f->step < 1 || f->count < 1 || window > f->size)
        return inlay_call_fail(
            c, "%lld frame%s of %lld element%s, %lld apart, with a window of %lld are no signal",
            (long long)f->count, inlay_plural(f->count, "", "s"), (long long)f->size,
            inlay_plural(f->size, "", "s"), (long long)f->step, (long long)window);
    return read_window(c, f);
}

bool eval_istft(inlay_call *c)
{
    int64_t length = c->out[0]->dims[c->out[0]->rank - 1], start, batch;
    double *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);
    overlap o = {0};
    transform t;
    spectrum s;
    frames f;
    double scale;

    if (!y || !read_spectrum(c, true, &s) || !read_spectral_frames(c, &s, &f) ||
        !overlap_of(c, &f, &o) || !transform_of(c, f.size, true, &t))
        return false;
    batch = s.rank > 2 ? s.dims[0] : 1;
    start = inlay_node_bool(c->node, "center") ? f.size / 2 : 0;
    scale = inlay_node_bool(c->node, "normalized") ? sqrt((double)f.size) : 1;
    for (int64_t b = 0; b < batch; b++) {
        add_frames(&f, &t, s.x + b * f.bins * f.count, &o);
        for (int64_t i = 0; i < length && start + i < o.length; i++) {
            double window = o.window[start + i];

            y[b * length + i] = window != 0 ? o.sum[start + i] * scale / window : 0;
        }
    }
    return store_f64(c, 0, y);
}

/* MelWeightMatrix */

static double mel_of(double hertz)
{
    return 2595 * log10(1 + hertz / 700);
}

static double hertz_of(double mel)
{
    return 700 * (pow(10, mel / 2595) - 1);
}

typedef struct mels {
    int64_t bands, length, rate, rows;
    double low, high; /* in mel */
} mels;

/* Returns the row of the spectrum at which edge I of BANDS + 2 edges stands. */
static double edge(const mels *p, int64_t i)
{
    double step = (p->high - p->low) / (double)(p->bands + 2);
    double hertz = hertz_of(p->low + (double)i * step);

    return floor((double)(p->length + 1) * hertz / (double)p->rate);
}

/* Returns the element at ROW of band I of the matrix: a band is a triangle between three edges, 1
 * at the middle one. */
static double band(const mels *p, int64_t i, int64_t row)
{
    double left = edge(p, i), middle = edge(p, i + 1), right = edge(p, i + 2), at = (double)row;

    if (at == middle)
        return 1;
    if (at < middle)
        return at >= left ? (at - left) / (middle - left) : 0;
    return at < right ? (right - at) / (right - middle) : 0;
}

bool eval_mel_weight_matrix(inlay_call *c)
{
    mels p = {.low = mel_of(inlay_tensor_get_f64(c->in[3], 0)),
              .high = mel_of(inlay_tensor_get_f64(c->in[4], 0))};
    double *y = inlay_call_memory(c, inlay_tensor_count(c->out[0]), sizeof *y);

    if (!y || !load_one_int(c, 0, &p.bands) || !load_one_int(c, 1, &p.length) ||
        !load_one_int(c, 2, &p.rate))
        return false;
    p.rows = p.length / 2 + 1;
    for (int64_t row = 0; row < p.rows; row++) {
        for (int64_t i = 0; i < p.bands; i++)
            y[row * p.bands + i] = band(&p, i, row);
    }
    return store_f64(c, 0, y);
}
