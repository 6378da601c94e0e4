"""Writes profiles to measure the programs with, the same on each run:

	profiles.py cprofile|firefox|pprof SAMPLES

The stacks are the paths to the nodes of a tree of 20,000, some 30 frames deep,
of 4,000 functions.
"""
import json
import marshal
import random
import sys

NODES = range(1, 20001)
THREADS = 4

chance = random.Random(1)
parents = [0, 0] + [chance.randrange(n // 2, n) for n in NODES[1:]]
functions = [chance.randrange(4000) for _ in range(len(NODES) + 1)]
names = [f"company/module{n % 40}.(*Type{n % 300}).Method{n}"
         for n in range(4000)]


def varint(number):
    bytes = bytearray()
    while number > 0x7f:
        bytes.append(number & 0x7f | 0x80)
        number >>= 7
    bytes.append(number)
    return bytes


def number(field, value):
    return varint(field << 3) + varint(value)


def packed(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def sample(node):
    path = bytearray()
    count = 1 + node % 3
    while node > 0:
        path += varint(node)
        node = parents[node]
    return packed(2, packed(1, path) + packed(2, varint(count) +
                                              varint(count * 10000000)))


def pprof(out, samples):
    for text in 1, 3:
        out.write(packed(1, number(1, text) + number(2, text + 1)))
    some = b"".join(map(sample, chance.sample(NODES, len(NODES))))
    for _ in range(samples // len(NODES)):
        out.write(some)
    for node in NODES:
        out.write(packed(4, number(1, node) + number(3, 0x400000 + 16 * node) +
                         packed(4, number(1, functions[node] + 1) +
                                number(2, node % 300))))
    for i in range(len(names)):
        out.write(packed(5, number(1, i + 1) + number(2, i + 5)))
    for text in ["", "samples", "count", "cpu", "nanoseconds"] + names:
        out.write(packed(6, text.encode()))


def firefox(out, samples):
    def column(name, values):
        return {name: values, "length": len(values)}

    stacks = [chance.randrange(len(NODES)) for _ in NODES]
    stacks *= samples // THREADS // len(NODES)
    times = [1 + node * 7919 % 1000 / 1000 for node in stacks]
    threads = [{"name": f"thread {i}", "processName": "server", "pid": "1",
                "tid": str(i), "samples": column("stack", stacks) | {
                    "weight": None, "weightType": "samples",
                    "timeDeltas": times}} for i in range(THREADS)]
    profile = {
        "meta": {"version": 24, "preprocessedProfileVersion": 60}, "libs": [],
        "shared": {
            "stackTable": column("prefix", [
                parents[n] - 1 if parents[n] > 0 else None for n in NODES])
            | column("frame", list(range(len(NODES)))),
            "frameTable": column("func", functions[1:]),
            "funcTable": column("name", list(range(len(names)))),
            "stringArray": names},
        "threads": threads}
    out.write(json.dumps(profile, separators=(",", ":")).encode())


def cprofile(out, samples):
    """20,000 functions, each of which five others call."""
    def name(n):
        return f"/usr/lib/python3/module{n % 500}.py", n, f"f{n}"

    def times(n):
        return n, n, n * 1e-5, n * 2e-5

    stats = {name(n): times(n) + ({name(n // k): times(n)
                                   for k in range(2, 7)},)
             for n in range(20000)}
    for i in range(samples // 20000):
        out.write(marshal.dumps(stats, 4 if i % 2 else 2))


formats = {"cprofile": cprofile, "firefox": firefox, "pprof": pprof}
formats[sys.argv[1]](sys.stdout.buffer, int(sys.argv[2]))
