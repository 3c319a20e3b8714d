//go:build unix

package cli

import (
	"fmt"
	"math"
)

// duration spells seconds: "45 s", "3 min 5 s", "2 h 4 min".
func duration(seconds float64) string {
	n := int(math.RoundToEven(seconds))
	switch {
	case n < 60:
		return fmt.Sprintf("%d s", n)
	case n < 3600:
		return fmt.Sprintf("%d min %d s", n/60, n%60)
	}
	return fmt.Sprintf("%d h %d min", n/3600, n%3600/60)
}
