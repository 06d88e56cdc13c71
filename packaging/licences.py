"""Prints the licences of all crates in the program: each text once, with the crates that carry it. The allowed ones are in .cargo/deny.toml."""

import hashlib
import json
import pathlib
import subprocess
import sys

TARGETS = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"]
# Names of licence files, in any case.
NAMES = ("licen", "copying", "notice", "unlicense", "copyright")


def metadata(target):
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def used(data):
    """Returns the crates that the program is linked with, without build scripts, tests and our own."""
    packages = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    waiting, seen = [data["resolve"]["root"]], set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for dependency in nodes[name]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return [packages[name] for name in seen if packages[name]["source"]]


def texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    # Data in a crate may have a licence of its own.
    paths = [*folder.iterdir(), *folder.glob("assets/**/*")]
    files = [path for path in paths if path.is_file() and path.name.lower().startswith(NAMES)]
    return [path.read_text(errors="replace").strip() for path in sorted(files)]


crates = {}
for target in TARGETS:
    for package in used(metadata(target)):
        crates[f"{package['name']} {package['version']}"] = package

by_text = {}
bare = []
for name, package in sorted(crates.items()):
    if not package["license"] and not package["license_file"]:
        sys.exit(f"licences.py: {name} names no licence")
    found = texts(package)
    if not found:
        bare.append(f"  {name}: {package['license']}, {package['repository'] or 'no repository'}")
    for text in found:
        key = hashlib.sha256("".join(text.split()).encode()).hexdigest()
        by_text.setdefault(key, (text, []))[1].append(f"{name} ({package['license'] or package['license_file']})")

print(f"Licences of the {len(crates)} crates in Benchdog")
if bare:
    print("\nWithout a licence file in the crate:\n" + "\n".join(bare))
for text, names in sorted(by_text.values(), key=lambda entry: (-len(entry[1]), entry[1])):
    print("\n" + "=" * 80 + "\nUsed by:\n" + "\n".join(f"  {name}" for name in names) + "\n\n" + text)
