final class Check {
    public static void main(String[] arguments) {
        int[] numbers = {1, 3, 3, 3, 5, 9};
        int[] wanted = {-1, 0, -1, 1, -1, 4, -1, -1, -1, 5, -1};
        for (int number = 0; number < wanted.length; number++) {
            assert Search.first(numbers, number) == wanted[number] : number;
        }
        assert Search.first(new int[0], 1) == -1;
        assert Search.first(numbers, 2, 4, 3) == 2;
        assert Search.first(numbers, 4, 6, 3) == -1;
        assert Search.first(numbers, 0, 5, 9) == -1;
        assert Search.middle(Integer.MAX_VALUE - 3, Integer.MAX_VALUE - 1) == Integer.MAX_VALUE - 2;
        int[] equal = new int[1000];
        assert Search.first(equal, 0) == 0;
    }
}
