"""Runs the command on each file that is wrong, and says in TAP what became of it. usage: cases.py SCRATCH INLAY PEAK

A module beside this one has the cases of a format: a name, the status that must come, words that the message must
have (what is wrong, or where it stands), and the files, of which the first one is read."""
import importlib
import os
import re
import resource
import subprocess
import sys

FORMATS = ["openvino", "json_graph", "text", "rules", "onnx", "arrays", "pictures"]
SECONDS = 10  # of a processor: a case takes a hundredth of one
MOST_KIB = 80 << 10  # of all memory; the command and its libraries take 20 MiB
MOST_TEXT = 2000  # bytes that are said of one file, however long its names are

scratch, inlay, peak = sys.argv[1:]


def arguments(path):
    ending = path.rsplit(".", 1)[1]
    if ending == "rules":
        return ["rules", "--rules", path]
    if ending in ("npy", "npz", "pb"):
        return ["run", os.path.join(scratch, "array.inlay"), "-i", path if ending == "npz" else "x=" + path]
    if ending in ("png", "jpg", "bmp", "ppm", "pgm"):
        return ["run", os.path.join(scratch, "picture.inlay"), "-i", "x=" + path]
    return ["info", path]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def wrong(status, words, said, wanted, kib, folder):
    """What is not as it should be, or None."""
    # What a user must know of unknown operations is all of them, behind the message for the first.
    errors = [line for line in said.splitlines() if "error:" in line and "these operations:" not in line]
    if status != wanted:
        return f"status {status}, expected {wanted}"
    if wanted and len(errors) != 1:
        return f"{len(errors)} errors, expected one"
    if wanted == 2 and folder not in errors[0]:
        return "the message does not name the file"
    if wanted and words not in errors[0]:
        return f'the message has no word of "{words}"'
    if re.search(r"[^\x20-\x7e\n]", said):
        return "what is said has characters that command a terminal"
    if len(said) > MOST_TEXT:
        return f"{len(said)} bytes are said"
    if kib > MOST_KIB:
        return f"{kib} KiB of memory"
    return None


def run(name, wanted, words, files):
    folder = os.path.join(scratch, name)
    os.mkdir(folder)
    for file, content in files.items():
        with open(os.path.join(folder, file), "wb") as f:
            f.write(content)
    command = arguments(os.path.join(folder, next(iter(files))))
    memory = os.path.join(scratch, "kib")
    done = subprocess.run([peak, inlay, *command, "--max-memory", "64M"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, env={**os.environ, "PEAK": memory}, preexec_fn=limit, check=False)
    said = done.stdout.decode("utf-8", "surrogateescape")
    kib = 0 if os.environ.get("INLAY_SLOW") else int(open(memory, encoding="ascii").read())
    return wrong(done.returncode, words, said, wanted, kib, folder), said


def main():
    total = 0
    for form in FORMATS:
        for name, wanted, words, files in importlib.import_module(form).cases():
            total += 1
            why, said = run(f"{form}_{name}", wanted, words, files)
            if why:
                print(f"not ok - {form}: {name}\n# {why}\n# {said[:600]!r}")
            else:
                print(f"ok - {form}: {name}")
    print(f"1..{total}")


main()
