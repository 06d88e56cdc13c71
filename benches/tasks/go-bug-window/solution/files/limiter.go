package limiter

import "time"

// Limiter allows a number of calls within a window of time.
type Limiter struct {
	most   int
	window time.Duration
	calls  []time.Time
}

// New makes a limiter.
func New(most int, window time.Duration) *Limiter {
	return &Limiter{most: most, window: window}
}

// Allow tells whether a call at this time is allowed. Times never go back.
func (l *Limiter) Allow(at time.Time) bool {
	start := at.Add(-l.window)
	old := 0
	for old < len(l.calls) && !l.calls[old].After(start) {
		old++
	}
	l.calls = append(l.calls[:0], l.calls[old:]...)
	if len(l.calls) >= l.most {
		return false
	}
	l.calls = append(l.calls, at)
	return true
}
