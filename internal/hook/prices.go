package hook

import (
	"sync"

	"checkrein/internal/price"
)

// prices reads the tables when the first response of a call is priced. A broken
// file of the user's is left out, and the error log says so.
func (c *check) prices() func() *price.Table {
	return sync.OnceValue(func() *price.Table {
		return c.store.Prices(func(err error) { c.store.LogError("prices", err, c.now) })
	})
}
