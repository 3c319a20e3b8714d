package guard

// Own is what the harness itself says the session costs, in USD. Claude Code
// writes it into the transcript when it exits. It holds requests that leave no
// record there (compaction, titles), so where it is larger than our count, it is
// right.
type Own struct {
	USD       float64 // its count so far
	Last      float64 // the last figure it wrote; a lower one after it starts over, and adds
	Before    float64 // what it had counted for another session that this one was forked from
	OurUSD    float64 // our count when it wrote its last figure
	UnseenUSD float64 // how much its count was above ours
}

// add takes a new figure.
func (o *Own) add(usd float64) {
	rise := usd - o.Last
	if rise < 0 {
		rise = usd
	}
	o.USD, o.Last = o.USD+rise, usd
}

// compare holds the latest figure against our count up to it. copied is what
// other sessions have counted of the session's transcripts.
func (o *Own) compare(ours, copied float64) {
	if o.OurUSD == 0 && copied > 0 { // a fork takes over the other's figure, with what only that one has seen
		o.Before = max(copied, o.USD-ours)
	}
	o.OurUSD = ours
	o.UnseenUSD = max(o.UnseenUSD, o.USD-o.Before-ours)
}

func (o *Own) members(f *form) {
	one(f, "usd", &o.USD, o.USD == 0, number)
	one(f, "last", &o.Last, o.Last == 0, number)
	one(f, "before", &o.Before, o.Before == 0, number)
	one(f, "our_usd", &o.OurUSD, o.OurUSD == 0, number)
	one(f, "unseen_usd", &o.UnseenUSD, o.UnseenUSD == 0, number)
}
