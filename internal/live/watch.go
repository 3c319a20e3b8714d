package live

import (
	"sync"
	"time"
)

// Watch shows what a reader makes of the events that take is given, until end
// is called: then the last lines are out and the area is gone. No take may
// follow. Neither waits for the terminal while the command runs: one that a user
// holds (Ctrl-S) must not hold up what watches over money.
func Watch[E any](t Terminal, r Reader[E]) (take func(E), end func()) {
	f := &feed[E]{more: make(chan struct{}, 1), over: make(chan struct{}), ended: make(chan struct{})}
	go f.show(&screen{Terminal: t}, r)
	return f.take, sync.OnceFunc(func() { close(f.over); <-f.ended })
}

// redrawEvery is how often the times in an area are brought up to date.
const redrawEvery = time.Second

// feed carries events from a command to the screen.
type feed[E any] struct {
	mu    sync.Mutex
	queue []E
	more  chan struct{} // holds a value when the queue has something
	over  chan struct{}
	ended chan struct{}
}

func (f *feed[E]) take(e E) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queue = append(f.queue, e)
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// next empties the queue into the reader.
func (f *feed[E]) next(r Reader[E]) (stay []Line) {
	f.mu.Lock()
	queue := f.queue
	f.queue = nil
	f.mu.Unlock()
	for _, e := range queue {
		stay = append(stay, r.Take(e)...)
	}
	return stay
}

func (f *feed[E]) show(s *screen, r Reader[E]) {
	defer close(f.ended)
	tick := time.NewTicker(redrawEvery)
	defer tick.Stop()
	for {
		select {
		case <-f.over:
			s.draw(f.next(r), Area{})
			return
		case <-f.more:
		case <-tick.C:
		}
		stay := f.next(r)
		s.draw(stay, r.Area(s.Now()))
	}
}
