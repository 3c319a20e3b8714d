package price

import "testing"

// BenchmarkParse: a hook call that prices a response reads the whole table.
func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := Parse(embedded, BuiltIn); err != nil {
			b.Fatal(err)
		}
	}
}
