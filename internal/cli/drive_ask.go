//go:build unix

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/term"
)

// stoppable is the context of a conversation. It lasts from its start to its end: a
// signal that comes between two questions must not end the program by itself.
func stoppable(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}

func (w *walker) say(format string, args ...any) { fmt.Fprintf(w.env.Stdout, format+"\n", args...) }

// askCap asks until it has an amount; 0 is no.
func (w *walker) askCap(later string) (float64, error) {
	w.say("\nThe runs call the agents' model providers, and that costs money.")
	for {
		answer, err := w.ask("How many dollars may they spend at most? (Enter alone: none, stop here) $", later)
		if err != nil {
			return 0, err
		}
		if answer == "" {
			w.say("No agent was started. To go on later: %s", later)
			return 0, nil
		}
		if limit, ok := amount(answer); ok {
			return limit, nil
		}
		w.say("That is no amount above zero. Type dollars in digits, such as 5 or 7.50.")
	}
}

// amount reads dollars as people type them. A million or more is a slip.
func amount(text string) (usd float64, ok bool) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "$"))
	if strings.Trim(text, "0123456789.") != "" { // such as 1e3, inf, 0x5
		return 0, false
	}
	usd, err := strconv.ParseFloat(text, 64)
	return usd, err == nil && usd > 0 && usd < 1e6
}

// yes asks a question that Enter alone answers with usual.
func (w *walker) yes(question string, usual bool, later string) (bool, error) {
	answer, err := w.ask(question, later)
	if err != nil || answer == "" {
		return usual && err == nil, err
	}
	return strings.HasPrefix(strings.ToLower(answer), "y"), nil
}

// ask asks a question. Ctrl-C and the end of the input (Ctrl-D) are errors, so
// that no missing answer starts anything; later is how to go on.
func (w *walker) ask(question, later string) (string, error) {
	fmt.Fprint(w.env.Stdout, question)
	answers, end := make(chan string, 1), make(chan struct{})
	go func() {
		line, err := w.in.ReadString('\n')
		if err != nil {
			close(end)
			return
		}
		answers <- strings.TrimSpace(line)
	}()
	select {
	case answer := <-answers:
		return answer, nil
	case <-end:
		w.say("")
		return "", &Error{Code: exitBad, Err: errors.New("no answer, so no agent was started"), Hints: []string{later}}
	case <-w.ctx.Done():
		w.say("")
		return "", &Error{Code: exitStopped, Err: errors.New("stopped: no agent was started"), Hints: []string{later}}
	}
}

func isTerminal(in any) bool {
	f, ok := in.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
