package wrap

import "strings"

const closing = "。、，！？」"

func width(r rune) int {
	if IsWide(r) {
		return 2
	}
	return 1
}

// Wrap breaks a text into lines of at most that many columns.
func Wrap(text string, columns int) []string {
	var lines []string
	var line []rune
	used := 0
	flush := func(runes []rune) {
		if done := strings.Trim(string(runes), " "); done != "" {
			lines = append(lines, done)
		}
	}
	for _, r := range text {
		if used+width(r) > columns {
			cut := len(line)
			if strings.ContainsRune(closing, r) {
				for cut > 1 && (cut == len(line) || strings.ContainsRune(closing, line[cut])) {
					cut--
				}
			}
			rest := append([]rune(nil), line[cut:]...)
			flush(line[:cut])
			line, used = nil, 0
			for _, kept := range rest {
				line = append(line, kept)
				used += width(kept)
			}
		}
		if len(line) == 0 && r == ' ' {
			continue
		}
		line = append(line, r)
		used += width(r)
	}
	flush(line)
	return lines
}
