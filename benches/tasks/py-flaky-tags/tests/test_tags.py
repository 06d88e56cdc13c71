import unittest

from tags import join


class TagsTest(unittest.TestCase):
    def test_order(self):
        self.assertEqual(join(["rust", "go", "Rust", " c "]), "rust, go, c")
        self.assertEqual(join(["z", "y", "x", "w", "v", "Y"]), "z, y, x, w, v")

    def test_empty(self):
        self.assertEqual(join(["", " "]), "")
