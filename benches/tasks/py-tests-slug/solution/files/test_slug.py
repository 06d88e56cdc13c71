import unittest

from slug import slug


class SlugTest(unittest.TestCase):
    def test_case(self):
        self.assertEqual(slug("Hello"), "hello")

    def test_runs_become_one_dash(self):
        self.assertEqual(slug("a  --  b"), "a-b")

    def test_digits_stay(self):
        self.assertEqual(slug("Top 10"), "top-10")

    def test_edges(self):
        self.assertEqual(slug("  (hi)!  "), "hi")

    def test_limit(self):
        self.assertEqual(slug("abcdef", 3), "abc")
        self.assertEqual(slug("ab cd", 3), "ab")
        self.assertEqual(slug("x" * 30), "x" * 20)

    def test_other_letters(self):
        self.assertEqual(slug("caf\u00e9 au lait"), "caf-au-lait")

    def test_untitled(self):
        self.assertEqual(slug("???"), "untitled")
        self.assertEqual(slug(""), "untitled")
