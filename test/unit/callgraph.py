"""Compares what the functions and calls of random programs cost with the stacks
that the driver infers of their call graphs:

	callgraph.py DRIVER

Half of the programs are recursive.  Prints what differs.
"""
import random
import subprocess
import sys
from collections import Counter

DEEPEST = 6
chance = random.Random(1)


class Program:
    """What was spent in functions, f0 and on, and during calls."""

    def __init__(self, most, recursive):
        self.most = most
        self.recursive = recursive
        self.count = chance.randint(1, 12)
        self.self, self.total, self.calls = Counter(), Counter(), Counter()
        for _ in range(chance.randint(1, 3)):
            self.run([chance.randint(0, min(2, self.count - 1))])

    def run(self, stack):
        function = stack[-1]
        spent = chance.randint(0, self.most)
        self.self[function] += spent
        first = 0 if self.recursive else function + 1
        if first < self.count and len(stack) <= DEEPEST:
            for _ in range(chance.randint(0, 3)):
                callee = chance.randint(first, self.count - 1)
                cost = self.run(stack + [callee])
                self.calls[function, callee] += cost
                spent += cost
        if function not in stack[:-1]:
            self.total[function] += spent
        return spent

    def words(self):
        return " ".join(
            [f"f{name}={cost}" for name, cost in self.self.items()]
            + [f"f{a}>f{b}={cost}" for (a, b), cost in self.calls.items()])

    def is_cyclic(self, function):
        found, left = set(), [function]
        while left:
            at = left.pop()
            new = {b for a, b in self.calls if a == at} - found
            found |= new
            left.extend(new)
        return function in found


def check(program, line):
    alone, total, calls = Counter(), Counter(), Counter()
    for stack in filter(None, line.split(" / ")):
        names, cost = stack.rsplit(" ", 1)
        frames = [int(name[1:]) for name in names.split(";")]
        if len(set(frames)) < len(frames):
            print("twice in a stack:", stack)
        alone[frames[-1]] += int(cost)
        total.update(dict.fromkeys(frames, int(cost)))
        calls.update(dict.fromkeys(zip(frames, frames[1:]), int(cost)))
    straight = {name for name in program.self if not program.is_cyclic(name)}
    wrong = [("itself", name) for name in program.self
             if alone[name] != program.self[name]]
    wrong += [("in all", name) for name in straight
              if total[name] != program.total[name]]
    wrong += [("call", pair) for pair in program.calls
              if straight >= set(pair) and calls[pair] != program.calls[pair]]
    for what, name in wrong:
        print(what, name, program.words(), "=>", line)


programs = [Program(most, recursive) for most in (1, 20, 10**12)
            for recursive in (False, True) for _ in range(150)]
lines = subprocess.run(
    [sys.argv[1], "callgraph"], check=True, text=True, stdout=subprocess.PIPE,
    input="".join(program.words() + "\n" for program in programs)
).stdout.splitlines()
if len(lines) != len(programs):
    print("lines:", len(lines))
for pair in zip(programs, lines):
    check(*pair)
