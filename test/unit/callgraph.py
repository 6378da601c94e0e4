"""Runs programs that are made up, each a tree of calls, and compares what their
functions and calls have cost with the stacks that are inferred of their call
graphs:

	callgraph.py DRIVER SEED COUNT MOST

of COUNT programs, whose functions cost MOST at most each time.  Half of them
are recursive.  Prints what differs.
"""
import random
import subprocess
import sys
from collections import defaultdict

DEEPEST = 6


class Program:
    """What was spent in functions, f0 and on, and during calls."""

    def __init__(self, chance, most, recursive):
        self.chance = chance
        self.most = most
        self.recursive = recursive
        self.count = chance.randint(1, 12)
        self.self = defaultdict(int)
        self.total = defaultdict(int)
        self.calls = defaultdict(int)
        for _ in range(chance.randint(1, 3)):
            self.run([chance.randint(0, min(2, self.count - 1))])

    def callees(self, function):
        first = 0 if self.recursive else function + 1
        if first < self.count:
            for _ in range(self.chance.randint(0, 3)):
                yield self.chance.randint(first, self.count - 1)

    def run(self, stack):
        function = stack[-1]
        spent = self.chance.randint(0, self.most)
        self.self[function] += spent
        for callee in self.callees(function) if len(stack) <= DEEPEST else ():
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

    def reached(self, function):
        found, left = set(), [function]
        while left:
            at = left.pop()
            for a, b in self.calls:
                if a == at and b not in found:
                    found.add(b)
                    left.append(b)
        return found


def sums(line):
    """Returns what stacks spend in functions alone, in all, and in calls."""
    alone, total, calls = (defaultdict(int) for _ in range(3))
    for stack in filter(None, line.split(" / ")):
        names, cost = stack.rsplit(" ", 1)
        frames = [int(name[1:]) for name in names.split(";")]
        if len(set(frames)) < len(frames):
            print("twice in a stack:", stack)
        alone[frames[-1]] += int(cost)
        for frame in frames:
            total[frame] += int(cost)
        for pair in zip(frames, frames[1:]):
            calls[pair] += int(cost)
    return alone, total, calls


def check(program, line):
    alone, total, calls = sums(line)
    reached = {name: program.reached(name) for name in program.self}
    cyclic = {name for name in reached if name in reached[name]}
    wrong = [("itself", name) for name in program.self
             if alone[name] != program.self[name]]
    wrong += [("in all", name) for name in program.self
              if name not in cyclic and total[name] != program.total[name]]
    wrong += [("call", pair) for pair in program.calls
              if not cyclic & set(pair) and
              calls[pair] != program.calls[pair]]
    for what, name in wrong:
        print(what, name, program.words(), "=>", line)


def main():
    driver, seed, count, most = sys.argv[1:]
    chance = random.Random(int(seed))
    programs = [Program(chance, int(most), number % 2 == 1)
                for number in range(int(count))]
    out = subprocess.run(
        [driver, "callgraph"], check=True, text=True, stdout=subprocess.PIPE,
        input="".join(program.words() + "\n" for program in programs)).stdout
    lines = out.splitlines()
    if len(lines) != len(programs):
        print("lines:", len(lines))
    for program, line in zip(programs, lines):
        check(program, line)


main()
