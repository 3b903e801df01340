"""Checks the feature matrix against symbol graphs, tests, pages and migration guides.

Usage: matrix.py --here GRAPHS --apple GRAPHS: folders of symbol graphs of this system, and of Apple platforms.
"""

import argparse
import json
import pathlib
import re
import sys

MATRIX = pathlib.Path("Documentation/FeatureMatrix.md")
GUIDES = pathlib.Path("Sources/PipelineActions/PipelineActions.docc/Migration")

# What each library offered, numbered. A number that is missing was never given.
OFFERED = {
    "EC": ("FromECNetworking.md", [*range(1, 15), *range(16, 22)]),
    "AB": ("FromABNetworking.md", [*range(1, 8), *range(9, 21)]),
    "CN": ("FromCombineNetworking.md", [*range(1, 24)]),
    "NW": ("FromNetworker.md", [*range(1, 13)]),
}
COLUMNS = ["id", "offered", "here", "test", "page", "state"]
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\[[^\]]+\]\(([^)#]+)(#[^)]*)?\)")
# The job that stands in the place of a test where only types can be checked. Other jobs run something.
TYPE_CHECK = "Scripts/apple"


class Row:
    def __init__(self, line, cells):
        self.line = line
        self.id, self.offered, here, test, page, self.state = cells
        self.symbols, self.tests = CODE.findall(here), CODE.findall(test)
        self.pages = [link for link, _ in LINK.findall(page)]


class Findings:
    def __init__(self):
        self.count = 0

    def add(self, file, line, text):
        self.count += 1
        print(f"{file}:{line}: error: {text}")


def read_rows(findings):
    rows = []
    for number, line in enumerate(MATRIX.read_text().split("\n"), 1):
        if not line.startswith("|"):
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells == COLUMNS or set("".join(cells)) <= set("-: "):
            continue
        if len(cells) != len(COLUMNS):
            findings.add(MATRIX, number, f"a row has {len(COLUMNS)} cells, this one has {len(cells)}")
        else:
            rows.append(Row(number, cells))
    return rows


def read_symbols(folder):
    """The names of all public declarations, as links to them are written: `Network/send(_:priority:)`."""
    names = set()
    graphs = sorted(folder.glob("Pipeline*.symbols.json"))
    if not graphs:
        sys.exit(f"error: there are no symbol graphs in {folder}")
    for graph in graphs:
        names |= {"/".join(symbol["pathComponents"]) for symbol in json.loads(graph.read_text())["symbols"]}
    return names


def read_tests():
    """The tests whose names are sentences, each behind the suite that it stands in: `FaceTests/delivers the value`."""
    type_line = re.compile(r"^( *)(?:[@\w()]+ )*?(?:struct|class|actor|enum|extension) ([\w.]+)")
    test_line = re.compile(r"^( *).*?\bfunc `([^`]+)`")
    tests = set()
    for file in sorted(pathlib.Path("Tests").rglob("*.swift")):
        around = []
        for line in file.read_text().split("\n"):
            if found := type_line.match(line):
                depth = len(found[1])
                around = [(other, name) for other, name in around if other < depth]
                around.append((depth, found[2].split(".")[-1]))
            elif found := test_line.match(line):
                tests |= {f"{name}/{found[2]}" for depth, name in around if depth < len(found[1])}
    return tests


def check_ids(rows, findings):
    known = {f"{library}{number}" for library, (_, numbers) in OFFERED.items() for number in numbers}
    found = set()
    for row in rows:
        found.add(row.id)
        if row.id not in known:
            findings.add(MATRIX, row.line, f"nobody offered {row.id}")
    for library, (guide, numbers) in OFFERED.items():
        path = GUIDES / guide
        told = set(re.findall(r"\b[A-Z]{2}\d+\b", path.read_text())) if path.exists() else set()
        if not path.exists():
            findings.add(path, 1, "the guide is missing")
        for number in numbers:
            if f"{library}{number}" not in found:
                findings.add(MATRIX, 1, f"{library}{number} has no row")
            if path.exists() and f"{library}{number}" not in told:
                findings.add(path, 1, f"{library}{number} is not told of")
        for other in sorted(told - known):
            findings.add(path, 1, f"nobody offered {other}")


def check_row(row, here, apple, tests, examples, jobs, findings):
    def complain(text):
        findings.add(MATRIX, row.line, f"{row.id}: {text}")

    if row.state not in {"run", "type-checked"}:
        complain(f"its state is run or type-checked, not “{row.state}”")
    for cell, entries in [("symbol", row.symbols), ("test", row.tests), ("page", row.pages)]:
        if not entries:
            complain(f"there is no {cell}")

    for symbol in row.symbols:
        if symbol not in here | apple:
            complain(f"{symbol} is no public declaration")
        elif symbol not in here and row.state == "run":
            complain(f"{symbol} is on Apple platforms only, so it was not run; mark the row type-checked")
        elif symbol in here and row.state == "type-checked":
            complain(f"{symbol} is here too, so it can be run; name its test")
    for test in row.tests:
        if test == TYPE_CHECK:
            if row.state == "run":
                complain(f"{TYPE_CHECK} runs nothing; name a test")
        elif test.startswith("Scripts/"):
            if test.removeprefix("Scripts/") not in jobs:
                complain(f"{test} is no job of Scripts/check")
        elif test.startswith("Examples/"):
            if not pathlib.Path(test).is_dir() or f"run {test.removeprefix('Examples/')}" not in examples:
                complain(f"{test} is no example that Scripts/examples runs")
        elif test not in tests:
            complain(f"there is no test {test}")
    for page in row.pages:
        if not (MATRIX.parent / page).is_file():
            complain(f"there is no page {page}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--here", type=pathlib.Path, required=True)
    parser.add_argument("--apple", type=pathlib.Path, required=True)
    options = parser.parse_args()

    findings = Findings()
    rows = read_rows(findings)
    check_ids(rows, findings)
    here, apple, tests = read_symbols(options.here), read_symbols(options.apple), read_tests()
    examples = pathlib.Path("Scripts/examples").read_text().split("\n")
    jobs = re.search(r"^jobs=\(([^)]*)\)$", pathlib.Path("Scripts/check").read_text(), re.MULTILINE)[1].split()
    for row in rows:
        check_row(row, here, apple, tests, examples, jobs, findings)
    run = sum(row.state == "run" for row in rows)
    print(f"{len(rows)} rows, {run} run and {len(rows) - run} type-checked, {findings.count} errors")
    sys.exit(1 if findings.count or not rows else 0)


main()
