"""Prints rows for the driver marshal, in each version of the format."""
import marshal
text = "a longer text"
values = [(1, -1, 2**31, -2**40, 2**62, 0.1, -2.5e300),
    {"a": ["b", "a", (text, text)], (1, "\u00e9"): {}},
    [b"bytes", "x" * 300, [[[[]]]], tuple(range(300))]]
def shown(value):
    if isinstance(value, (int, str)):
        return repr(value)
    if isinstance(value, bytes):
        return repr(value)[1:]
    if isinstance(value, float):
        return "%.9g" % value
    if isinstance(value, dict):
        return "{" + ", ".join(shown(key) + ": " + shown(value[key])
            for key in value) + "}"
    marks = "()" if isinstance(value, tuple) else "[]"
    return marks[0] + ", ".join(map(shown, value)) + marks[1]
for version in range(5):
    for value in values:
        print(marshal.dumps(value, version).hex(), "=>", shown(value))
