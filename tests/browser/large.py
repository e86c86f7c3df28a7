"""Prints a large graph as text: KIND is deep (layers with scopes in their names), wide (branches that join, and names
without scopes) or flat (one chain of nodes with names without scopes), N how many layers."""
import sys


def graph(nodes):
    print('graph "large" {')
    print("  %x = Parameter {element_type = f32, shape = [4,8]}")
    print("  %scale = Const {value = f32[] [1.5]}")
    for node in nodes:
        print("  " + node)
    print("}")


def deep(n):
    last = "%x"
    for i in range(n):
        name = f'%"model/layers/{i // 10}/block_{i % 10}/'
        yield f'{name}scaled" = Multiply({last}, %scale)'
        yield f'{name}relu" = ReLU({name}scaled")'
        yield f'{name}sum" = Add({name}relu", {last})'
        last = f'{name}sum"'
    yield f"%out = Result({last})"


def wide(n):
    last = "%x"
    for i in range(0, n, 6):
        yield f"%conv_{i} = Multiply({last}, %scale)"
        yield f"%act_{i} = Sigmoid(%conv_{i})"
        yield f"%gate_{i} = Multiply(%conv_{i}, %act_{i})"
        yield f"%left_{i} = Exp({last})" if i % 4 else f"%left_{i} = Tanh({last})"
        yield f"%right_{i} = Abs(%gate_{i})"
        yield f"%sum_{i} = Add(%left_{i}, %right_{i})"
        last = f"%sum_{i}"
    yield f"%out = Result({last})"


def flat(n):
    last = "%x"
    ops = ["ReLU", "Exp", "Tanh", "Abs", "Sqrt", "Sin", "Cos"]
    for i in range(n):
        yield f"%v{i} = {ops[i * i % 11 % 7]}({last})"
        last = f"%v{i}"
    yield f"%out = Result({last})"


graph({"deep": deep, "wide": wide, "flat": flat}[sys.argv[1]](int(sys.argv[2])))
