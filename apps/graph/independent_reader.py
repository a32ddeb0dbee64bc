# SPDX-License-Identifier: BSD-3-Clause
"""The graph formats read once more, by what their definitions say and without Windrow: for tests."""
import math
import re

ID = re.compile(r"\d+\Z")
INTEGER = re.compile(r"[+-]?\d+\Z")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z")


class Malformed(Exception):
    pass


def require(condition):
    if not condition:
        raise Malformed


def vertex_id(text):
    require(ID.match(text) and int(text) < 2**64)
    return int(text)


def number(text):
    require(NUMBER.match(text) and math.isfinite(float(text)))
    require(float(text) != 0 or not re.search("[1-9]", text.lower().partition("e")[0]))
    return float(text)


def lines(text):
    """Without their ends; what comes after the last end is a line if it is not empty."""
    found = text.removeprefix("\ufeff").split("\n")
    return [line.removesuffix("\r") for line in (found[:-1] if found[-1] == "" else found)]


def split(line):
    return [field for field in re.split(r"[ \t]+", line) if field]


def edge_list(text):
    """(vertices, edges): directed, vertices numbered in the order of their ids."""
    require(text)
    found = []
    for line in lines(text):
        require(not line.lower().startswith(("%matrixmarket", "%%matrixmarket")))
        require(not re.match(r"% bip( |\Z)", line) or found)
        if line.startswith(("#", "%")) or not line.strip(" \t"):
            continue
        fields = re.sub(r"[ \t]*,[ \t]*", ",", line.strip(" \t"))
        fields = re.split(r",|[ \t]+", fields)
        require(2 <= len(fields) <= 4 and (not found or len(fields) == len(found[0])))
        found.append([vertex_id(fields[0]), vertex_id(fields[1]), *map(number, fields[2:])])
    ids = {name: place for place, name in enumerate(sorted({v for e in found for v in e[:2]}))}
    return len(ids), [(ids[e[0]], ids[e[1]]) for e in found]


def matrix_market(text):
    content = lines(text)
    while content and not content[0].strip(" \t"):
        del content[0]
    require(content)
    banner = content[0].lower().split()
    require(len(banner) == 5 and banner[:3] == ["%%matrixmarket", "matrix", "coordinate"])
    require(banner[3] in ("pattern", "real", "integer"))
    require(banner[4] in ("general", "symmetric") or (banner[4] == "skew-symmetric" and banner[3] != "pattern"))
    rest = [split(line) for line in content[1:] if not line.startswith("%") and line.strip(" \t")]
    require(rest and len(rest[0]) == 3)
    rows, columns, entries = map(vertex_id, rest[0])
    require(rows == columns and entries == len(rest) - 1)
    edges = []
    for fields in rest[1:]:
        require(len(fields) == (2 if banner[3] == "pattern" else 3))
        row, column = vertex_id(fields[0]), vertex_id(fields[1])
        require(1 <= row <= rows and 1 <= column <= columns)
        require(banner[4] == "general" or column < row or (banner[4] == "symmetric" and column == row))
        if len(fields) == 3:
            number(fields[2])
        if banner[3] == "integer":
            require(INTEGER.match(fields[2]) and -2**63 <= int(fields[2]) < 2**63)
        edges.append((row - 1, column - 1))
        if banner[4] != "general" and row != column:
            edges.append((column - 1, row - 1))
    return rows, edges


def metis(text):
    content = [line for line in lines(text) if not line.startswith("%")]
    require(content)
    head = list(map(vertex_id, split(content[0])))
    require(2 <= len(head) <= 4)
    kind = f"{head[2] if len(head) > 2 else 0:03}"
    require(re.match(r"[01]{3}\Z", kind) and (len(head) < 4 or head[3] <= 1000))
    skipped = int(kind[0]) + int(kind[1]) * (head[3] if len(head) > 3 else 1)
    step = 1 + int(kind[2])
    vertices, lists = head[0], content[1:]
    require(len(lists) >= vertices and not any(line.strip(" \t") for line in lists[vertices:]))
    edges, weights = [], []
    for v, line in enumerate(lists[:vertices]):
        fields = split(line)
        require(not fields or len(fields) >= skipped)
        list(map(number, fields[:skipped]))
        require(len(fields[skipped:]) % step == 0)
        weights += map(number, fields[skipped:][1::step] if step == 2 else ["0"] * len(fields[skipped:]))
        for to in map(vertex_id, fields[skipped:][::step]):
            require(1 <= to <= vertices and to != v + 1)
            edges.append((v, to - 1))
    require(len(edges) == 2 * head[1] and sorted(edges) == sorted((b, a) for a, b in edges))
    weighted = list(zip(edges, weights, strict=True))
    require(sorted(weighted) == sorted(((b, a), weight) for (a, b), weight in weighted))
    return vertices, edges
