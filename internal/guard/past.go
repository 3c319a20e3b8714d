package guard

import (
	"encoding/binary"
	"encoding/hex"
	"slices"

	"checkrein/internal/harness"
)

// past is the latest calls that an agent made in its turn, oldest first. The
// rules that look at results and at calls that take turns go by it.
type past []pastCall

// maxPast is how many calls are looked back at.
const maxPast = 30

type pastCall struct {
	call   ID // its fingerprint
	use    ID // hash of its tool use id; zero where the harness gave none
	output uint64
	result harness.Result
	traits traits
}

// traits are what a call is, as far as its tool and its command tell.
type traits uint8

const (
	changes    traits = 1 << iota // it may change files or state
	waiting                       // it waits for a time
	checking                      // it runs tests or a linter
	deliberate                    // its repeats are meant
	working                       // it edits a file or commits: work that stays
	invalid                       // it could not run: no such tool, or malformed arguments
	unasked                       // no hook was asked about it
	blocked                       // it was told to be a loop and did not run
)

func (t traits) has(x traits) bool { return t&x != 0 }

// add notes a call that is about to run.
func (p *past) add(c pastCall) { *p = last(append(*p, c), maxPast) }

// learn takes what a call gave, once; the oldest one where a gateway hands out
// an id again and again. It returns nil when the call is not known or told before.
func (p past) learn(use ID, e harness.Event) *pastCall {
	for i := range p {
		if c := &p[i]; c.use == use && c.result == harness.Pending {
			c.result = e.Result
			if e.Result == harness.Succeeded || e.Result == harness.Failed { // else it gave but the words of who said no
				c.output = e.Output
			}
			return c
		}
	}
	return nil
}

func (p past) has(use ID) bool {
	return slices.ContainsFunc(p, func(c pastCall) bool { return c.use == use })
}

// failing is how many of the latest calls, one after the other, failed and have
// a trait.
func (p past) failing(t traits) (n int) {
	for n < len(p) && p[len(p)-1-n].traits.has(t) && p[len(p)-1-n].result == harness.Failed {
		n++
	}
	return n
}

// moves tells whether the results of the latest n calls like this one, itself
// left out, are known to differ: it is a poll of something that moves.
func (p past) moves(call ID, n int) bool {
	var first uint64
	for i := len(p) - 2; i >= 0 && n > 0; i-- {
		if p[i].call != call {
			continue
		}
		n--
		switch out := p[i].output; {
		case out == 0:
		case first == 0:
			first = out
		case out != first:
			return true
		}
	}
	return false
}

// failed is how often the last call has failed with the error that it had the
// last time. Where there was a wait since, it is a poll of something that does not
// work yet, and does not count. Once it was blocked for that and something was changed, it may try
// again: what failed before no longer counts.
func (p past) failed() (times int) {
	call, changed, waited := p[len(p)-1].call, false, p[len(p)-1].traits.has(waiting)
	var output uint64
	for i := len(p) - 2; i >= 0; i-- {
		c := p[i]
		waited = waited || c.traits.has(waiting)
		if changed = changed || c.call != call && c.traits.has(changes); changed && c.call == call && c.traits.has(blocked) {
			break
		}
		if c.call != call || c.result == harness.Pending || c.result == harness.Neutral {
			continue
		}
		if c.result != harness.Failed || c.output == 0 || output != 0 && c.output != output {
			break
		}
		if output = c.output; !waited {
			times++
		}
		waited = c.traits.has(waiting)
	}
	return times
}

// cycle is the length of the pattern of 2 to 5 different calls that the latest
// calls repeat n times; 0 when they don't, when one of them waits or is meant to
// repeat, or when a result was another one from time to time.
func (p past) cycle(n int) int {
	for period := 2; period <= 5; period++ {
		if len(p) >= n*period && p[len(p)-n*period:].repeats(period) {
			return period
		}
	}
	return 0
}

func (p past) repeats(period int) bool {
	same := true
	for i, c := range p {
		if c.traits.has(waiting | deliberate | unasked) {
			return false
		}
		same = same && c.call == p[0].call
		if i < period {
			continue
		}
		before := p[i-period]
		if c.call != before.call || c.output != 0 && before.output != 0 && c.output != before.output {
			return false
		}
	}
	return !same
}

const pastSize = 8 + 8 + 8 + 1 + 1

// packedPast is the calls as one text of hex digits: what is read and written at
// every hook call must be cheap.
func packedPast(f *form, p *past) {
	if f.d == nil {
		b := make([]byte, 0, len(*p)*pastSize)
		for _, c := range *p {
			b = append(append(b, c.call[:]...), c.use[:]...)
			b = binary.BigEndian.AppendUint64(b, c.output)
			b = append(b, byte(c.result), byte(c.traits))
		}
		f.hex(b)
		return
	}
	b := f.unhex()
	for *p = nil; len(b) >= pastSize; b = b[pastSize:] {
		*p = append(*p, pastCall{
			ID(b[:8]), ID(b[8:16]), binary.BigEndian.Uint64(b[16:24]), harness.Result(b[24]), traits(b[25]),
		})
	}
}

func (f *form) hex(b []byte) {
	digits := hex.EncodeToString(b)
	text(f, &digits)
}

// unhex reads a text of hex digits; what is none reads as nothing.
func (f *form) unhex() []byte {
	var digits string
	text(f, &digits)
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil
	}
	return b
}
