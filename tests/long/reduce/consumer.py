"""Somebody else's program that reads graphs in JSON and has a fault: python3 consumer.py FAULT FILE.json"""
import json
import os
import signal
import sys
import time


def unknown(nodes):  # its table lacks an operation
    known = {n["type"] for n in nodes} - {"SoftMax"}
    for n in nodes:
        if n["type"] not in known:
            raise KeyError(n["type"])


def squares(nodes):  # takes the operands of a product for different ones
    for n in nodes:
        if n["type"] == "Multiply" and n["inputs"][0] == n["inputs"][1]:
            sys.exit(f"{n['name']}: an operand is read twice")


def deep(nodes):  # descends without a limit
    made = {n["name"]: n for n in nodes}

    def depth(name):
        n = made.get(name.split(":")[0])
        return 1 + max(map(depth, n["inputs"]), default=0) if n else 0

    sys.setrecursionlimit(30)
    for n in nodes:
        depth(n["name"])


def dies(nodes):  # reads memory that is not its own
    if any(n["type"] == "Transpose" for n in nodes) and any(n["type"] == "MatMul" for n in nodes):
        os.kill(os.getpid(), signal.SIGSEGV)


def waits(nodes):  # never ends
    while any(n["type"] == "Divide" for n in nodes):
        time.sleep(60)


def shared(nodes):  # frees a value behind its first reader
    readers = {}
    for n in nodes:
        for i in n["inputs"]:
            readers.setdefault(i, []).append(n["name"])
    if max(map(len, readers.values()), default=0) > 3:
        sys.exit("double free")


def axis(nodes):  # knows no negative axis
    for n in nodes:
        if n.get("attributes", {}).get("axis", 0) < 0:
            print("negative axis", file=sys.stderr)
            sys.exit(7)


with open(sys.argv[2], encoding="utf-8") as file:
    globals()[sys.argv[1]](json.load(file)["nodes"])
