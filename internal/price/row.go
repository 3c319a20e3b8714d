package price

// What a table's JSON holds. The limits catch a price per token where one per
// million was meant, and the other way round.
const (
	maxPrice  = 100_000 // USD per million tokens
	maxFactor = 100
	maxTier   = 1 << 40
)

// Unit is what prices of a table are in, as its JSON says.
const Unit = "USD per million tokens"

func (r *reader) schema() {
	if n := r.number(1 << 20); r.err == nil && n != 1 {
		r.fail("a price table of schema %v was made for a newer checkrein; this one reads schema 1", n)
	}
}

func (r *reader) unit() {
	if unit := r.text(); r.err == nil && unit != Unit {
		r.fail("the unit must be %q, not %.60q", Unit, unit)
	}
}

// model reads one row. One without periods may hold the members of a single
// period, with its rates, itself: that is what people write by hand.
func (r *reader) model(origin Origin) Model {
	m := Model{Origin: origin}
	var whole Period
	var flat rates
	r.object(func(name []byte) {
		switch string(name) {
		case "id":
			m.ID = r.text()
			r.in = m.ID
		case "aliases":
			r.array(func() { m.Aliases = append(m.Aliases, r.text()) })
		case "successor":
			m.Successor = r.text()
		case "source":
			m.Source = r.shared()
		case "checked":
			m.Checked = r.date()
		case "note":
			m.Note = r.text()
		case "periods":
			r.array(func() { m.Periods = append(m.Periods, r.period()) })
		default:
			if !r.rate(name, &flat) && !r.term(name, &whole) {
				r.unknown()
			}
		}
	})
	r.whole(&m, whole, flat)
	if err := m.check(); err != nil {
		r.fail("%w", err)
	}
	r.in = ""
	return m
}

// whole makes the members of a single period that stood in the row its period.
func (r *reader) whole(m *Model, p Period, flat rates) {
	if flat.seen == 0 && p.plain() {
		return
	}
	if m.Periods != nil {
		r.fail("it has periods, so its prices belong into them")
		return
	}
	if flat.seen != 0 {
		p.Tiers = append([]Rates{r.complete(flat)}, p.Tiers...)
	}
	m.Periods = []Period{p}
}

func (p *Period) plain() bool {
	return p.From == "" && p.To == "" && p.Tiers == nil && p.Like == "" && p.Regional == 0 && p.Profile == 0 && p.WebSearch == 0 &&
		!p.Fast.listed() && !p.Batch.listed() && !p.Flex.listed() && !p.Priority.listed()
}

func (r *reader) period() (p Period) {
	r.object(func(name []byte) {
		if !r.term(name, &p) {
			r.unknown()
		}
	})
	return p
}

// term reads a member of a period; false when it is none.
func (r *reader) term(name []byte, p *Period) bool {
	switch string(name) {
	case "from":
		p.From = r.date()
	case "to":
		p.To = r.date()
	case "tiers":
		p.Tiers = r.tiers()
	case "like":
		p.Like = r.text()
	case "fast":
		p.Fast = r.offer()
	case "batch":
		p.Batch = r.offer()
	case "flex":
		p.Flex = r.offer()
	case "priority":
		p.Priority = r.offer()
	case "regional":
		p.Regional = r.number(maxFactor)
	case "profile":
		p.Profile = r.number(maxFactor)
	case "web_search":
		p.WebSearch = r.number(maxPrice)
	default:
		return false
	}
	return true
}

// offer is a factor or a list of tiers.
func (r *reader) offer() Offer {
	if r.err == nil && r.d.PeekKind() == '[' {
		return Offer{Tiers: r.tiers()}
	}
	return Offer{Factor: r.number(maxFactor)}
}

func (r *reader) tiers() (tiers []Rates) {
	r.array(func() {
		var one rates
		r.object(func(name []byte) {
			if !r.rate(name, &one) {
				r.unknown()
			}
		})
		tiers = append(tiers, r.complete(one))
	})
	return tiers
}

// rates are a tier while it is read, and which of its members were there.
type rates struct {
	Rates
	seen uint8
}

const (
	seenAbove = 1 << iota
	seenInput
	seenOutput
	seenRead
	seen5m
	seen1h
)

func (r *reader) rate(name []byte, p *rates) bool {
	switch string(name) {
	case "above":
		p.Above, p.seen = int64(r.number(maxTier)), p.seen|seenAbove
	case "input":
		p.Input, p.seen = r.number(maxPrice), p.seen|seenInput
	case "output":
		p.Output, p.seen = r.number(maxPrice), p.seen|seenOutput
	case "cache_read":
		p.CacheRead, p.seen = r.number(maxPrice), p.seen|seenRead
	case "cache_write_5m":
		p.CacheWrite5m, p.seen = r.number(maxPrice), p.seen|seen5m
	case "cache_write_1h":
		p.CacheWrite1h, p.seen = r.number(maxPrice), p.seen|seen1h
	default:
		return false
	}
	return true
}

// complete fills in what a tier leaves out: no price is free because nobody
// wrote it down.
func (r *reader) complete(p rates) Rates {
	if p.seen&seenInput == 0 || p.seen&seenOutput == 0 {
		r.fail("a tier needs \"input\" and \"output\"")
	}
	return p.filled()
}

func (p rates) filled() Rates {
	if p.seen&seenRead == 0 {
		p.CacheRead = p.Input
	}
	if p.seen&seen5m == 0 {
		p.CacheWrite5m = p.Input
	}
	if p.seen&seen1h == 0 {
		p.CacheWrite1h = p.CacheWrite5m
	}
	return p.Rates
}
