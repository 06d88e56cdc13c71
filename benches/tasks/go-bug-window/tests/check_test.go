package limiter

import (
	"testing"
	"time"
)

func TestWindow(t *testing.T) {
	begin := time.Unix(1000, 0)
	l := New(2, 10*time.Second)
	at := func(second int) bool { return l.Allow(begin.Add(time.Duration(second) * time.Second)) }
	wanted := []struct {
		second  int
		allowed bool
	}{{0, true}, {1, true}, {2, false}, {9, false}, {10, true}, {11, true}, {12, false}, {20, true}, {21, true}, {21, false}}
	for _, w := range wanted {
		if at(w.second) != w.allowed {
			t.Fatalf("at %d: wanted %v", w.second, w.allowed)
		}
	}
}

func TestMemory(t *testing.T) {
	l := New(3, time.Second)
	for i := 0; i < 100000; i++ {
		l.Allow(time.Unix(int64(i), 0))
	}
	if cap(l.calls) > 64 {
		t.Fatalf("%d calls are kept", cap(l.calls))
	}
}
