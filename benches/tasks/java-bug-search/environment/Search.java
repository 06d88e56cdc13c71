final class Search {
    private Search() {}

    static int first(int[] numbers, int wanted) {
        return first(numbers, 0, numbers.length, wanted);
    }

    static int first(int[] numbers, int from, int to, int wanted) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = middle(low, high);
            if (numbers[middle] == wanted) return middle;
            if (numbers[middle] < wanted) low = middle + 1;
            else high = middle - 1;
        }
        return -1;
    }

    static int middle(int low, int high) {
        return (low + high) / 2;
    }
}
