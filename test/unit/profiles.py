"""Compares what stackcollapse-cprofile makes of profiles with what pstats says:

	profiles.py record		writes all.prof and thread.prof
	profiles.py check NAME...	prints what differs between NAME.prof and
					NAME.time or, with --calls, NAME.calls

A function's own time is exact, to the microsecond to which it is rounded.  Sums
of many may differ by as many microseconds as there are functions.
"""
import cProfile
import json
import math
import pstats
import re
import sys
import threading
from collections import defaultdict


def fibonacci(number):
    return 1 if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)


def even(number):
    return number == 0 or odd(number - 1)


def odd(number):
    return number != 0 and even(number - 1)


def numbers(count):
    for number in range(count):
        yield fibonacci(number % 5)


def parse():
    re.compile("(a|b)*[c-x]{2,7}(?P<name>\\d+)$").search("ab" * 50)
    return json.loads(json.dumps([{"a": [1, 2.5, None]} for _ in range(50)]))


def recurse():
    return fibonacci(12), even(20), odd(7)


def generate():
    return sum(numbers(100)), list(numbers(9))


def run(functions):
    profile = cProfile.Profile()
    profile.enable()
    for function in functions:
        function()
    profile.disable()
    return profile


def in_thread(functions, path):
    thread = threading.Thread(
        target=lambda: run(functions).dump_stats(path))
    thread.start()
    thread.join()


def record():
    run([parse, recurse, generate, parse]).dump_stats("all.prof")
    in_thread([parse, generate], "thread.prof")


def frame(function):
    path, line, name = function
    return name if (path, line) == ("~", 0) else f"{path}:{line}({name})"


def micro(seconds):
    return math.floor(seconds * 1e6 + 0.5)


def read_folded(path):
    alone, total, calls = (defaultdict(int) for _ in range(3))
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            stack, count = line.rstrip("\n").rsplit(" ", 1)
            frames = stack.split(";")
            if len(set(frames)) < len(frames):
                print("twice in a stack:", stack)
            alone[frames[-1]] += int(count)
            for name in frames:
                total[name] += int(count)
            for pair in zip(frames, frames[1:]):
                calls[pair] += int(count)
    return alone, total, calls


def recursive(stats):
    """Returns the functions that call themselves, some way."""
    callers = {name: set(value[4]) for name, value in stats.items()}

    def reach(function):
        found, left = set(), [function]
        while left:
            for caller in callers.get(left.pop(), ()):
                if caller not in found:
                    found.add(caller)
                    left.append(caller)
        return found
    return {name for name in stats if name in reach(name)}


def differs(what, got, expected, near):
    if abs(got - expected) > near:
        print(what, got, "and not", expected)


def check(stats, folded, by_calls):
    alone, total, calls = read_folded(folded)
    own = defaultdict(int)
    for function, (_, count, time, _, _) in stats.items():
        own[frame(function)] += count if by_calls else micro(time)
    for name in set(own) | set(alone):
        differs("own " + name, alone[name], own[name], 0)
    if by_calls:
        return
    near = len(stats) + 2
    cyclic = recursive(stats)
    for function, (_, _, _, time, callers) in stats.items():
        if function in cyclic:
            continue
        name = frame(function)
        differs("all " + name, total[name], micro(time), near)
        for caller, (_, _, _, part) in callers.items():
            if caller not in cyclic:
                differs("call " + name, calls[frame(caller), name],
                        micro(part), near)


def main():
    if sys.argv[1] == "record":
        record()
        return
    for name in sys.argv[2:]:
        stats = pstats.Stats(name + ".prof").stats
        check(stats, name + ".time", False)
        check(stats, name + ".calls", True)


main()
