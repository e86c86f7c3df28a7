"""Changes models that are right in one to three places, or repeats a piece of them a hundred thousand times, and looks at
what commands say of each. usage: mutants.py SCRATCH INLAY PEAK COUNT SEED, the models' paths on standard input

Whatever the file, a command must end with a status of its own within a second of a processor and 16 MiB above the limit,
and where it refuses, with one message that names the file and has nothing that commands a terminal. ONNX is changed as
messages, whose fields are found without knowing what they mean; the other forms as words."""
import os
import random
import re
import resource
import subprocess
import sys

LIMIT = 64 << 10  # KiB, of --max-memory
SECONDS = 1
NUMBERS = [0, 1, -1, 2, 3, 31, 32, 33, 64, 255, 65536, 2**24, 2**28, 2**31 - 1, 2**31, 2**32, 2**40, 2**62, 2**63 - 1, -2**31, -2**63]
TEXTS = ["", "\x1b[31mred", "a\nb", "x", "\xe9", "A" * 3000, "../../etc/passwd", "nan", "1e400", "string", "dynamic", "?", "1,2", "\x9b2J", "\u202e"]
TOKEN = re.compile(r'[A-Za-z_][\w.@-]*|-?\d+(?:\.\d+)?|"[^"\n]*"|\s+|.', re.S)
HARMFUL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
COMMANDS = ["run @ --random --quiet", "run @ --random --exec reference", "opt @ -o o.xml", "opt @ --certify o.cert -o o.inlay",
            "view @ -o o.html", "convert @ o.onnx", "convert @ o.xml", "convert @ o.json", "print @", "print @ --dot", "info @ --json",
            "verify @ @ --trials 1", "verify --match @ @ --trials 1", "verify --prove @ @ --trials 1", "explore @ --limit 3", "rules @"]


def varint(n):
    out = bytearray()
    n &= 2**64 - 1
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def read_varint(data, at):
    n = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError
        n |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return n, at


def fields(data, depth=0):
    """The message DATA as a list of [field, wire type, value], where a value that may be a message is one, too."""
    at, out = 0, []
    while at < len(data):
        tag, at = read_varint(data, at)
        wire = tag & 7
        if wire == 0:
            value, at = read_varint(data, at)
        elif wire in (1, 2, 5):
            size, at = read_varint(data, at) if wire == 2 else (8 if wire == 1 else 4, at)
            value, at = data[at:at + size], at + size
        else:
            raise ValueError
        if at > len(data) or tag < 8:
            raise ValueError
        if wire == 2 and depth < 12 and len(value) > 1 and not (depth > 2 and value.isascii() and value.decode().isprintable()):
            try:
                value = fields(value, depth + 1)
            except ValueError:
                pass
        out.append([tag >> 3, wire, value])
    return out


def packed(items):
    out = bytearray()
    for field, wire, value in items:
        content = packed(value) if isinstance(value, list) else value
        out += varint(field << 3 | wire) + (varint(value) if wire == 0 else varint(len(content)) + content if wire == 2 else content)
    return bytes(out)


def places(items):
    for i, item in enumerate(items):
        yield items, i
        if isinstance(item[2], list):
            yield from places(item[2])


def change_message(data, r):
    top = fields(data)
    for _ in range(r.choice([1, 1, 2, 3])):
        found = list(places(top))
        items, i = r.choice(found)
        other = r.choice(found)
        how = r.randrange(7)
        if how == 0:
            del items[i]
        elif how == 1:
            items[i] = fields(packed([other[0][other[1]]]), 1)[0]
        elif how == 2:
            items[i:i] = [items[i]] * r.choice([1, min(10**5, 3 * 10**6 // (1 + len(packed([items[i]]))))])
            break  # a piece within such a piece would be repeated as often again
        elif items[i][1] == 0:
            items[i][2] = r.choice(NUMBERS)
        elif items[i][1] == 2:
            items[i][2] = r.choice(TEXTS).encode() * r.choice([1, 1, 1000])
        else:
            items[i][2] = bytes(r.randrange(256) for _ in items[i][2])
        if not top:
            return b""
    return packed(top)


def change_words(data, r):
    words = TOKEN.findall(data.decode("utf-8", "surrogateescape"))
    for _ in range(r.choice([1, 1, 2, 3])):
        seen = [i for i, word in enumerate(words) if word.strip()]
        if not seen:
            break
        i, how = r.choice(seen), r.randrange(8)
        if how == 0:
            del words[i]
        elif how == 1:
            words[i] *= r.choice([2, min(10**5, 2 * 10**6 // len(words[i]))])
        elif how < 4:
            words[i] = words[r.choice(seen)]
        elif words[i][0] == '"':
            words[i] = '"' + r.choice([r.choice(TEXTS), str(r.choice(NUMBERS))]) + '"'
        else:
            words[i] = str(r.choice(NUMBERS)) if words[i].lstrip("-").isdigit() or how == 4 else r.choice(TEXTS)
    return "".join(words).encode("utf-8", "surrogateescape")


def wrong(done, path, took, kib):
    """What is not as it should be, or None."""
    errors = [line for line in done.stderr.decode("utf-8", "surrogateescape").splitlines() if "error:" in line and "these operations:" not in line]
    if done.returncode not in (0, 1, 2, 3, 4):
        return f"status {done.returncode}"
    if len(errors) != (done.returncode in (2, 3)):
        return f"status {done.returncode} and {len(errors)} errors"
    if done.returncode == 2 and path not in errors[0] and not errors[0].startswith("inlay:"):
        return "the message does not name the file"
    if HARMFUL.search((done.stdout + done.stderr).decode("utf-8", "surrogateescape")):
        return "what is said has characters that command a terminal"
    if took > SECONDS:
        return f"{took:.1f} s"
    return f"{kib} KiB" if kib > LIMIT + (16 << 10) else None


def main():
    scratch, inlay, peak, count, seed = sys.argv[1:]
    models, runs, bad = sys.stdin.read().split("\n")[:-1], 0, 0
    os.chdir(scratch)
    for k in range(int(count)):
        r = random.Random(f"{seed} {k}")
        model = r.choice(models)
        with open(model, "rb") as f:
            data = f.read()
        path = f"m{k}." + model.rsplit(".", 1)[1]
        with open(path, "wb") as f:
            f.write((change_message if path.endswith(".onnx") else change_words)(data, r))
        for words in ["info @", *r.sample(COMMANDS, 2)]:
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            command = words.replace("@", path).split() + ["--max-memory", f"{LIMIT}K", "--max-time", "20"]
            done = subprocess.run([peak, inlay, *command], capture_output=True, stdin=subprocess.DEVNULL, check=False,
                                  env={**os.environ, "ANON": "kib"})
            took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            with open("kib", encoding="ascii") as f:
                why = wrong(done, path, took, int(f.read()))
            runs += 1
            if why:
                bad += 1
                print(f"not ok - inlay {' '.join(command)}, of {model}, mutant {k} of seed {seed}\n# {why}\n# {done.stderr[:600]!r}")
        os.unlink(path)
    print(f"{'not ' if bad else ''}ok - {count} mutants\n# result: {count} mutants of {len(models)} models, {runs} commands, {bad} wrong\n1..{1 + bad}")


main()
