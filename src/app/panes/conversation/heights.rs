//! The heights of all blocks in a Fenwick tree. Updating a height and finding a row take O(log n).

#[derive(Debug, Clone, Default)]
pub(super) struct Heights {
    each: Vec<usize>,
    /// The Fenwick tree (1-based). Node `i` is the sum of the last `lowbit(i)` blocks up to block `i`.
    tree: Vec<usize>,
}

impl Heights {
    pub(super) fn get(&self, index: usize) -> usize {
        self.each.get(index).copied().unwrap_or(0)
    }

    pub(super) fn push(&mut self, height: usize) {
        self.each.push(height);
        let n = self.each.len();
        // Node `n` is the sum of the blocks after `n - lowbit(n)`.
        let lowest = n & n.wrapping_neg();
        let span = self.before(n - 1) - self.before(n - lowest);
        self.tree.push(span + height);
    }

    pub(super) fn set(&mut self, index: usize, height: usize) {
        let Some(old) = self.each.get_mut(index) else { return };
        let (before, after) = (*old, height);
        *old = height;
        if before == after {
            return;
        }
        let mut n = index + 1;
        while let Some(node) = self.tree.get_mut(n - 1) {
            *node = *node + after - before;
            n += n & n.wrapping_neg();
        }
    }

    pub(super) fn before(&self, count: usize) -> usize {
        let mut n = count.min(self.tree.len());
        let mut sum = 0;
        while n > 0 {
            sum += self.tree.get(n - 1).copied().unwrap_or(0);
            n -= n & n.wrapping_neg();
        }
        sum
    }

    pub(super) fn total(&self) -> usize {
        self.before(self.each.len())
    }
}
