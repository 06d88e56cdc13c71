import java.util.LinkedHashMap;
import java.util.Map;

final class Cache<K, V> {
    private final Map<K, V> entries;

    Cache(int most) {
        if (most < 1) throw new IllegalArgumentException("most must be at least 1");
        entries = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    V get(K key) {
        return entries.get(key);
    }

    void put(K key, V value) {
        entries.put(key, value);
    }

    int size() {
        return entries.size();
    }
}
