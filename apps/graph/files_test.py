#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`windrow graph` on random and malformed files, against independent readers. Usage: files_test.py WINDROW CLASS."""
import collections
import gzip
import json
import lzma
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import independent_reader as independent

WINDROW = sys.argv[1]
READERS = {"edges": independent.edge_list, "matrix-market": independent.matrix_market, "metis": independent.metis}


def windrow(*arguments, **more):
    return subprocess.run([WINDROW, "graph", *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False,
                          **more)


def simple(vertices, edges):
    return {(min(e), max(e)) for e in edges if e[0] != e[1]}


def components(vertices, edges):
    neighbours, sizes, seen = collections.defaultdict(set), [], set()
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)
    for v in range(vertices):
        found, pending = 0, [v] if v not in seen else []
        seen.add(v)
        while pending:
            found += 1
            new = neighbours[pending.pop()] - seen
            seen |= new
            pending += new
        if found:
            sizes.append(found)
    return len(sizes), max(sizes, default=0)


def triangles(edges):
    above = collections.defaultdict(set)
    for a, b in edges:
        above[a].add(b)
    return sum(len(above[a] & above[b]) for a, b in edges)


def facts(vertices, edges):
    """What `windrow graph info --json` should say."""
    once = simple(vertices, edges)
    degree = collections.Counter(v for e in once for v in e)
    degrees = sorted(degree[v] for v in range(vertices)) or [0]
    count, largest = components(vertices, once)
    return {"vertices": vertices, "edges": len(edges), "self_loops": sum(a == b for a, b in edges),
            "undirected_edges": len(once),
            "degrees": {"least": degrees[0], "median": degrees[len(degrees) // 2], "greatest": degrees[-1]},
            "isolated_vertices": vertices - len(degree), "components": count, "largest_component": largest,
            "triangles": triangles(once)}


class Maker:
    """Random files, and damage to them."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.vertices = self.random.randint(1, 40)
        self.edges = [(self.random.randrange(self.vertices), self.random.randrange(self.vertices))
                      for _ in range(self.random.randint(0, 120))]

    def end(self):
        return self.random.choice(["\n"] * 6 + ["\r\n", "\n\n"])

    def edge_list(self):
        columns, space = self.random.randint(2, 4), self.random.choice([" ", "\t", ",", " , "])
        more = lambda: [self.random.choice(["1", "-2.5", "+3", "1e3"]) for _ in range(columns - 2)]
        return "# comment\n% another\n" + "".join(space.join([str(7 * a), str(7 * b), *more()]) + self.end()
                                                  for a, b in self.edges)

    def matrix_market(self):
        kind = self.random.choice(["pattern general", "real general", "integer symmetric", "real skew-symmetric",
                                   "pattern symmetric"])
        value = lambda: "" if "pattern" in kind else self.random.choice([" 5", " -5", " +5"])
        edges = self.edges if "general" in kind else [(max(e), min(e)) for e in self.edges if "skew" not in kind or e[0] != e[1]]
        return (f"%%MatrixMarket matrix coordinate {kind}\n% comment\n{self.vertices} {self.vertices} {len(edges)}\n"
                + "".join(f"{a + 1} {b + 1}{value()}{self.end()}" for a, b in edges))

    def metis(self):
        lists, once = collections.defaultdict(list), simple(self.vertices, self.edges)
        for a, b in once:
            lists[a].append(b + 1)
            lists[b].append(a + 1)
        kind, head = self.random.choice([("", ""), (" 1", ""), (" 11", "9 "), (" 10 2", "9 8 "), (" 100", "4 ")])
        weight = " 3" if kind.endswith("1") else ""
        line = lambda v: (head + " ".join(f"{to}{weight}" for to in lists[v])) if lists[v] else ""
        return (f"% comment\n{self.vertices} {len(once)}{kind}\n"
                + "".join(line(v) + "\n" + self.random.choice(["", "", "% in between\n"]) for v in range(self.vertices)))

    def damaged(self, text):
        place = self.random.randrange(len(text) + 1)
        return self.random.choice([
            text[:place], text[:place] + self.random.choice("0123456789 \n-%#x.,+") + text[place + 1:],
            text[:place] + "\n" + text[place:], text + self.random.choice(["1 2\n", "x", "\n\n", "3"])])


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def info(self, files, *options):
        return json.loads(windrow("info", "--json", *options, *files).stdout)

    def compare(self, texts, format):
        files = []
        for number, text in enumerate(texts):
            files.append(self.folder / f"{format}{number}")
            files[-1].write_bytes(text.encode())
        for text, found in zip(texts, self.info(files, "--format", format), strict=True):
            try:
                expected = facts(*READERS[format](text))
            except independent.Malformed:
                self.assertIn("error", found, text)
                self.assertRegex(found["error"], r"line \d+: expected|: expected \d+|names the other|own neighbour|has another weight|the file is empty", text)
                continue
            self.assertNotIn("error", found, text)
            self.assertEqual({name: found[name] for name in expected}, expected, text)

    def test_random_and_damaged_files(self):
        for format, write in (("edges", Maker.edge_list), ("matrix-market", Maker.matrix_market), ("metis", Maker.metis)):
            texts = []
            for seed in range(150):
                maker = Maker(f"{format} {seed}")
                texts += [write(maker), maker.damaged(write(maker))]
            with self.subTest(format):
                self.compare(texts, format)

    def test_conversion_to_every_format_and_back(self):
        for seed in range(6):
            maker = Maker(seed)
            source = self.folder / "source.mtx"
            source.write_text(maker.matrix_market(), encoding="ascii")
            vertices, edges = independent.matrix_market(source.read_text(encoding="ascii"))
            for name, read in (("a.mtx", independent.matrix_market), ("a.el", independent.edge_list), ("a.graph", independent.metis)):
                done = windrow("convert", source, self.folder / name)
                self.assertEqual(done.returncode, 0, done.stderr)
                found = read((self.folder / name).read_text(encoding="ascii"))
                if name == "a.mtx":
                    self.assertEqual(found, (vertices, edges))
                elif name == "a.graph":
                    self.assertEqual((found[0], simple(*found)), (vertices, simple(vertices, edges)))
                else:
                    self.assertEqual((found[0], len(found[1])), (len({v for e in edges for v in e}), len(edges)))

    # Before, an edge list of no edges was a file without a byte, which is refused.
    def test_a_graph_without_edges_and_back(self):
        source = self.folder / "source.mtx"
        source.write_text("%%MatrixMarket matrix coordinate pattern general\n3 3 0\n", encoding="ascii")
        for name, vertices in (("a.mtx", 3), ("a.graph", 3), ("a.el", 0)):
            self.assertEqual(windrow("convert", source, self.folder / name).returncode, 0)
            done = windrow("info", "--json", self.folder / name)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)[0]["vertices"], vertices)

    def test_what_a_format_cannot_hold_is_told(self):
        source = self.folder / "source.mtx"
        source.write_text("%%MatrixMarket matrix coordinate real general\n4 4 4\n1 2 5\n2 1 5\n1 2 5\n3 3 5\n", encoding="ascii")
        said = windrow("convert", source, self.folder / "a.graph").stderr
        for what in ("1 self loops", "1 repeated edges", "directions of edges"):
            self.assertIn(what, said)
        self.assertNotIn("weights", said)
        self.assertIn("1 vertices without an edge", windrow("convert", source, self.folder / "a.el").stderr)
        self.assertNotIn("2 repeated edges", said)
        for name, sentence in (("a.csv", "names no format to write"), ("a.el.gz", "would be a compressed file"),
                               ("missing/a.el", "cannot write the file")):
            done = windrow("convert", source, self.folder / name)
            self.assertEqual(done.returncode, 1)
            self.assertIn(sentence, done.stderr)

    # Before, edges in one direction and repeated ones could make up for each other.
    def test_what_is_left_out_is_counted_for_each_pair(self):
        for edges, said in (([(0, 1), (0, 1), (1, 2), (2, 1)], {"1 repeated edges", "directions of edges"}),
                            ([(0, 1), (1, 0), (1, 2), (2, 1)], set()), ([(0, 1), (1, 0)] * 3, {"2 repeated edges"}),
                            ([(0, 1), (1, 2)], {"directions of edges"}), ([(0, 1), (0, 1)], {"1 repeated edges", "directions of edges"}),
                            ([(0, 1), (1, 0), (0, 1), (1, 2), (2, 1)], {"1 repeated edges", "directions of edges"})):
            source = self.packed("source.el", "".join(f"{a} {b}\n" for a, b in edges).encode())
            lines = windrow("convert", source, self.folder / "a.graph").stderr.splitlines()
            self.assertEqual({line.partition("hold it: ")[2] for line in lines if "hold it: " in line}, said, edges)

    def test_weights_that_a_metis_file_can_hold(self):
        for seed in range(20):
            maker = Maker(f"weights {seed}")
            weights = collections.defaultdict(lambda maker=maker: maker.random.choice([1, 7, 2**40, "12", "3.0"]))
            source = self.packed("source.el", ("# \n" + "".join(f"{a} {b} {weights[min(a, b), max(a, b)]}\n" for a, b in maker.edges)).encode())
            done = windrow("convert", source, self.folder / "a.graph")
            self.assertEqual((done.returncode, "weights" in done.stderr), (0, False), done.stderr)
            ids = {name: place for place, name in enumerate(sorted({v for e in maker.edges for v in e}))}
            expected = {(ids[a], ids[b], float(w)) for (a, b), w in weights.items() if a != b}
            self.assertEqual(windrow("convert", self.folder / "a.graph", self.folder / "b.mtx").returncode, 0)
            written = [line.split() for line in (self.folder / "b.mtx").read_text(encoding="ascii").splitlines()[2:]]
            self.assertEqual({(int(a) - 1, int(b) - 1, float(w)) for a, b, w in written if int(a) < int(b)}, expected)
            self.assertEqual(independent.metis((self.folder / "a.graph").read_text(encoding="ascii"))[0], len(ids))

    def test_weights_that_a_metis_file_cannot_hold(self):
        for lines, reason in ((["0 1 0.5"], "not all whole numbers above 0"), (["0 1 -2"], "not all whole numbers above 0"),
                              (["0 1 0"], "not all whole numbers above 0"), (["0 1 1e300"], "not all whole numbers above 0"),
                              (["0 1 1", "1 0 2"], "not the same for all edges between the same vertices"),
                              (["0 1 1", "0 1 3"], "not the same for all edges between the same vertices")):
            source = self.packed("source.el", "\n".join(lines).encode())
            said = windrow("convert", source, self.folder / "a.graph").stderr
            self.assertIn(f"because this format cannot hold it: weights of edges, which are {reason}\n", said)
            self.assertEqual((self.folder / "a.graph").read_text(encoding="ascii"), "2 1\n2\n1\n")

    def test_rounded_weights_are_told_once(self):
        source = self.packed("source.el", b"0 1 9007199254740993\n1 2 9007199254740993\n")
        self.assertEqual(windrow("convert", source, self.folder / "a.mtx").stderr.count("integers beyond 2^53"), 1)
        self.assertTrue(self.info([source])[0]["rounded_weights"])
        self.assertIn("some rounded", windrow("info", source).stdout)
        self.assertFalse(self.info([self.packed("b.el", b"0 1 7\n")])[0]["rounded_weights"])

    # Before, the output was emptied first: a graph converted onto itself was lost where there was no room.
    def test_an_output_is_replaced_when_it_is_complete(self):
        text = "".join(f"{k} {k + 1}\n" for k in range(20000))
        source = self.packed("a.el", text.encode())
        full = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
        for arguments in (("convert", source, source), ("generate", "grid", source, "--scale", 14)):
            done = windrow(*arguments, preexec_fn=full)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(source.read_text(encoding="ascii"), text)
            for left in self.folder.glob("*.tmp"):
                left.unlink()  # SIGXFSZ allows no more
        full = lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000)))
        done = windrow("convert", source, source, preexec_fn=full, restore_signals=False)
        self.assertEqual((done.returncode, done.stderr), (1, f"windrow: cannot write the file {source}: File too large\n"))
        self.assertEqual([file.name for file in self.folder.iterdir()], ["a.el"])
        source.chmod(0o640)
        (self.folder / "link.el").symlink_to("a.el")
        self.assertEqual(windrow("convert", source, self.folder / "link.el").returncode, 0)
        self.assertTrue((self.folder / "link.el").is_symlink())
        self.assertEqual((source.read_text(encoding="ascii"), source.stat().st_mode & 0o777), (text, 0o640))
        self.assertEqual(len(list(self.folder.iterdir())), 2)

    def test_an_output_that_is_no_file(self):
        (self.folder / "full.el").symlink_to("/dev/full")
        done = windrow("generate", "grid", self.folder / "full.el", "--scale", 4)
        self.assertEqual(done.stderr, "windrow: cannot write the file /dev/full: No space left on device\n")
        (self.folder / "folder.el").mkdir()
        self.assertIn("folder.el: Is a directory", windrow("convert", self.folder / "none.el", self.folder / "folder.el").stderr)

    def packed(self, name, content):
        file = self.folder / name
        file.write_bytes(content)
        return file

    def test_compressed_files(self):
        text = "".join(f"{k} {k * 7919 % 10007}\n" for k in range(10007)).encode()
        files = {"a.gz": gzip.compress(text), "a.xz": lzma.compress(text), "two.xz": lzma.compress(text[:60]) + lzma.compress(text[60:])}
        if shutil.which("zstd"):
            files["a.zst"] = subprocess.run(["zstd", "-c"], input=text, capture_output=True, check=True).stdout
            files["skipped.zst"] = b"\x5f\x2a\x4d\x18\x04\0\0\0abcd" + files["a.zst"]  # as pzstd begins
        expected = self.info([self.packed("plain", text)])[0]
        for found in self.info([self.packed(name, content) for name, content in files.items()]):
            self.assertEqual({**found, "file": ""}, {**expected, "file": ""}, found)
        for name, content in files.items():
            for damage, what in ((content[:len(content) // 2], "cut off"), (content[:50] + b"\0\0\0\0" + content[54:], "changed")):
                found = self.info([self.packed("bad " + name, damage)])[0]
                self.assertRegex(found.get("error", ""), r"^cannot read the graph file .* after line \d+: ", f"{name} {what}")

    def test_a_pipe(self):
        reading, writing = os.pipe()
        with os.fdopen(writing, "w") as out:
            out.write("0 1\n1 2\n2 0\n")
        done = windrow("info", "--json", f"/dev/fd/{reading}", pass_fds=[reading])
        os.close(reading)
        self.assertEqual(json.loads(done.stdout)[0]["triangles"], 1)

    def test_names(self):
        for arguments, sentence in ([("info", ""), "the name of the graph file is empty"],
                                    [("info", "/nowhere"), "cannot open the graph file /nowhere: No such file"],
                                    [("info", "--format", "csv", "/nowhere"), "--format"],
                                    [("generate", "torus", "a.el"), "torus"]):
            done = windrow(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(sentence, done.stderr)

    # Before, such a graph had two weights for one edge.
    def test_both_ends_of_a_metis_edge_give_its_weight(self):
        found = self.info([self.packed("unequal.graph", b"3 2 1\n2 1\n1 1 3 2\n2 3\n"), self.packed("equal.graph", b"3 2 1\n2 0\n1 -0 3 2\n2 2\n")])
        self.assertIn("unequal.graph: the edge between the vertices 2 and 3 has another weight", found[0].get("error", ""))
        self.assertEqual(found[1]["edges"], 4)

    # Before, the command ended with what std::vector says, and told nothing of the other files.
    def test_a_size_that_no_memory_holds(self):
        most = 2**63 - 1
        huge = self.packed("huge.mtx", b"%%%%MatrixMarket matrix coordinate pattern general\n%d %d 1\n1 1\n" % (most, most))
        found = self.info([huge, self.packed("a.el", b"0 1\n")])
        self.assertEqual(found[0]["error"], f"{huge}: not enough memory for its vertices and edges")
        self.assertEqual(found[1]["vertices"], 2)

    # Before, the largest size of all ended the command with a memory fault.
    def test_sizes_that_no_memory_holds_are_not_converted(self):
        for size in (2**63, 2**64 - 1):
            huge = self.packed("huge.mtx", b"%%%%MatrixMarket matrix coordinate pattern general\n%d %d 1\n1 1\n" % (size, size))
            for name in ("a.graph", "a.el"):
                with self.subTest(size=size, name=name):
                    done = windrow("convert", huge, self.folder / name)
                    self.assertEqual((done.returncode, done.stderr), (1, f"windrow: {huge}: not enough memory for its vertices and edges\n"))
                    self.assertEqual([file.name for file in self.folder.iterdir()], ["huge.mtx"])
        if b"__asan_init" in pathlib.Path(WINDROW).read_bytes():
            return  # whose allocator ends the program itself
        done = windrow("generate", "rmat", self.folder / "a.el", "--scale", 30, "--edges-per-vertex", 1024)
        self.assertIn("a.el: not enough memory for its vertices and edges", done.stderr)

    # Before, the command ended with what the library of JSON says.
    def test_names_that_are_not_utf_8(self):
        file = os.fsencode(self.folder) + b"/\xff.el"
        pathlib.Path(os.fsdecode(file)).write_text("0 1\n", encoding="ascii")
        done = subprocess.run([WINDROW, "graph", "info", "--json", file, b"\xfe/none"], capture_output=True, check=False, timeout=120)
        found = json.loads(done.stdout)
        self.assertEqual((found[0]["vertices"], found[0]["file"][-4:]), (2, "\ufffd.el"))
        self.assertIn("\ufffd/none", found[1]["error"])

    def test_output_on_a_full_disk(self):
        source = self.packed("a.el", b"0 1\n")
        for arguments in (("graph", "info", source), ("graph", "info", "--json", source), ("info",), ("--help",)):
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([WINDROW, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=120)
            self.assertEqual((done.returncode, done.stderr), (1, "windrow: cannot write to standard output: No space left on device\n"))

    def test_seeds(self):
        for seed in ("-1", "18446744073709551616", "1.5", "one"):
            done = windrow("generate", "rmat", self.folder / "a.el", "--scale", 3, f"--seed={seed}")
            self.assertNotEqual(done.returncode, 0, seed)
            self.assertIn("is not a whole number from 0 to 2^64 - 1", done.stderr)
        self.assertEqual(windrow("generate", "rmat", self.folder / "a.el", "--scale", 3, "--seed", 2**64 - 1).returncode, 0)

    def test_generators_give_the_same_graph_everywhere(self):
        known = json.loads(pathlib.Path(__file__).with_name("generated.json").read_text(encoding="ascii"))
        for name, expected in known.items():
            file = self.folder / f"{name}.mtx"
            self.assertEqual(windrow("generate", name, file, "--scale", 8, "--edges-per-vertex", 8).returncode, 0)
            found = self.info([file])[0]
            self.assertEqual({key: found[key] for key in expected}, expected, name)

    def test_people_read_it(self):
        file = self.packed("a.el", b"0 1\n1 2\n2 0\n2 3\n")
        text = windrow("info", file).stdout
        self.assertIn("  triangles   1\n", text)
        self.assertTrue(re.search(r"^ +1 +1  #+$", text, re.MULTILINE), text)


class AgainstNetworkX(unittest.TestCase):
    def test_random_graphs(self):
        import networkx
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "a.el")
            for seed in range(5):
                graph = networkx.gnm_random_graph(200, 900, seed=seed, directed=True)
                networkx.write_edgelist(graph, file, data=False)
                found = json.loads(windrow("info", "--json", file).stdout)[0]
                read = networkx.read_edgelist(file, create_using=networkx.DiGraph).to_undirected()
                self.assertEqual(found["vertices"], read.number_of_nodes())
                self.assertEqual(found["undirected_edges"], read.number_of_edges())
                self.assertEqual(found["triangles"], sum(networkx.triangles(read).values()) // 3)
                self.assertEqual(found["components"], networkx.number_connected_components(read))

    def test_weights_through_metis(self):
        import networkx
        with tempfile.TemporaryDirectory() as folder:
            file, packed = pathlib.Path(folder, "a.el"), pathlib.Path(folder, "a.graph")
            for seed in range(5):
                graph = networkx.gnm_random_graph(100, 400, seed=seed)
                graph.remove_nodes_from(list(networkx.isolates(graph)))
                for k, edge in enumerate(graph.edges.values()):
                    edge["weight"] = 1 + k * k * seed
                networkx.write_weighted_edgelist(graph, file)
                self.assertEqual(windrow("convert", file, packed).returncode, 0)
                head, *lists = packed.read_text(encoding="ascii").splitlines()
                self.assertEqual(head.split(), [str(len(graph)), str(graph.size()), "001"])
                found = networkx.Graph()
                for v, line in enumerate(lists, 1):
                    fields = list(map(int, line.split()))
                    found.add_weighted_edges_from((v, to, weight) for to, weight in zip(fields[::2], fields[1::2], strict=True))
                number = {v: k for k, v in enumerate(sorted(graph), 1)}
                self.assertTrue(networkx.utils.graphs_equal(found, networkx.relabel_nodes(graph, number)))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
