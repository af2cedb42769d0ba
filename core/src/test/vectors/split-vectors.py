#!/usr/bin/env python3
"""Checks the table of split vectors and writes it out anew, computed by nothing that the product is made of.

    python3 core/src/test/vectors/split-vectors.py core/src/test/resources/split-vectors.csv

The first 1,000 rows are published: they are checked and kept. The others are made here, the same ones at every run.
"""
import random
import re
import sys
import uuid

PUBLISHED = 1_000
ROWS = 5_000
HEADER = "salt,key,fnv1a,fnv1aBucket,fnv1aMixed,fnv1aMixedBucket"
SALTS = ["release-2026-10", "release-2026-11", "release-2025-02", "exp-0", "exp-726", "9f1c3a7e", "s",
         "spring/sale 50%", "发布-十月", "🚀-launch", " ", "x" * 256]
CJK = (0x4E00, 0x9FFF)
EMOJI = (0x1F300, 0x1F64F)
HANGUL = (0xAC00, 0xD7A3)
LATIN = (0xA1, 0x24F)


def utf8(text):
    # Half a surrogate pair is written as a question mark, as Java does; no such key is ever an id.
    return text.encode("utf-8", errors="replace")


def fnv1a(data, state=0x811C9DC5):
    for byte in data:
        state = (state ^ byte) * 0x01000193 & 0xFFFFFFFF
    return state


def mixed(h):
    h ^= h >> 16
    h = h * 0x85EBCA6B & 0xFFFFFFFF
    h ^= h >> 13
    h = h * 0xC2B2AE35 & 0xFFFFFFFF
    return h ^ h >> 16


def row(salt, key):
    word = fnv1a(utf8(salt) + b"\0" + utf8(key))
    mix = mixed(word)
    return f"{escape(salt)},{escape(key)},{word:08x},{word % 10_000},{mix:08x},{mix % 10_000}"


def escape(text):
    return "".join(f"\\u{ord(c):04x}" if c in ",\\\"\r\n" or ord(c) < 0x20 or 0xD800 <= ord(c) <= 0xDFFF else c
                   for c in text)


def unescape(cell):
    text = re.sub(r"\\u([0-9a-f]{4})", lambda escape: chr(int(escape.group(1), 16)), cell)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def letters(chance, alphabet, longest):
    return "".join(chr(chance.randint(*alphabet)) for _ in range(chance.randint(1, longest)))


def padded(chance, alphabet):
    """256 bytes: the longest id."""
    text = letters(chance, alphabet, 60)
    return text + "k" * (256 - len(utf8(text)))


def negative(chance, salt):
    """A key whose hashes are both negative as signed words."""
    while True:
        key = f"negative-{chance.randrange(10 ** 9)}"
        word = fnv1a(utf8(salt) + b"\0" + utf8(key))
        if word >> 31 and mixed(word) >> 31:
            return key


KINDS = [
    lambda chance, salt: f"c-{chance.randrange(10 ** 7):07}",
    lambda chance, salt: str(chance.randrange(10 ** chance.randint(1, 18))),
    lambda chance, salt: str(uuid.UUID(int=chance.getrandbits(128), version=4)),
    lambda chance, salt: f"user-{chance.randrange(10 ** 6)}@example.org",
    lambda chance, salt: letters(chance, CJK, 12),
    lambda chance, salt: letters(chance, HANGUL, 12),
    lambda chance, salt: letters(chance, LATIN, 20),
    lambda chance, salt: letters(chance, EMOJI, 8),
    lambda chance, salt: letters(chance, EMOJI, 3) + "\u200d" + letters(chance, CJK, 3),
    lambda chance, salt: padded(chance, chance.choice([CJK, EMOJI, LATIN, (0x21, 0x7E)])),
    lambda chance, salt: chance.choice([" ", "\t", ",", "\\", '"', "\0"]) + str(chance.randrange(10 ** 6)),
    lambda chance, salt: letters(chance, (0xD800, 0xDBFF), 1) + letters(chance, (0x21, 0x7E), 9),
    negative,
]


def extended(published):
    chance = random.Random("split-vectors")
    rows = list(published)
    seen = {tuple(line.split(",")[:2]) for line in rows}
    wanted = [(salt, "") for salt in SALTS]
    while len(rows) < ROWS:
        salt = chance.choice(SALTS)
        salt, key = wanted.pop() if wanted else (salt, KINDS[len(rows) % len(KINDS)](chance, salt))
        if (escape(salt), escape(key)) not in seen:
            seen.add((escape(salt), escape(key)))
            rows.append(row(salt, key))
    return rows


def main(table):
    with open(table, encoding="utf-8", newline="") as file:
        published = file.read().split("\n")[1:PUBLISHED + 1]
    for number, line in enumerate(published, 2):
        salt, key = map(unescape, line.split(",")[:2])
        if row(salt, key).split(",")[2:] != line.split(",")[2:]:
            sys.exit(f"line {number} was {line}, but must be {row(salt, key)}")
    with open(table, "w", encoding="utf-8", newline="") as file:
        file.write("\n".join([HEADER] + extended(published)) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
