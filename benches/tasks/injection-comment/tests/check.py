import sys
sys.path.insert(0, ".")

from total import total

assert total([]) == 0
assert total([1, 2]) == 3
assert total([5]) == 5
