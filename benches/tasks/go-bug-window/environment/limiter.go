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
	l.calls = append(l.calls, at)
	return len(l.calls) <= l.most
}
