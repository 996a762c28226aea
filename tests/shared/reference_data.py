"""Literals of scripts read slowly and plainly, by recursion, as a reference for the kernel.

A node is (kind, start, end, key's bounds, children); what is malformed raises ValueError.
"""

import re

OBJECT, ARRAY, STRING, NUMBER, BOOLEAN, NOTHING, OTHER = range(7)
SPACES = " \t\n\v\f\r\xa0\ufeff\u2028\u2029"
WORD = re.compile(r"(?:[A-Za-z0-9_$]|[^\x00-\x7f\xa0\ufeff\u2028\u2029])+")
NUMBERS = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def blank(text, at):
    """Where white space and comments end."""
    while at < len(text):
        if text[at] in SPACES:
            at += 1
        elif text.startswith("//", at):
            while at < len(text) and text[at] not in "\n\r":
                at += 1
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
            if end < 0:
                raise ValueError("comment")
            at = end + 2
        else:
            break
    return at


def string(text, at):
    """Where the string ends that begins here, after its closing quote."""
    quote = text[at]
    at += 1
    while at < len(text):
        if text[at] == quote:
            return at + 1
        if text[at] == "\n" and quote == "'":
            break
        at += 2 if text[at] == "\\" else 1
    raise ValueError("string")


def scalar(text, at):
    """The kind and the end of a number or a word."""
    if re.match(r"![01]", text[at:]) and not WORD.match(text, at + 2):
        return BOOLEAN, at + 2
    number = NUMBERS.match(text, at)
    if number or re.match(r"[-+]\.", text[at:]):
        end = number.end() if number else at + 2
        word = WORD.match(text, end)
        return (NUMBER if number and not word else OTHER), (word.end() if word else end)
    if at == len(text) or text[at] in ",]}":
        raise ValueError("value")
    word = WORD.match(text, at)
    end = word.end() if word else at
    kinds = {"true": BOOLEAN, "false": BOOLEAN, "null": NOTHING, "undefined": NOTHING}
    if text[at:end] == "void" and text.startswith(" 0", end) and not WORD.match(text, end + 2):
        return NOTHING, end + 2
    return kinds.get(text[at:end], OTHER), end


def expression(text, at, last):
    """Where an expression ends, and where what ends it is."""
    closers = []
    before = text[last - 1] if last else ""
    while True:
        at = blank(text, at)
        sign = text[at : at + 1]
        if not sign:
            raise ValueError("end")
        if not closers and sign in ",]}":
            return last, at
        if sign in "([{":
            closers.append({"(": ")", "[": "]", "{": "}"}[sign])
            at += 1
        elif sign in ")]}" or (sign == ";" and not closers):
            if not closers or closers.pop() != sign:
                raise ValueError("bracket")
            at += 1
        elif sign in "\"'`":
            at = string(text, at)
        elif sign == "/" and not WORD.match(before) and before not in (")", "]"):
            match = re.compile(r"/(?:\\[\s\S]|\[(?:\\[\s\S]|[^\]\\\n\r])*\]|[^/\\\n\r\[])*/").match(
                text, at
            )
            if match is None:
                raise ValueError("regular expression")
            at = match.end()
        else:
            at += 1
        before = sign
        last = at


def value(text, at, key=None, *, inside=True):
    """The value that begins here, and where it ends, with what follows it."""
    at = start = blank(text, at)
    children = []
    sign = text[at : at + 1]
    if sign in ("{", "["):
        kind = OBJECT if sign == "{" else ARRAY
        children, at = members(text, at + 1, kind)
        bounds = (start, at)
    elif sign and sign in "\"'`":
        at = string(text, at)
        computed = sign == "`" and "${" in text[start + 1 : at - 1]
        kind, bounds = (OTHER, (start, at)) if computed else (STRING, (start + 1, at - 1))
    else:
        kind, at = scalar(text, at)
        if kind == OTHER and not inside:
            raise ValueError("no data")
        bounds = (start, at)
    if inside:
        end = at
        at = blank(text, at)
        if text[at : at + 1] not in (",", "]", "}"):
            end, at = expression(text, at, end)
            kind, bounds, children = OTHER, (start, end), []
    return (kind, *bounds, key, children), at


def members(text, at, kind):
    """The members of a container whose bracket was just opened, and where it ends."""
    children = []
    filled = False
    while True:
        at = blank(text, at)
        sign = text[at : at + 1]
        if sign == ("}" if kind == OBJECT else "]"):
            return children, at + 1
        if sign == ",":
            if kind == ARRAY and not filled:
                children.append((NOTHING, at, at, None, []))
            filled = False
            at += 1
            continue
        filled = True
        if kind == OBJECT:
            child, at = property_of(text, at)
            children += [child] if child else []
        else:
            child, at = value(text, at)
            children.append(child)


def property_of(text, at):
    """A property of an object; none for what is spread into it."""
    sign = text[at : at + 1]
    if text.startswith("...", at):
        return None, expression(text, at + 3, at + 3)[1]
    if sign and sign in "\"'":
        end = string(text, at)
        key = (at + 1, end - 1)
    elif word := WORD.match(text, at):
        end = word.end()
        key = word.span()
    else:
        raise ValueError("key")
    after = blank(text, end)
    if text[after : after + 1] == ":":
        return value(text, after + 1, key)
    if text[after : after + 1] in (",", "]", "}"):
        return (OTHER, *key, key, []), after
    last, after = expression(text, after, end)
    return (OTHER, key[0], last, key, []), after


def flattened(node, parent=-1, rows=None):
    """The rows of a tree as the kernel has them: kind, start, end, key's bounds, parent, after."""
    rows = [] if rows is None else rows
    kind, start, end, key, children = node
    number = len(rows)
    rows.append([kind, start, end, *(key or (-1, -1)), parent, 0])
    for child in children:
        flattened(child, number, rows)
    rows[number][-1] = len(rows)
    return rows


def scan(text):
    """The rows of the value that a text begins with; None where it is malformed."""
    try:
        node, _ = value(text, 0, inside=False)
    except ValueError:
        return None
    return flattened(node)
