"""Slow and obvious: the words of a text, its runs of three, its votes and its sketch."""

import re
from itertools import pairwise

MASK = (1 << 64) - 1


def mix(value):
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & MASK
    return value ^ (value >> 31)


def word_hash(word):
    value = 0
    for character in word:
        value = mix(((value ^ ord(character)) + 0x9E3779B97F4A7C15) & MASK)
    return value


def words(text):
    """Lower case, a hyphen after a letter or digit left out, with the line end that follows it."""
    before, text = None, text.lower()
    while before != text:
        before, text = text, re.sub(r"(?<=[a-z0-9])-([ \t\r\n]*\n[ \t\r\n]*)?", "", text, count=1)
    return re.findall(r"[a-z0-9]+", text)


def shingles(text):
    tokens = words(text)
    if len(tokens) < 3:
        return [tuple(tokens)] if tokens else []
    return [
        (first, *following) for first, following in zip(tokens, pairwise(tokens[1:]), strict=False)
    ]


def shingle_hash(shingle):
    first, second, third = (*[0] * (3 - len(shingle)), *map(word_hash, shingle))
    return mix((third + mix((second + mix(first)) & MASK)) & MASK)


def simhash(text):
    votes = [0] * 64
    for shingle in shingles(text):
        feature = shingle_hash(shingle)
        for bit in range(64):
            votes[bit] += 1 if feature >> bit & 1 else -1
    return sum(1 << bit for bit in range(64) if votes[bit] > 0)


def sketch(text, key):
    least = {}
    for shingle in shingles(text):
        value = mix((shingle_hash(shingle) + key) & MASK)
        least[value >> 56] = min(value, least.get(value >> 56, MASK))
    bits = 0
    for number in range(256) if least else ():
        source, draw = number, 0
        while source not in least:
            draw += 1
            source = mix(number + draw * 256) % 256
        bits |= (mix((least[source] + number) & MASK) & 1) << number
    return bits.to_bytes(32, "little")


def similarity(first, second):
    ours, theirs = set(shingles(first)), set(shingles(second))
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0
