import sys
sys.path.insert(0, ".")

from intervals import merge

given = [[3, 5], [1, 3], [9, 10]]
assert merge(given) == [[1, 5], [9, 10]], merge(given)
assert given == [[3, 5], [1, 3], [9, 10]], "the argument was changed"
assert merge([[1, 10], [2, 3], [4, 5]]) == [[1, 10]]
assert merge([(1, 2), (4, 5)]) == [[1, 2], [4, 5]]
assert merge([]) == []
