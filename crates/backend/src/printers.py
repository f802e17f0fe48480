# Shows values of a program that Oxbow has compiled: gdb runs this when it loads the program.
# The lines before it say how its types lie in memory (LAYOUTS: names of types, types, what closures hold, what
# exceptions hold) and how symbols of functions and of exceptions begin (PREFIXES).
import struct

try:
    import gdb
except ImportError:
    gdb = None

NAMES, TYPES, CLOSURES, EXCEPTIONS = LAYOUTS

# What is shown of a value at most, and how deep.
STEPS, DEPTH, LETTERS = 200, 12, 200


class Unreadable(Exception):
    pass


class Reader:
    """Values in memory as text."""

    def __init__(self, read, symbol):
        self.read, self.symbol, self.steps = read, symbol, STEPS

    def word(self, at, form="<Q"):
        return struct.unpack(form, self.read(at, struct.calcsize(form)))[0]

    def show(self, number, at, inner=False, depth=0):
        """The value of a type at an address; `inner` asks for parentheses around what has several parts."""
        self.steps -= 1
        if self.steps < 0 or depth > DEPTH:
            return "..."
        kind, *rest = TYPES[number]
        return getattr(self, kind)(at, inner, depth, *rest)

    def unit(self, at, inner, depth):
        return "()"

    def bool(self, at, inner, depth):
        return "true" if self.word(at, "<B") & 1 else "false"

    def char(self, at, inner, depth):
        return "'" + letter(self.word(at, "<B"), "'") + "'"

    def int(self, at, inner, depth):
        return signed(self.word(at, "<q") >> 1, inner)

    def number(self, at, inner, depth, size, with_sign):
        form = {(8, True): "<q", (8, False): "<Q", (4, True): "<i", (4, False): "<I"}[size, with_sign]
        return signed(self.word(at, form), inner)

    def float(self, at, inner, depth, size):
        return floating(self.word(at, "<d" if size == 8 else "<f"), inner)

    def opaque(self, at, inner, depth):
        return "<abstr>"

    def address(self, at):
        it = self.word(at)
        if it == 0:
            raise Unreadable("it has no value here")
        return it

    def string(self, at, inner, depth):
        it = self.address(at)
        length = self.word(it)
        data = self.read(it + 8, min(length, LETTERS))
        return '"' + "".join(letter(byte, '"') for byte in data) + '"' + ("..." if length > LETTERS else "")

    def cell(self, at, inner, depth, of):
        return self.show(of, self.address(at), inner, depth)

    def fields(self, fields, base, depth):
        return [self.show(number, base + offset, False, depth + 1) for _, offset, number in fields]

    def named(self, fields, base, depth):
        shown = self.fields(fields, base, depth)
        return "{" + "; ".join(field[0] + " = " + it for field, it in zip(fields, shown)) + "}"

    def tuple(self, at, inner, depth, fields, pair):
        return "(" + ", ".join(self.fields(fields, at if pair else self.address(at), depth)) + ")"

    def record(self, at, inner, depth, fields):
        return self.named(fields, self.address(at), depth)

    def array(self, at, inner, depth, of, size):
        base = self.address(at)
        shown = []
        for index in range(self.word(base)):
            if self.steps <= 0:
                shown.append("...")
                break
            shown.append(self.show(of, base + 8 + index * size, False, depth + 1))
        return "[|" + "; ".join(shown) + "|]"

    def constructor(self, at, ctors, enumeration, in_word):
        """Its number, and its object if it has one."""
        if enumeration:
            return self.word(at, "<I"), None
        word = self.address(at)
        if word & 1:
            return (word >> 1 if in_word is None else in_word), None
        return self.word(word - 4, "<B"), word

    def variant(self, at, inner, depth, ctors, enumeration, in_word):
        number, base = self.constructor(at, ctors, enumeration, in_word)
        if number >= len(ctors):
            raise Unreadable("it is no value of its type")
        name, names, fields = ctors[number]
        if name == "::":
            return self.list(at, depth, ctors)
        if name == "[]":
            return "[]"
        if not fields:
            return name
        if base is None:
            return applied(name, [self.held(self.word(at), fields[0][2])], inner)
        if names:
            return around(name + " " + self.named(fields, base, depth), inner)
        if len(fields) == 1:
            return applied(name, [self.show(fields[0][2], base + fields[0][1], True, depth + 1)], inner)
        return applied(name, self.fields(fields, base, depth), inner)

    def held(self, word, number):
        """The only field of a constructor in its word."""
        word = word - (1 << 64) if word >> 63 else word
        kind = TYPES[number][0]
        if kind == "bool":
            return "true" if word >> 1 & 1 else "false"
        if kind == "char":
            return "'" + letter(word >> 1 & 255, "'") + "'"
        return signed(word >> 1, True)

    def list(self, at, depth, ctors):
        shown = []
        cons = next(number for number, it in enumerate(ctors) if it[0] == "::")
        (_, head, of), (_, tail, _) = ctors[cons][2]
        word = self.address(at)
        while not word & 1:
            if self.steps <= 0:
                shown.append("...")
                break
            shown.append(self.show(of, word + head, False, depth + 1))
            word = self.address(word + tail)
        return "[" + "; ".join(shown) + "]"

    def fun(self, at, inner, depth):
        it = self.address(at)
        symbol = self.symbol(self.word(it)) or "?"
        fields = CLOSURES.get(symbol, [])
        held = []
        for name, offset, number in fields:
            if name:
                held.append(name + " = " + self.show(number, it + offset, False, depth + 1))
        return "<fun " + symbol + (": " + "; ".join(held) if held else "") + ">"

    def exn(self, at, inner, depth):
        it = self.address(at)
        symbol = self.symbol(self.word(it))
        if symbol not in EXCEPTIONS:
            return "<exn>"
        name, fields = EXCEPTIONS[symbol]
        return applied(name, self.fields(fields, it, depth), inner)

    def dynamic(self, at, inner, depth, ctors, enumeration, in_word):
        """A value of Scheme."""
        word = self.address(at)
        if word & 3 == 3:
            return str((word - (1 << 64) if word >> 63 else word) >> 2)
        if word & 7 == 5:
            turned = (word >> 4 | word << 60) & (1 << 64) - 1
            return floating(struct.unpack("<d", struct.pack("<Q", turned - FLOAT_BIAS & (1 << 64) - 1))[0], False)
        if word & 255 == 241:
            mark = word >> 8
            return "#\\" + chr(mark >> 1) if mark & 1 == 0 else "<symbol>"
        number, base = self.constructor(at, ctors, False, None)
        name, _, fields = ctors[number]
        part = {field[0]: (field[1], field[2]) for field in fields}
        constants = {"Nil": "()", "True": "#t", "False": "#f", "Unspecified": "#<unspecified>"}
        if base is None:
            return constants.get(name, "#<" + name.lower() + ">")
        if name == "Pair":
            return self.pairs(at, depth, ctors, part)
        if name == "Str":
            return self.show(part["text"][1], base + part["text"][0], False, depth + 1)
        if name == "Vec":
            inside = self.show(fields[0][2], base + fields[0][1], False, depth + 1)
            return "#(" + inside[2:-2].replace("; ", " ") + ")"
        if name[0] == "P" and fields and fields[-1][2] and TYPES[fields[-1][2]][0] == "string":
            called = self.show(fields[-1][2], base + fields[-1][1])
            return "#<procedure " + called[1:-1] + ">"
        return self.variant(at, False, depth, ctors, enumeration, in_word)

    def pairs(self, at, depth, ctors, part):
        shown = []
        (car, number), (cdr, _) = part["car"], part["cdr"]
        pair = next(index for index, it in enumerate(ctors) if it[0] == "Pair")
        while True:
            word = self.address(at)
            if word & 1 or self.word(word - 4, "<B") != pair:
                break
            if self.steps <= 0:
                return "(" + " ".join(shown + ["..."]) + ")"
            shown.append(self.show(number, word + car, False, depth + 1))
            at = word + cdr
        last = self.show(number, at, False, depth + 1)
        return "(" + " ".join(shown + ([] if last == "()" else [".", last])) + ")"


