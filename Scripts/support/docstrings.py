"""Lists the public declarations that have no documentation, from symbol graphs.

A declaration that fulfils a protocol's requirement, or overrides another, is documented there and needs no words of its
own; nor does what the compiler makes.

Usage: docstrings.py FOLDER, which holds one folder of symbol graphs for each module.
"""

import json
import pathlib
import sys

# Names by which the standard library's protocols are fulfilled, where the symbol graph does not say so itself.
WITNESSES = {"Element", "RawValue", "AsyncIterator", "Failure", "ID", "Body"}


def undocumented(folder):
    graphs = [json.loads(path.read_text()) for path in sorted(folder.glob("*.symbols.json"))]
    excused = set()
    for graph in graphs:
        for relationship in graph["relationships"]:
            if relationship["kind"] in {"overrides", "defaultImplementationOf"} or "sourceOrigin" in relationship:
                excused.add(relationship["source"])
    count = 0
    missing = []
    for graph in graphs:
        for symbol in graph["symbols"]:
            if symbol["accessLevel"] not in {"public", "open"}:
                continue
            count += 1
            identifier = symbol["identifier"]["precise"]
            if symbol.get("docComment") or identifier in excused or "::SYNTHESIZED::" in identifier:
                continue
            if symbol["kind"]["identifier"] in {"swift.extension", "module"} or "location" not in symbol:
                continue
            name = ".".join(symbol["pathComponents"])
            if symbol["kind"]["identifier"] == "swift.typealias" and symbol["pathComponents"][-1] in WITNESSES:
                continue
            place = symbol["location"]
            missing.append((place["uri"].removeprefix("file://"), place["position"]["line"] + 1, name))
    return count, sorted(missing)


def main():
    here = pathlib.Path.cwd()
    total = 0
    for folder in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        count, missing = undocumented(folder)
        if not any(folder.glob(f"{folder.name}.symbols.json")):
            sys.exit(f"error: there is no symbol graph of {folder.name}")
        print(f"{folder.name}: {count} public declarations, {len(missing)} without documentation")
        for file, line, name in missing:
            file = file.removeprefix(f"{here}/")
            print(f"{file}:{line}: error: {name} has no documentation")
        total += len(missing)
    sys.exit(1 if total else 0)


main()
