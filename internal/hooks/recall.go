package hooks

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

const (
	// sure is the least evidence with which a hit is shown unasked. A hit that does not
	// belong costs the model more than a missing one, which it can still ask for.
	sure = 0.6
	// enough is how many content words of a sentence a turn must have where it does not
	// have half of them.
	enough = 3
	// mostAsked bounds the sentences of a prompt, or the files of a patch, that memory is
	// asked about; mostShown bounds the hits shown.
	mostAsked, mostShown = 4, 6
	// leastAsked is how many content words a sentence must have: "go on" asks for
	// nothing.
	leastAsked = 2
)

// bearing returns what memory holds that bears on a prompt. It asks for each of the first
// sentences separately, because one of them usually names the topic.
func bearing(ctx context.Context, env *operation.Env, in Input) (string, error) {
	var found []ops.Hit
	for _, s := range sentences(in.Prompt) {
		hits, err := ask(ctx, env, in, s, mostShown)
		if err != nil {
			return "", err
		}
		for _, h := range hits {
			if h.Evidence >= sure && (h.Kind != strata.KindTurn || speaksOf(h, s)) {
				found = merge(found, h)
			}
		}
	}
	return block("What memory holds that bears on this: the user and the files at hand win over it.", best(found)), nil
}

// speaksOf reports whether a turn itself has half of the content words of a sentence, or
// enough of them. The evidence of a hit is not sufficient, because it also counts the
// words of the session: in a short one, "Noted" scores as high as the answer.
func speaksOf(turn ops.Hit, sentence string) bool {
	asked := text.Vocabulary(sentence)
	held := 0
	for w := range text.Vocabulary(text.WithIdentifiers(turn.Text) + "\n" + turn.Speaker + turn.At.Format(" 2 January 2006")) {
		if asked[w] {
			held++
		}
	}
	return held > 0 && (2*held >= len(asked) || held >= enough)
}

// sentences returns the first sentences of a prompt that have enough content words.
func sentences(prompt string) (list []string) {
	for _, s := range sentenceEnd.Split(text.Head(prompt, maxPrompt), -1) {
		telling := 0
		for _, w := range text.Words(s) {
			if !text.IsStop(w) {
				telling++
			}
		}
		if telling >= leastAsked {
			list = append(list, s)
		}
		if len(list) == mostAsked {
			break
		}
	}
	return list
}

var sentenceEnd = lazyregexp.New(`[.!?]+\s+|[。！？]|\n`)

// maxPrompt is how much of a prompt is examined, in bytes: text pasted after it is not
// part of the question.
const maxPrompt = 4000

// beforehand returns what earlier decisions or failures say about the files or the
// command that a tool is about to work on: the hits that name one of them. It asks for
// each separately, so that what is known about one does not crowd out the others.
func beforehand(ctx context.Context, env *operation.Env, in Input) (string, error) {
	var found []ops.Hit
	var known []string
	for _, names := range subjects(in.Arguments) {
		subject := strings.Join(names, " ")
		hits, err := ask(ctx, env, in, subject, 2*mostShown) // some are dropped below
		if err != nil {
			return "", err
		}
		hits = slices.DeleteFunc(hits, func(h ops.Hit) bool { return !mentions(h.Text, names) })
		hits = failures(ctx, env, hits, names)
		for _, h := range hits {
			found = merge(found, h)
		}
		if len(hits) > 0 {
			known = append(known, subject)
		}
	}
	return block("What memory holds of "+strings.Join(known, ", ")+".", best(found)), nil
}

// subjects returns what a tool works on, in words that a text about it would have: the
// name of a file, or a program and its subcommand. A patch to several files has several
// subjects; arguments that name nothing have none.
func subjects(arguments json.RawMessage) [][]string {
	var a struct {
		File     string `json:"file_path"`
		Notebook string `json:"notebook_path"`
		Path     string `json:"path"`
		Command  string `json:"command"`
	}
	if json.Unmarshal(arguments, &a) != nil {
		return nil
	}
	for _, file := range []string{a.File, a.Notebook, a.Path} {
		if file != "" {
			return [][]string{{base(file)}}
		}
	}
	if files := patched(a.Command); len(files) > 0 {
		return files
	}
	words := strings.Fields(a.Command)
	for len(words) > 0 && strings.Contains(words[0], "=") { // an environment variable of the command
		words = words[1:]
	}
	if len(words) < 2 || strings.ContainsAny(words[1], `/-.$"'|&;<>`) {
		return nil // "ls -l" is of no interest, and pipelines are not parsed
	}
	return [][]string{words[:2]}
}

// patched returns the files that a patch changes, each once, mostAsked at most. Codex
// sends a patch as the command of its tool apply_patch, and models also pipe one to a
// program of that name.
func patched(command string) (files [][]string) {
	seen := map[string]bool{}
	for _, m := range patchHeader.FindAllStringSubmatch(command, -1) {
		name := base(m[1])
		if seen[name] {
			continue
		}
		seen[name] = true
		if files = append(files, []string{name}); len(files) == mostAsked {
			break
		}
	}
	return files
}

// patchHeader matches a line of a patch that names a file. Lines of the file itself begin
// with a sign or a space.
var patchHeader = lazyregexp.New(`(?m)^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.*\S)`)

// base returns the name of a file without its directory, for paths of any system.
func base(file string) string { return path.Base(strings.ReplaceAll(file, `\`, "/")) }

// mentions reports whether a text contains all of the names, ignoring case.
func mentions(s string, names []string) bool {
	s = strings.ToLower(s)
	return !slices.ContainsFunc(names, func(n string) bool { return !strings.Contains(s, strings.ToLower(n)) })
}

// ask queries memory for at most so many hits. The agent did not ask, so the query does
// not count as a recall, and it leaves out this session, which the agent already sees.
func ask(ctx context.Context, env *operation.Env, in Input, question string, most int) ([]ops.Hit, error) {
	asked := &ops.RecallIn{Query: question, MaxResults: most, MaxTokens: hintTokens, Automatic: true}
	if in.Session != "" {
		asked.Session, asked.ShownFrom = in.Session, 1
	}
	out, err := ops.Run(ctx, env, "recall", asked)
	if err != nil {
		return nil, err
	}
	return out.(ops.Found).Hits, nil
}

// merge adds a hit to a list, keeping the one with more evidence if it is there already.
func merge(list []ops.Hit, h ops.Hit) []ops.Hit {
	for i := range list {
		if list[i].ID == h.ID {
			if h.Evidence > list[i].Evidence {
				list[i] = h
			}
			return list
		}
	}
	return append(list, h)
}

// best returns the hits with the most evidence, within the budget of a hint.
func best(list []ops.Hit) []ops.Hit {
	slices.SortStableFunc(list, func(a, b ops.Hit) int {
		switch {
		case a.Evidence > b.Evidence:
			return -1
		case a.Evidence < b.Evidence:
			return 1
		}
		return 0
	})
	left := hintTokens * charactersPerToken
	for i, h := range list {
		if left -= min(len(h.Text), maxHit) + lineCost; i == mostShown || left < 0 {
			return list[:i]
		}
	}
	return list
}

const (
	// charactersPerToken is the least length of a token, in English and most other
	// languages.
	charactersPerToken = 3
	// lineCost is the length of the markup around a hit, in characters.
	lineCost = 60
)
