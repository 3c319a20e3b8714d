package drive

import (
	"bytes"
	"context"
	"io"
	"os"
	"time"

	"checkrein/internal/harness"
)

// meterEvery is how often a running agent's output is read. A response that is
// reported within it of crossing the limit is the most that can be overspent,
// beside those still in flight.
const meterEvery = 200 * time.Millisecond

// meter reads what an agent prints while it runs, for harnesses that report
// what they spend.
type meter struct {
	path  string
	out   harness.Output
	at    int64
	rest  []byte // a line that is not complete yet
	spent float64
}

// watch reports every rise of the spend, and calls stop once when it has
// reached limit. It returns when ctx ends. An agent that has printed its final
// cost is let go: it is ending by itself.
func (m *meter) watch(ctx context.Context, limit float64, report func(usd float64), stop func()) {
	tick := time.NewTicker(meterEvery)
	defer tick.Stop()
	for stopped := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		o, more := m.read()
		if !more || o.Cost == nil {
			continue
		}
		if *o.Cost > m.spent {
			m.spent = *o.Cost
			report(m.spent)
		}
		if !stopped && o.Source == harness.Partial && m.spent >= limit {
			stopped = true
			stop()
		}
	}
}

// read takes in what was printed since the last time.
func (m *meter) read() (o harness.Outcome, more bool) {
	file, err := os.Open(m.path)
	if err != nil {
		return o, false
	}
	defer file.Close()
	data, err := io.ReadAll(io.NewSectionReader(file, m.at, 1<<26))
	if err != nil || len(data) == 0 {
		return o, false
	}
	m.at += int64(len(data))
	text := append(m.rest, data...)
	end := bytes.LastIndexByte(text, '\n') + 1
	feed(m.out, text[:end])
	m.rest = bytes.Clone(text[end:])
	return m.out.Outcome(), end > 0
}

// feed gives a reader every line of a text.
func feed(out harness.Output, text []byte) {
	for line := range bytes.Lines(text) {
		out.Line(bytes.TrimRight(line, "\r\n"))
	}
}
