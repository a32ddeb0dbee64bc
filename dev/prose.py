# SPDX-License-Identifier: BSD-3-Clause
"""Prose: the width of that in Markdown, and words that comments do without.

Which lines are too long, and the same text wrapped.

Tables, code, headings, HTML and definitions of links stay as they are, and so does a word that is too long by itself. A
piece of code between back-quotes is one word, so that it can be searched for.
"""
import re

WIDTH = 100

# A comment that leans on the one above, or on a missing subject, cannot be read alone.
ODD = re.compile(r"^\s*///? (The same|Of who|For who|Who )|//.*\b(in vain)\b")

FENCE = re.compile(r"\s*(```|~~~)")
ITEM = re.compile(r"(\s*(?:[*+-]|\d+[.)])\s+)(.*)")
FIXED = re.compile(r"\s*(\||#|<|\[[^\]]+\]:|(?:-{3,}|={3,}|\*{3,})\s*$)|    |\t")
QUOTE = re.compile(r"\s*> ?")
WORD = re.compile(r"(?:`[^`]*`|\S)+")
MARKER = re.compile(r"(?:[*+-]|\d+[.)]|#+|[|>]\S*)$")  # at the beginning of a line they mean something


def blocks(text):
    """The text in pieces: (number of the first line, its lines, whether they are prose)."""
    begin, prose, in_fence, in_item = 1, [], False, False
    for number, line in enumerate(text.split("\n"), 1):
        is_fence = bool(FENCE.match(line))
        item = ITEM.match(line)
        fixed = in_fence or is_fence or not line.strip() or (FIXED.match(line) and not item and not in_item)
        fixed = fixed or (in_item and bool(re.match(r"\s*(\||<)", line)))
        if prose and (fixed or item or (QUOTE.match(line) and not QUOTE.match(prose[0]))):
            yield begin, prose, True
            prose = []
        if fixed:
            yield number, [line], False
        else:
            begin = begin if prose else number
            prose.append(line)
        in_fence ^= is_fence
        in_item = bool(item) or (in_item and bool(line.strip()))
    if prose:
        yield begin, prose, True


def words(lines):
    return WORD.findall(" ".join(line.strip() for line in lines))


def opening(line):
    """How a block of prose begins, and what its other lines begin with."""
    if quote := QUOTE.match(line):
        return quote[0], quote[0]
    item = ITEM.match(line)
    first = item[1] if item else re.match(r"\s*", line)[0]
    return first, " " * len(first)


def filled(lines):
    """The lines of one block of prose, none longer than it must be."""
    first, other = opening(lines[0])
    rest = [QUOTE.sub("", line) for line in lines[1:]] if QUOTE.match(first) else lines[1:]
    result, line = [], first
    for word in words([lines[0][len(first):], *rest]):
        begun = line.strip() and line != first
        if begun and len(line) + 1 + len(word) > WIDTH and not MARKER.match(word):
            result.append(line)
            line = other + word
        else:
            line += (" " if begun else "") + word
    return [*result, line]


def wrapped(text):
    return "\n".join(line for _, lines, is_prose in blocks(text) for line in (filled(lines) if is_prose else lines))


def too_long(text):
    """Numbers of the lines of prose that are longer than they must be."""
    for begin, lines, is_prose in blocks(text):
        for number, line in enumerate(lines, begin) if is_prose else ():
            if len(line) > WIDTH and len(filled([line])) > 1:
                yield number


def odd_comments(text):
    """Of comments in C++: (number of the line, what should be said in another way)."""
    for number, line in enumerate(text.split("\n"), 1):
        if found := ODD.search(line):
            yield number, (found[1] or found[2]).strip()
