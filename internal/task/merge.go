package task

import (
	"slices"
	"strings"

	"checkrein/internal/repo"
)

// withMerged are commits, and for merges what came with them, whose messages may
// have to speak for them.
func withMerged(commits []repo.Commit) []repo.Commit {
	all := slices.Clone(commits)
	for _, c := range commits {
		for _, id := range c.Merged[:min(len(c.Merged), maxMerged)] {
			all = append(all, repo.Commit{ID: id})
		}
	}
	return all
}

// maxMerged is how many messages speak for a merge without one.
const maxMerged = 20

// words are what is asked of an agent: a commit's message by the rules.
func (r Rules) words(c repo.Commit, messages map[string]string) (subject, body string) {
	if r != Wide {
		return Text(messages[c.ID])
	}
	if c.Merged == nil {
		return Request(messages[c.ID])
	}
	var parts []string
	for _, id := range c.Merged[:min(len(c.Merged), maxMerged)] {
		parts = append(parts, messages[id])
	}
	return MergeRequest(messages[c.ID], parts)
}

// Request is Text without what a forge adds when it squashes a pull request: the
// number at the subject's end, and the line above the co-authors.
func Request(message string) (subject, body string) {
	subject, body = Text(message)
	paragraphs := strings.Split(body, "\n\n")
	for n := len(paragraphs); n > 0 && forgeOnly(paragraphs[n-1]); n-- {
		paragraphs = paragraphs[:n-1]
	}
	return withoutNumber(subject), strip(strings.Join(paragraphs, "\n\n"))
}

// forgeOnly is true for paragraphs that say nothing of the change.
func forgeOnly(paragraph string) bool {
	p := strip(paragraph)
	return strings.Trim(p, "-") == "" || onlyTrailers(p) || strings.HasPrefix(p, "See merge request ") || strings.HasPrefix(p, "Related work items: ") ||
		strings.HasPrefix(p, "# Conflicts:") || strings.HasPrefix(p, "Conflicts:\n")
}

// withoutNumber cuts " (#12)", GitLab's " (!12)" and Bitbucket's
// " (pull request #12)" off a subject.
func withoutNumber(subject string) string {
	for {
		before, number, ok := cutLast(subject, " (")
		number = strings.TrimPrefix(number, "pull request ")
		number, closed := strings.CutSuffix(number, ")")
		if !ok || !closed || before == "" || len(number) < 2 || (number[0] != '#' && number[0] != '!') || strings.Trim(number[1:], "0123456789") != "" {
			return subject
		}
		subject = strip(before)
	}
}

func cutLast(s, sep string) (before, after string, ok bool) {
	at := strings.LastIndex(s, sep)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(sep):], true
}

// MergeRequest is what a merge asks: its own title and text, where it has them,
// else the messages of what came with it (the newest first).
func MergeRequest(message string, merged []string) (subject, body string) {
	line, body := Request(message)
	title, known := mergeTitle(line)
	if known && title == "" {
		title, body = titled(message)
	}
	if title != "" && !listing(title) {
		return withoutNumber(title), body
	}
	return together(merged)
}

// titled reads the title that forges write below their own line, and the text
// after it.
func titled(message string) (title, body string) {
	_, rest, _ := strings.Cut(strip(message), "\n")
	first, _, _ := strings.Cut(strip(rest), "\n\n")
	if forgeOnly(first) && !kindOrPlace(first) {
		return "", ""
	}
	title, body = Request(rest)
	return borsTitle(title), body
}

// kindOrPlace tells titles such as "fix: sums" or "parser: read more" from trailers,
// which look like them.
func kindOrPlace(paragraph string) bool {
	key, _, _ := strings.Cut(paragraph, ":")
	switch strings.ToLower(key) {
	case "fixes", "closes", "resolves", "refs", "references", "ref", "see", "issue", "issues", "bug", "ticket", "cc", "link", "links":
		return false
	}
	return !strings.ContainsAny(paragraph, "\n\r") && !strings.Contains(key, "-") && trailer(paragraph)
}

// mergeTitle reads the subjects that git and forges give merges: known is false for
// one that somebody wrote. Most of them have no title, only names of branches.
func mergeTitle(line string) (title string, known bool) {
	if rest, ok := strings.CutPrefix(line, "Merged PR "); ok { // Azure DevOps
		_, title, _ = strings.Cut(rest, ": ")
		return title, true
	}
	for _, start := range []string{"Merge pull request ", "Merge "} {
		rest, ok := strings.CutPrefix(line, start)
		if quote := strings.IndexAny(rest, `'"`); ok && quote == 0 { // Gitea, Gerrit
			if title, _, ok := cutLast(rest[1:], rest[:1]); ok {
				return title, true
			}
		}
	}
	for _, start := range []string{
		"Merge pull request ", "Merge branch ", "Merge branches ", "Merge remote-tracking branch", "Merge tag ", "Merge commit ", "Merge changes ", "Merge #",
		"Merge PR ", "Merged in ", "Auto merge of #", "Merge remote ", "Merge topic ",
	} {
		if strings.HasPrefix(line, start) {
			return "", true
		}
	}
	return line, false
}

// borsTitle takes "12: " and " r=somebody a=somebody" from the line that bors writes.
func borsTitle(line string) string {
	number, title, ok := strings.Cut(line, ": ")
	if !ok || number == "" || strings.Trim(number, "0123456789") != "" {
		return line
	}
	title, _, _ = strings.Cut(title, " r=")
	return title
}

// listing is true for the first line of a list of what was merged: Bitbucket
// Server's, and that of git's merge.log.
func listing(line string) bool {
	return strings.HasPrefix(line, "* ") && strings.HasSuffix(line, ":") || strings.HasPrefix(line, "By ") && strings.HasSuffix(line, ":")
}

// together makes one request of several messages: that of the only one, else the
// oldest one's subject and a list of all.
func together(messages []string) (subject, body string) {
	if len(messages) == 1 {
		return Request(messages[0])
	}
	var list []string
	for _, m := range slices.Backward(messages) {
		one, _ := Request(m)
		if one == "" || slices.Contains(list, "- "+one) {
			continue
		}
		if subject == "" {
			subject = one
		}
		list = append(list, "- "+one)
	}
	return subject, strings.Join(list, "\n")
}
