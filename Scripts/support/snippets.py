"""Type-checks the Swift blocks of Markdown files. CONTRIBUTING.md describes the marks."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

IMPORTS = "import Foundation\nimport Pipeline\nimport PipelineActions\nimport PipelineTesting\n"
TOKEN = re.compile(
    r"^<!-- snippet: (?P<mark>continues|package|apple) -->$"
    r"|^<!-- snippet: setup\n(?P<setup>.*?)^-->$"
    r"|^(?P<indent> *)```swift *\n(?P<code>.*?)^ *```$",
    re.MULTILINE | re.DOTALL,
)
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(name: "Snippet", dependencies: [
{code}
])
"""


class Snippet:
    def __init__(self, file, line, code, kind="code"):
        self.file, self.line, self.code, self.kind = file, line, code, kind


def snippets(file):
    """The blocks of a file, each with all that it builds on."""
    text = file.read_text()
    # A mark that is misspelt would let a block go unchecked, or fail for no visible reason.
    marks = len(re.findall(r"<!-- *snippet", text))
    understood = found = 0
    mark, setup, source, kind = None, "", "", "code"
    for token in TOKEN.finditer(text):
        line = text.count("\n", 0, token.start()) + 1
        if token["mark"]:
            understood += 1
            mark = token["mark"]
        elif token["setup"] is not None:
            understood += 1
            setup += located(file, line + 1, token["setup"])
        elif mark == "package":
            found += 1
            yield Snippet(file, line, token["code"], "manifest")
            mark = None
        else:
            found += 1
            code = "\n".join(l.removeprefix(token["indent"]) for l in token["code"].split("\n"))
            source = (source if mark == "continues" else "") + setup + located(file, line + 1, code)
            if mark != "continues":
                kind = "apple" if mark == "apple" else "code"
            yield Snippet(file, line, source, kind)
            mark, setup = None, ""
    if marks != understood:
        sys.exit(f"{file}: error: {marks - understood} of its snippet marks are not understood")
    if found != len(re.findall(r"^ *```swift", text, re.MULTILINE)):
        sys.exit(f"{file}: error: a Swift block is not closed")
    if mark or setup:
        sys.exit(f"{file}: error: its last snippet mark has no block")


def located(file, line, code):
    return f'#sourceLocation(file: "{file}", line: {line})\n{code}\n#sourceLocation()\n'


def check(snippet, number, options):
    if snippet.kind == "manifest":
        folder = options.out / f"{number:02}"
        folder.mkdir()
        code = MANIFEST.format(code=snippet.code)
        (folder / "Package.swift").write_text(code)
        command = ["swift", "package", "--package-path", str(folder), "dump-package"]
        return subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0
    path = options.out / f"{number:02}.swift"
    path.write_text(IMPORTS + snippet.code)
    modules = options.apple if snippet.kind == "apple" else options.modules
    plugins = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent / "lib/swift/host/plugins"
    command = ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", str(modules)]
    # The library imports its C target, whose module stands with the sources.
    command += ["-I", "Sources/CCurl/include"]
    command += ["-plugin-path", str(plugins), str(path)]
    return subprocess.run(command).returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", type=pathlib.Path, required=True)
    parser.add_argument("--apple", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)

    checked, failed = 0, []
    for file in options.files:
        for snippet in snippets(file):
            checked += 1
            if not check(snippet, checked, options):
                failed.append(f"{snippet.file}:{snippet.line}")
    print(f"{checked} Swift blocks in {len(options.files)} files, {len(failed)} do not compile")
    for place in failed:
        print(f"{place}: error: the block does not compile")
    sys.exit(1 if failed or not checked else 0)


main()
