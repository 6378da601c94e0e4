"""Writes random JSON into the file "in", and into "want" what the driver json
prints of it.
"""
import json, random
random.seed(7)
def number():
    digits = str(random.randrange(10**random.randrange(1, 18)))
    at = random.randrange(1, len(digits) + 1)
    return float(digits[:at] + "." + digits[at:] +
        random.choice(["", "", "e%d" % random.randrange(-30, 30)]))
def value(depth):
    kind = random.randrange(8 if depth < 6 else 6)
    if kind < 2:
        return random.choice([None, True, False, 0, -0.0])
    if kind == 2:
        return random.randrange(-10**random.randrange(1, 20), 10**17)
    if kind == 3:
        return random.choice([1, -1]) * number()
    if kind < 6:
        return "".join(random.choices('"\\\n/Aé€🔥', k=random.randrange(9)))
    if kind == 6:
        return [value(depth + 1) for _ in range(random.randrange(8))]
    return {str(i): value(depth + 1) for i in range(random.randrange(8))}
def show(v):
    if isinstance(v, bool) or v is None:
        return json.dumps(v)
    if isinstance(v, (int, float)):
        return "%.17g" % v
    if isinstance(v, str):
        return json.dumps(v, ensure_ascii=False).replace("\\n", "\\u000a")
    if isinstance(v, list):
        return "[%s]" % ",".join(map(show, v))
    return "{%s}" % ",".join(show(k) + ":" + show(v[k]) for k in v)
values = [value(0) for _ in range(3000)]
for name, text in ("in", json.dumps(values)), ("want", show(values) + "\n"):
    open(name, "w", encoding="utf-8").write(text)
