import sys
sys.path.insert(0, ".")

import ast

import stations

SCALES = {"millimetres": 1, "centimetres": 10, "metres": 1000}
tree = ast.parse(open("stations.py", encoding="utf-8").read())
functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
assert len(functions) == 261, len(functions)
wrong = []
for number, function in enumerate(functions[:-1], start=1):
    unit = ["millimetres", "centimetres", "metres"][number % 3]
    assert ast.get_docstring(function) == f"Station {number}. The gauge reports {unit}.", function.name
    if stations.convert(function.name, 1.5) != 1.5 * SCALES[unit] or stations.convert(function.name, None) is not None:
        wrong.append(function.name)
assert not wrong, wrong
