// Package usage adds up what all recorded sessions used and cost: by day,
// project, model, agent, session or harness. It is pure: the logs come in, a
// report goes out. Each response counts once, however many sessions were resumed
// or forked from the one that has it.
package usage

import (
	"math"
	"time"

	"checkrein/internal/guard"
	"checkrein/internal/harness"
)

// Response is one response as history keeps it: what it used, not what it cost,
// so that new prices need no old file.
type Response struct {
	ID      guard.ID // zero when the harness gives none
	At      int64    // Unix milliseconds; 0 when unknown
	Model   string
	Usage   harness.Usage
	Guessed int64   // how much of the output is guessed
	Told    float64 // USD by the harness's own count; 0 when it has none
}

// Log is one agent's part of one session, with its responses in their order.
// Open are those that may still be being written.
type Log struct {
	harness.Log
	Harness         string
	Responses, Open []Response
}

// By is what a report's rows stand for.
type By string

// What rows can stand for.
const (
	Day     By = "day"
	Project By = "project"
	Model   By = "model"
	Agent   By = "agent"
	Session By = "session"
	Harness By = "harness"
)

// Ways lists them in the order of help pages.
func Ways() []By { return []By{Day, Project, Model, Agent, Session, Harness} }

// Sum is what some responses used and cost.
type Sum struct {
	Responses    int     `json:"responses"`
	Input        int64   `json:"input_tokens"`
	CacheRead    int64   `json:"cache_read_tokens"`
	CacheWrite   int64   `json:"cache_write_tokens"`
	CacheWrite1h int64   `json:"cache_write_1h_tokens"`
	Output       int64   `json:"output_tokens"`
	Reasoning    int64   `json:"reasoning_tokens"`
	WebSearches  int64   `json:"web_searches"`
	USD          float64 `json:"usd"`
	// EstimatedUSD is the part of USD that is no list price times tokens: models
	// without a price, at that of the dearest of their family, and output guessed
	// from its text.
	EstimatedUSD float64 `json:"estimated_usd"`
	// ToldUSD is the part of USD that only the harness says, for models without a
	// price of ours.
	ToldUSD        float64 `json:"usd_by_the_harness"`
	UnpricedTokens int64   `json:"unpriced_tokens"` // tokens that no dollar stands for
}

// Tokens is every token of the sum.
func (s *Sum) Tokens() int64 { return s.Input + s.CacheRead + s.CacheWrite + s.Output }

func (s *Sum) add(r *Response, c cost) {
	s.Responses++
	s.Input += r.Usage.Input
	s.CacheRead += r.Usage.CacheRead
	s.CacheWrite += r.Usage.CacheWrite
	s.CacheWrite1h += r.Usage.CacheWrite1h
	s.Output += r.Usage.Output
	s.Reasoning += r.Usage.Reasoning
	s.WebSearches += r.Usage.WebSearches
	s.USD += c.usd
	s.EstimatedUSD += c.estimated
	s.ToldUSD += c.told
	s.UnpricedTokens += c.unpriced
}

// round takes away what adding up floating-point numbers leaves behind.
func (s *Sum) round() {
	for _, usd := range []*float64{&s.USD, &s.EstimatedUSD, &s.ToldUSD} {
		*usd = math.Round(*usd*1e9) / 1e9
	}
}

// Row is one line of a report. Key is a day (2026-11-30, local time), a folder,
// a model, "main" or "subagent", a session's id or a harness; "" is unknown.
type Row struct {
	Key string `json:"key"`
	// Of a session: whose it is and where it worked.
	Harness string `json:"harness,omitzero"`
	Project string `json:"project,omitzero"`
	Sum
}

// NoPrice is a model without a price of ours, and what stands for it.
type NoPrice struct {
	Model string `json:"model"`
	Sum
}

// Report is the answer to one question.
type Report struct {
	Headline string    `json:"headline"`
	By       By        `json:"by"`
	Since    string    `json:"since,omitzero"` // the first day, local time
	Sessions int       `json:"sessions"`
	Rows     []Row     `json:"rows"`
	Total    Sum       `json:"total"`
	NoPrice  []NoPrice `json:"models_without_price"`
	Prices   string    `json:"prices_checked"`
}

// Question is what a report is asked for.
type Question struct {
	By      By
	Since   time.Time // zero: all
	Project string    // that folder and those below it; "" is all
	Harness string    // "" is all
	Zone    *time.Location
}
