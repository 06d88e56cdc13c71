import sys
sys.path.insert(0, ".")

from greet import greet

assert greet(" Ada ") == "Hello, Ada!"
assert greet("") == "Hello!"
