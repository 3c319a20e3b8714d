package trial

import "strconv"

// Estimate is what a run would come to: the runs, and a range of dollars for
// each harness that can be priced.
type Estimate struct {
	Tasks     int           `json:"tasks"`
	Runs      int           `json:"runs"`
	Harnesses []EstimateRow `json:"harnesses"`
	Total     *[2]float64   `json:"total"`    // low and high; nil when nothing can be priced
	Unpriced  []string      `json:"unpriced"` // labels
	Checked   string        `json:"prices_checked"`
	PerRun    [2]int64      `json:"tokens_per_run"`
}

// EstimateRow is one harness in an estimate. Ranges are nil for a harness that
// cannot be priced; the reason then says why.
type EstimateRow struct {
	Harness   string      `json:"harness"`
	Label     string      `json:"label"`
	Installed bool        `json:"installed"`
	Runs      int         `json:"runs"`
	PerRun    *[2]float64 `json:"per_run"`
	Total     *[2]float64 `json:"total"`
	Models    []string    `json:"models"` // assumed for the low and the high end; safe to show
	Reason    *string     `json:"unpriced_reason"`
}

// NewEstimate adds it up. Checked is the day the prices were last compared with
// their sources; show makes a model's name safe.
func NewEstimate(tasks int, adapters []Adapter, checked string, show func(string) string) Estimate {
	est := Estimate{
		Tasks: tasks, Runs: tasks * len(adapters), Harnesses: []EstimateRow{}, Unpriced: []string{}, Checked: checked,
		PerRun: [2]int64{Short().Tokens(), Long().Tokens()},
	}
	for _, a := range adapters {
		row := EstimateRow{Harness: a.Name, Label: a.Label, Installed: a.Found, Runs: tasks, Models: []string{}}
		for _, m := range a.Models() {
			row.Models = append(row.Models, show(m))
		}
		if low, high, ok := a.Range(); ok {
			n := float64(tasks)
			row.PerRun = &[2]float64{Round(low, 4), Round(high, 4)}
			row.Total = &[2]float64{Round(low*n, 4), Round(high*n, 4)}
			est.add(*row.Total)
		} else {
			reason, _ := a.Unpriced(show)
			row.Reason = &reason
			est.Unpriced = append(est.Unpriced, a.Label)
		}
		est.Harnesses = append(est.Harnesses, row)
	}
	return est
}

func (e *Estimate) add(total [2]float64) {
	if e.Total == nil {
		e.Total = new([2]float64)
	}
	e.Total[0], e.Total[1] = Round(e.Total[0]+total[0], 4), Round(e.Total[1]+total[1], 4)
}

// Round rounds to so many decimals, by the number's exact value.
func Round(x float64, decimals int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', decimals, 64), 64)
	return r
}
