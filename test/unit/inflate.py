"""Prints rows for the driver inflate: streams, and what zlib says of each."""
import zlib

class Bits:
    def __init__(self):
        self.number = self.count = 0
    def add(self, *pairs):
        for value, bits in pairs:
            self.number |= value << self.count
            self.count += bits

def block(text, strategy):
    packer = zlib.compressobj(0 if strategy is None else 9, zlib.DEFLATED,
                              -15, 9, strategy or 0)
    return packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH)

def stream(body, text):
    return (b"\x78\xda" + body + zlib.adler32(text).to_bytes(4, "big"))

def show(packed, size):
    try:
        unpacker = zlib.decompressobj()
        found = unpacker.decompress(packed).decode()
        found = found if unpacker.eof else "damaged"
    except zlib.error:
        found = "damaged"
    print(size, ":", packed.hex(" "), "=>", found)

def show_own(codes, *lengths, kinds={1: 1, 16: 2, 18: 2}):
    """Shows aa in a block of its own codes, of which lengths tell: symbol 1
    is 0 there, 16 is 01 and 18 is 11, with bits after it."""
    bits = Bits()
    bits.add((1, 1), (2, 2), (codes - 257, 5), (0, 5), (14, 4))
    bits.add(*((kinds.get(symbol, 0), 3) for symbol in (16, 17, 18, 0, 8,
        7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1)))
    bits.add(*lengths, (0, 1), (0, 1), (1, 1))
    packed = bits.number.to_bytes((bits.count + 7) // 8, "little")
    show(stream(packed, b"aa"), 2)

def show_fixed(*codes):
    """Shows a block of codes that begin with the highest bit."""
    bits = Bits()
    bits.add((1, 1), (1, 2), *((int(bit), 1) for bit in "".join(codes)))
    packed = bits.number.to_bytes((bits.count + 7) // 8, "little")
    show(stream(packed, b"aaaa"), 4)

def zeros(count):
    return (3, 2), (count - 11, 7)

# fixed codes again, after themselves, own ones and stored bytes
texts = [bytes(97 + i * j % 7 * (i % 5) % 26 for i in range(300))
         for j in range(1, 7)]
own, fixed = zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED
body = b"".join(map(block, texts, (fixed, fixed, own, fixed, None, own)))
body += b"\3\0"
show(stream(body, b"".join(texts)), 1800)
show(stream(body, b"".join(texts)) + bytes(50), 1800)
# codes of one bit for a and 256, and none for a distance
both = *zeros(97), (0, 1), *zeros(138), *zeros(20), (0, 1)
for codes in 286, 287:
    show_own(codes, *both, *zeros(codes - 256))
# more lengths than codes, and a length again in front of the first
show_own(286, *both, *zeros(31))
show_own(286, (1, 2), (0, 2), *both, *zeros(30))
# more codes than can be told apart
show_own(286, *both, *zeros(30), kinds={1: 1, 16: 1, 18: 2})
# a, three bytes from one before; the distance 30 and the length 286, which
# have codes and no meaning; a distance to before the first byte
a, end = "10010001", "0000000"
show_fixed(a, "0000001", "00000", end)
show_fixed(a, "0000001", "11110", end)
show_fixed(a, "11000110", "00000", end)
show_fixed(a, "0000001", "00001", end)
# codes of up to 15 bits
text, counts = b"", [1, 1]
for letter in b"abcdefghijklmnopqrs":
    text += bytes([letter]) * counts[-2]
    counts.append(counts[-1] + counts[-2])
text = bytes(text[i * 4093 % len(text)] for i in range(len(text)))
show(stream(block(text, zlib.Z_HUFFMAN_ONLY) + b"\3\0", text), len(text))
# sums of more bytes than may be added up at once (5552), the largest ones
text = b"z" * 12000
show(zlib.compress(text), len(text))
show(zlib.compress(text)[:-1] + b"?", len(text))
for text in b"\xff" * 12000, bytes(12000), b"\xff" * 63:
    packed = zlib.compress(text)
    print(len(text), ":", packed.hex(" "), "=>", "?" * len(text))
    print(len(text), ":", packed[:-1].hex(" "), packed[-1] ^ 1, "=> damaged")
