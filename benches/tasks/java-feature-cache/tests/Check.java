final class Check {
    public static void main(String[] arguments) {
        Cache<String, Integer> cache = new Cache<>(2);
        cache.put("a", 1);
        cache.put("b", 2);
        assert cache.get("a") == 1;
        cache.put("c", 3);
        assert cache.get("b") == null;
        assert cache.get("a") == 1 && cache.get("c") == 3 && cache.size() == 2;
        cache.put("a", 4);
        cache.put("d", 5);
        assert cache.get("c") == null && cache.get("a") == 4;
        try {
            new Cache<String, String>(0);
            assert false : "accepted";
        } catch (IllegalArgumentException expected) {
            // As it should be.
        }
    }
}
