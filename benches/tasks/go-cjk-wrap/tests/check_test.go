package wrap

import (
	"reflect"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		lines   []string
	}{
		{"列車が到着します", 8, []string{"列車が到", "着します"}},
		{"列車が到着します", 7, []string{"列車が", "到着し", "ます"}},
		{"到着します。次は", 10, []string{"到着しま", "す。次は"}},
		{"他说「好」走", 8, []string{"他说「", "好」走"}},
		{"기차 도착", 5, []string{"기차", "도착"}},
		{"abc def", 4, []string{"abc", "def"}},
		{"", 4, nil},
	} {
		if got := Wrap(c.text, c.columns); !reflect.DeepEqual(got, c.lines) {
			t.Errorf("%q in %d: %q", c.text, c.columns, got)
		}
	}
}
