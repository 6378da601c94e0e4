"""hugeelf.py KIND COUNT FILE: writes an ELF file that has COUNT of something,
and makes a reader work as hard as it can.

    plain     functions of 16 bytes, one after another: f1, f2
    reversed  the same, the last one first
    nested    functions that all end where the first does
    same      functions with one start, and names of 40,000 bytes that have all
              but their first bytes in common
    stubs     entries of the procedure linkage table
    sections  empty sections
    notes     notes without a name and contents, of 12 bytes
    holes     bytes in all tables, which are not written
"""
import struct
import sys

kind, count, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
START, LONG_NAME, MOST = 0x1000, 40000, 2**32 - 1
hole = count if kind == "holes" else 0
numbers = range(1 if hole else count)


def symbol(name, start, size):
    """A global function of the section .text, which is the first one."""
    return struct.pack("<IBBHQQ", name, 1 << 4 | 2, 0, 1, start, size)


strings, symbols = bytearray(1), bytearray()
for i in numbers:
    name = len(strings)
    if kind == "same":
        symbols += symbol(1 + i % LONG_NAME, START, 16)
    elif kind == "plain":
        symbols += symbol(name, START + i * 16, 16)
    elif kind == "reversed":
        symbols += symbol(name, START + (count - i) * 16, 16)
    elif kind == "nested":
        symbols += symbol(name, START + i, count - i)
    strings += b"f%d\0" % (i + 1)
if kind == "same":
    strings = b"\0" + b"x" * 2 * LONG_NAME + b"\0"

names = [".text", ".symtab", ".strtab", ".shstrtab", ".dynsym", ".plt",
         ".rela.plt", ".note.gnu.build-id"]
name_table = "".join("\0" + name for name in names).encode() + b"\0"
# type, flags, contents or None where there is code, link, size of an entry
sections = [(1, 6, None, 0, 0), (2, 0, symbols, 3, 24), (3, 0, strings, 0, 0),
            (3, 0, name_table, 0, 0), (11, 2, symbol(1, START, 16), 3, 24),
            (1, 6, None, 0, 16),
            (4, 2, bytes(24 * count if kind == "stubs" else 0), 5, 24),
            (7, 2, bytes(12 * count if kind == "notes" else 0), 0, 0)]
table, contents = bytearray(), bytearray()
for name, (type, flags, data, link, entry) in zip(names, sections):
    at = START if data is None else 120 + len(contents)
    size = MOST if name == ".text" else hole + \
        (MOST if data is None else len(data))
    table += struct.pack("<IIQQQQIIQQ", name_table.index(name.encode()),
                         type, flags, at, at, size, link, 0, 0, entry)
    contents += data or b""
empty = count if kind == "sections" else 0
first = struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0,
                    len(sections) + 1 + empty + hole, 0, 0, 0, 0)
header = struct.pack("<16sHHIQQQIHHHHHH", b"\177ELF\2\1\1", 3, 62, 1, 0, 64,
                     120 + len(contents), 0, 0, 56, 1, 64, 0, 4)
# a segment that is loaded at 0, with all of the file in it
header += struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, 2**64 - 1, 2**64 - 1, 0x1000)
with open(path, "wb") as file:
    file.write(header + contents + first + table + bytes(64 * empty))
    if hole:
        file.seek(hole, 1)
        file.write(b"\0")
