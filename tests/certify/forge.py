#!/usr/bin/env python3
"""Forges certificates: how many, and which of them are accepted.

usage: forge.py INLAY INLAY-CHECK SEED COUNT MODEL...

Each of the COUNT forgeries begins with what `inlay opt --certify` makes of one of the MODELs. Half of them change the
certificate alone: a line goes, comes twice or at another place, a name or a number is another one. The result is
still right, so it does not matter whether such a certificate is accepted, as long as nothing breaks (status 0, 1, 2).
The others are wrong results: a node of OUT reads another operand, has another attribute or element, or a storage note
is another one, and the certificate has one more step that says so. `inlay verify` says whether the result is another
function, and the reader of the text form whether it refuses the note. If so, the forgery must not be accepted, unless
the step, or the note, is among what is assumed. Prints a line for each forgery that should have been refused, and a
sum at the end.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

NODE = re.compile(r'^  (%(?:"[^"]*"|[\w./-]+))(?::\d+)? = (\S+?)-(\d+)(\S*?)(\((.*?)\))?(?: \{(.*?)\})?(?: : (.*))?$')


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def change_line(lines, draw):
    """Another certificate, by one change."""
    i = draw.randrange(1, len(lines))
    kind = draw.choice(["drop", "twice", "swap", "name", "digit", "sign"])
    names = [n for line in lines for n in re.findall(r'%(?:"[^"]*"|[\w./-]+)', line)]
    if kind == "drop":
        del lines[i]
    elif kind == "twice":
        lines.insert(i, lines[i])
    elif kind == "swap":
        j = draw.randrange(1, len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    elif kind == "name" and names:
        lines[i] = re.sub(r'%(?:"[^"]*"|[\w./-]+)', lambda _: draw.choice(names), lines[i], count=1)
    elif kind == "digit":
        lines[i] = re.sub(r"\d", lambda _: str(draw.randrange(10)), lines[i], count=draw.randrange(1, 4))
    else:
        lines[i] = draw.choice("+*@") + lines[i][1:]


def other_number(text, draw):
    numbers = list(re.finditer(r"(?<![\w#.])-?\d+(?![\w.])", text))
    if not numbers:
        return None
    m = draw.choice(numbers)
    return text[: m.start()] + str(int(m.group()) + draw.choice([-1, 1, 2])) + text[m.end() :]


def change_node(line, nodes, draw):
    """The line of a node with another operand, attribute or element; None: this one has none to change."""
    m = NODE.match(line)
    if not m or m.group(2) in ("Parameter", "Result", "Assign", "ReadValue"):
        return None
    if m.group(2) == "Const":
        at = line.index("[", line.index("value = ")) if "[]" not in line else line.index("[]")
        end = line.index("]", at) + 1
        new = other_number(line[end:], draw) if "#" not in line else None
        return line[:end] + new if new else None
    if draw.random() < 0.6 and m.group(6):
        operands = m.group(6).split(", ")
        i = draw.randrange(len(operands))
        mine = nodes.get(operands[i])
        others = [n for n, t in nodes.items() if t == mine and n != operands[i] and n != m.group(1)]
        if draw.random() < 0.4 and len(operands) > 1:
            j = draw.randrange(len(operands))
            operands[i], operands[j] = operands[j], operands[i]
        elif others:
            operands[i] = draw.choice(others)
        return line.replace("(" + m.group(6) + ")", "(" + ", ".join(operands) + ")", 1)
    if m.group(7):
        flipped = re.sub(r"true|false", lambda w: "false" if w.group() == "true" else "true", m.group(7), count=1)
        new = flipped if flipped != m.group(7) else other_number(m.group(7), draw)
        return line.replace("{" + m.group(7) + "}", "{" + new + "}", 1) if new else None
    return None


def change_note(line, names, draw):
    note = re.search(r" (view of|overwrites|into) (%\S+)( \{[^}]*\})?$", line)
    if note:
        word = draw.choice(["view of", "overwrites", "into"])
        return line[: note.start()] + f" {word} {draw.choice(names)}"
    m = NODE.match(line)
    if not m or not m.group(8) or m.group(2) in ("Const", "Parameter", "Result") or "," in re.sub(r"\[.*?\]", "", m.group(8)):
        return None
    return line + f" {draw.choice(['view of', 'overwrites', 'into'])} {draw.choice(names)}"


class Forger:
    def __init__(self, inlay, check, folder):
        self.inlay, self.check, self.folder = inlay, check, folder
        self.made = {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def begin(self, model):
        """The texts of MODEL, OUT and the certificate; None: there is none of them."""
        if model in self.made:
            return self.made[model]
        out, cert = self.path("out.inlay"), self.path("cert")
        for name in ("cert.model", "cert.out"):
            if os.path.exists(self.path(name)):
                os.remove(self.path(name))
        self.made[model] = None
        if run(self.inlay, "print", "--full", model).returncode == 0:
            text = run(self.inlay, "print", "--full", model).stdout
            with open(self.path("model.inlay"), "w") as f:
                f.write(text)
            if run(self.inlay, "opt", self.path("model.inlay"), "-o", out, "--certify", cert).returncode == 0:
                if os.path.exists(self.path("cert.out")):
                    out = self.path("cert.out")
                if os.path.exists(self.path("cert.model")):
                    text = open(self.path("cert.model")).read()
                    shutil.copy(self.path("cert.model"), self.path("model.inlay"))
                steps = run(self.check, "--print", self.path("model.inlay"), out, cert).stdout
                self.made[model] = (text, open(out).read(), steps)
        return self.made[model]

    def write(self, model, out, cert):
        for name, text in (("model.inlay", model), ("out.inlay", out), ("cert", cert)):
            with open(self.path(name), "w") as f:
                f.write(text)

    def judge(self):
        p = run(self.check, "--json", self.path("model.inlay"), self.path("out.inlay"), self.path("cert"))
        if p.returncode not in (0, 1, 2):
            raise SystemExit(f"inlay-check ended with {p.returncode}: {p.stderr[:3000]}")
        return json.loads(p.stdout) if p.returncode < 2 else {"accepted": False}

    def change_certificate(self, texts, draw):
        model, out, cert = texts
        lines = cert.split("\n")[:-1]
        if len(lines) < 2:
            return None
        change_line(lines, draw)
        self.write(model, out, "\n".join(lines) + "\n")
        return "harmless" if self.judge()["accepted"] else "refused"

    def change_result(self, texts, draw):
        model, out, cert = texts
        lines = out.split("\n")
        i = draw.randrange(len(lines))
        bare = re.sub(r' (as "|view of |overwrites |into ).*$', "", lines[i])
        found = [m for m in (NODE.match(line) for line in lines) if m]
        nodes = {m.group(1): re.sub(r' (as "|view|over|into).*', "", m.group(8) or m.group(2)) for m in found}
        new = change_node(bare, nodes, draw)
        if not new or new == bare:
            return None
        name = NODE.match(bare).group(1)
        plain = [re.sub(r" (view of|overwrites|into) %.*$", "", line) for line in lines if not line.startswith("  order ")]
        plain = [new + lines[i][len(bare):] if NODE.match(line) and NODE.match(line).group(1) == name else line for line in plain]
        plain = [re.sub(r" (view of|overwrites|into) %.*$", "", line) for line in plain]
        self.write(model, "\n".join(plain), cert + f"step 900 %simplify rule %slice-of-slice\n+ {new.strip()}\n")
        verified = run(self.inlay, "verify", self.path("model.inlay"), self.path("out.inlay"), "--trials", "16")
        if verified.returncode != 1:
            return "harmless" if verified.returncode == 0 else None
        verdict = self.judge()
        named = [at["value"] for a in verdict.get("assumed", []) for at in a["at"] if at["step"] == 900]
        if verdict["accepted"] and name.strip('%"') not in named:
            return "accepted: " + new.strip()
        return "assumed" if verdict["accepted"] else "refused"

    def change_a_note(self, texts, draw):
        model, out, cert = texts
        # Grounds are claims of their own, which the bytes say nothing about.
        lines = re.sub(r"( (?:view of|overwrites|into) %\S+) \{[^}]*\}", r"\1", out).split("\n")
        names = [m.group(1) for m in (NODE.match(line) for line in lines) if m]
        i = draw.randrange(len(lines))
        new = change_note(lines[i], names, draw)
        if not new or new == lines[i]:
            return None
        lines[i] = new
        self.write(model, "\n".join(lines), cert)
        read = run(self.inlay, "print", self.path("out.inlay"))
        verdict = self.judge()
        # These ask for more than the bytes need: a copy may be made in the window, anywhere in place, and before what
        # only passes the buffer on.
        if read.returncode == 0 and ("warning" not in read.stderr or re.search(r"\((I1|I4|I9|N13) ", read.stderr)):
            return "harmless"
        noted = any(a["kind"] == "storage note" for a in verdict.get("assumed", []))
        if verdict["accepted"] and not noted:
            return "accepted: " + new.strip() + " | " + read.stderr.strip()
        return "assumed" if verdict["accepted"] else "refused"


def main():
    inlay, check, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    models = sys.argv[5:]
    sums, done, wrong, tries = {}, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        forger = Forger(inlay, check, folder)
        while done < count and tries < 20 * count:
            tries += 1
            draw = random.Random(seed * 1000003 + tries)
            model = draw.choice(models)
            texts = forger.begin(model)
            kind = draw.choice(["certificate", "certificate", "result", "note"])
            how = {"certificate": forger.change_certificate, "result": forger.change_result, "note": forger.change_a_note}[kind]
            found = how(texts, draw) if texts else None
            if not found:
                continue
            done += 1
            if found.startswith("accepted"):
                wrong += 1
                print(f"{model}: {found} (draw {tries})")
            key = (kind, found.split(":")[0])
            sums[key] = sums.get(key, 0) + 1
    for (kind, found), n in sorted(sums.items()):
        print(f"# {kind}: {n} {found}")
    print(f"{done} forgeries, {wrong} wrongly accepted")
    sys.exit(1 if wrong or done < count else 0)


if __name__ == "__main__":
    main()