def letter(byte, quote):
    named = {10: "\\n", 9: "\\t", 13: "\\r", 92: "\\\\", ord(quote): "\\" + quote}
    if byte in named:
        return named[byte]
    return chr(byte) if 32 <= byte < 127 else "\\%03d" % byte


def signed(number, inner):
    return "(%d)" % number if inner and number < 0 else "%d" % number


def floating(value, inner):
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "infinity" if value > 0 else "neg_infinity"
    text = "%.12g" % value
    if float(text) != value:
        text = repr(value)
    if not any(it in text for it in ".en"):
        text += "."
    return "(" + text + ")" if inner and text.startswith("-") else text


def around(text, inner):
    return "(" + text + ")" if inner else text


def applied(name, parts, inner):
    if not parts:
        return name
    return around(name + " " + (parts[0] if len(parts) == 1 else "(" + ", ".join(parts) + ")"), inner)


if gdb is not None:

    def read_memory(at, length):
        try:
            return bytes(gdb.selected_inferior().read_memory(at, length)) if length else b""
        except gdb.error:
            raise Unreadable("its memory cannot be read")

    def symbol_at(address):
        """The name of a function or an exception, as LAYOUTS has it: that of the linker, which is there once."""
        found = gdb.execute("with print demangle off -- info symbol %#x" % address, to_string=True)
        if found.startswith("No symbol"):
            return None
        name = found.split(" in section")[0].split(" + ")[0]
        for prefix in PREFIXES:
            if name.startswith(prefix):
                name = name[len(prefix):]
                break
        # A function that closures cannot call as it is has a wrapper, which they call.
        if name not in CLOSURES and name.endswith(".code"):
            name = name[:-len(".code")]
        return name

    class Printer:
        def __init__(self, value, number):
            self.value, self.number = value, number

        def to_string(self):
            try:
                if self.value.address is not None:
                    reader = Reader(read_memory, symbol_at)
                    return reader.show(self.number, int(self.value.address))
                size = self.value.type.sizeof
                raw = int(self.value.cast(gdb.lookup_type("unsigned long"))).to_bytes(8, "little")[:size]
                # What is in a register has no address: it is read from a place that no program has.
                reader = Reader(lambda at, length: raw[at:at + length] if at < 16 else read_memory(at, length), symbol_at)
                return reader.show(self.number, 0)
            except (Unreadable, gdb.error) as error:
                return "<%s>" % error

    def lookup(value):
        name = value.type.name
        return Printer(value, NAMES[name]) if name in NAMES else None

    lookup.__name__ = "oxbow"
    objfile = gdb.current_objfile()
    (objfile or gdb).pretty_printers.insert(0, lookup)
