package decide

import (
	"strings"

	"github.com/strata-memory/strata"
)

// DocumentInput is what a decision about a document rests on.
type DocumentInput struct {
	// Candidate is valid, has a path, and its scope is resolved. A hand edit
	// differs from Before: the caller leaves out what memory has already.
	Candidate strata.Candidate
	// Hash is that of Candidate.Content; empty for a deletion.
	Hash string
	// Secrets are the names of the rules that found a secret in the content.
	Secrets []string
	// Forgotten reports that the content has a tombstone in this scope.
	Forgotten bool
	// Starter says that the content is what a standard file begins with, or
	// nothing.
	Starter bool
	// Before is the document at the path as memory has it; nil if there is none. Of a
	// file that is renamed it is the one at the former path.
	Before *strata.Document
	// Alike is the path of another document of the scope that a disk may take
	// for the same file, because it differs in case or Unicode form alone, or that of a
	// document where a file is renamed to; empty if there is none.
	Alike string
}

// documentRule decides, or passes the candidate on by returning false.
type documentRule struct {
	name string
	try  func(DocumentInput) (Outcome, bool)
}

// documentRules returns the rules in the order in which they are tried. The
// last one always decides.
func documentRules() []documentRule {
	return []documentRule{
		{"hand", takeHandEdit},
		{"secret", rejectSecretDocument},
		{RuleSystem, guardSystem},
		{"forgotten", keepForgottenDocument},
		{RuleSameBytes, skipSameBytes},
		{"base", checkBase},
		{"rename", renameDocument},
		{"delete", deleteDocument},
		{"update", updateDocument},
		{"alike", refuseAlike},
		{"add", addDocument},
	}
}

// The names of rules whose decisions callers look for.
const (
	RuleSystem    = "system"     // keeps agents out of the files of the system
	RuleSameBytes = "same_bytes" // the file says exactly this already
)

// DecideDocument returns what becomes of a candidate about a document. It is
// pure, as [Decide] is. The outcome has no Target and is never ambiguous. A
// reason never quotes the content.
//
// What a person did to a file has happened: it becomes add, update or delete,
// whatever it says. Err then speaks of a hand edit that changed nothing.
func DecideDocument(in DocumentInput) Outcome {
	var tried []string
	for _, r := range documentRules() {
		tried = append(tried, r.name)
		out, decided := r.try(in)
		if !decided {
			continue
		}
		if in.Forgotten && out.Op.Changed() && in.Candidate.Origin.Explicit() {
			out.Reason = "written again after it was forgotten: " + out.Reason
		}
		out.Reason = oneLine(out.Reason, maxReason)
		out.Rules = tried
		return out
	}
	return Outcome{Op: strata.OpReject, Reason: "no rule applies", Rules: tried, Confidence: sureReject}
}

// takeHandEdit takes note of what a person did to the file.
func takeHandEdit(in DocumentInput) (Outcome, bool) {
	c := in.Candidate
	if c.Origin != strata.OriginFile {
		return Outcome{}, false
	}
	again := ""
	if in.Forgotten && c.Action == strata.ActionSave {
		again = "; what it says was forgotten and is not read"
	}
	switch {
	case in.Before != nil && in.Before.Path != c.Path && in.Before.Hash == in.Hash:
		return byHand(strata.OpUpdate, "renamed by hand, from "+in.Before.Path), true
	case in.Before != nil && in.Before.Path != c.Path:
		return byHand(strata.OpUpdate, "renamed and edited by hand, from "+in.Before.Path+again), true
	case c.Action == strata.ActionDelete && in.Before == nil, c.Action == strata.ActionSave && in.Before != nil && in.Before.Hash == in.Hash:
		return failed(strata.Invalid("take in file", "memory has "+c.Path+" as it is", "nothing needs to be done")), true
	case c.Action == strata.ActionDelete:
		return byHand(strata.OpDelete, "deleted by hand"), true
	case in.Before == nil && in.Starter:
		return byHand(strata.OpAdd, "a new file, with nothing of anybody in it yet"), true
	case in.Before == nil:
		return byHand(strata.OpAdd, "a new file, made by hand"+again), true
	}
	return byHand(strata.OpUpdate, "edited by hand"+again), true
}

// byHand is sure: the file is what it is.
func byHand(op strata.Op, reason string) Outcome {
	return Outcome{Op: op, Reason: reason, Confidence: 1}
}

func rejectSecretDocument(in DocumentInput) (Outcome, bool) {
	return rejectSecret(&trial{Input: Input{Candidate: in.Candidate, Secrets: in.Secrets}})
}

// guardSystem keeps agents out of the files by which the system works, and
// everybody out of those that pretend to be such. Notes that an agent sets
// aside for the moment have a place of their own there.
func guardSystem(in DocumentInput) (Outcome, bool) {
	first, rest, below := strings.Cut(in.Candidate.Path, "/")
	first = strings.ToLower(first)
	switch {
	case !strings.HasPrefix(first, systemPrefix):
		return Outcome{}, false
	case !below || first != systemPrefix:
		return denied("names that begin with _system are reserved for the system"), true
	case in.Candidate.Origin != strata.OriginTool, strings.HasPrefix(rest, adHocDirectory):
		return Outcome{}, false
	}
	return denied("an agent does not write the files of the system"), true
}

const (
	systemPrefix   = "_system"
	adHocDirectory = "ad_hoc/"
)

func denied(reason string) Outcome {
	return Outcome{Op: strata.OpReject, Reason: reason, Confidence: sureReject}
}

// keepForgottenDocument stops a forgotten text from coming back by itself.
func keepForgottenDocument(in DocumentInput) (Outcome, bool) {
	if !in.Forgotten || in.Candidate.Action == strata.ActionDelete || in.Candidate.Origin.Explicit() {
		return Outcome{}, false
	}
	return noop("forgotten on request", nil), true
}

// skipSameBytes does nothing where the file says exactly this already, whatever
// version the caller saw.
func skipSameBytes(in DocumentInput) (Outcome, bool) {
	if in.Candidate.Action != strata.ActionSave || in.Candidate.RenamedFrom != "" || in.Before == nil || in.Before.Hash != in.Hash {
		return Outcome{}, false
	}
	return noop(in.Candidate.Path+" says exactly this already", nil), true
}

// checkBase stops a change that is based on another version of the file: with an
// error whoever asked, silently what repeats earlier work.
func checkBase(in DocumentInput) (Outcome, bool) {
	c := in.Candidate
	now := strata.NoFile
	if in.Before != nil {
		now = in.Before.Hash
	}
	if c.BaseHash == "" || c.BaseHash == now {
		return Outcome{}, false
	}
	what := c.Path + " changed since it was read"
	switch {
	case in.Before == nil:
		what = c.Path + " no longer exists"
	case c.BaseHash == strata.NoFile:
		what = c.Path + " already exists"
	}
	if !c.Origin.Explicit() {
		return noop(what, nil), true
	}
	return failed(&strata.Error{
		Code: strata.CodeConflict, Op: "write document", Message: what, Hint: "read it again and repeat the change",
		Details: map[string]string{"path": c.Path, "hash": now},
	}), true
}

// renameDocument gives a file another path, with a text that may differ.
func renameDocument(in DocumentInput) (Outcome, bool) {
	from, to := in.Candidate.RenamedFrom, in.Candidate.Path
	if from == "" {
		return Outcome{}, false
	}
	if in.Before == nil {
		return failed(strata.NotFound("rename document", "file", from)), true
	}
	if out, lost := keepSecret(in, "renaming it"); lost {
		return out, true
	}
	if in.Alike == to {
		return failed(&strata.Error{
			Code: strata.CodeConflict, Op: "rename document", Message: to + " already exists", Hint: "rename or delete that first, or choose another name",
			Details: map[string]string{"path": to},
		}), true
	}
	if out, refused := refuseAlike(in); refused {
		return out, true
	}
	return change(strata.OpUpdate, "renamed from "+from, nil), true
}

func deleteDocument(in DocumentInput) (Outcome, bool) {
	switch {
	case in.Candidate.Action != strata.ActionDelete:
		return Outcome{}, false
	case in.Before == nil:
		return noop("nothing to delete: no file "+in.Candidate.Path+" in this scope", nil), true
	}
	if out, lost := keepSecret(in, "deleting it"); lost {
		return out, true
	}
	return change(strata.OpDelete, "deleted "+in.Candidate.Path, nil), true
}

// keepSecret stops a change by which a secret would be lost that stands in the file and
// nowhere else, unless the caller said that it may be.
func keepSecret(in DocumentInput, what string) (Outcome, bool) {
	c := in.Candidate
	if c.LoseSecret || len(in.Before.Redacted) == 0 {
		return Outcome{}, false
	}
	message := c.Path + " holds a secret, which memory does not keep (" + strings.Join(in.Before.Redacted, ", ") + "): " + what + " cannot be undone"
	if !c.Origin.Explicit() {
		return noop(message, nil), true
	}
	return failed(&strata.Error{
		Code: strata.CodeRejectedSecret, Op: "write document", Message: message,
		Hint:    "take the secret out of the file by hand, or delete the file and say that it may be lost (lose_secret)",
		Details: map[string]string{"path": c.Path, "rules": strings.Join(in.Before.Redacted, ",")},
	}), true
}

func updateDocument(in DocumentInput) (Outcome, bool) {
	if in.Before == nil {
		return Outcome{}, false
	}
	if out, lost := keepSecret(in, "writing over it"); lost {
		return out, true
	}
	return change(strata.OpUpdate, "a new version of "+in.Candidate.Path, nil), true
}

// refuseAlike keeps two documents apart that would be one file on a disk that
// does not distinguish case or Unicode forms: the later one would overwrite the
// earlier.
func refuseAlike(in DocumentInput) (Outcome, bool) {
	if in.Alike == "" {
		return Outcome{}, false
	}
	return failed(&strata.Error{
		Code: strata.CodeConflict, Op: "write document",
		Message: in.Candidate.Path + " differs from " + in.Alike + " in case or Unicode form alone",
		Hint:    "write to the path that is there, or choose another name",
		Details: map[string]string{"path": in.Candidate.Path, "there": in.Alike},
	}), true
}

func addDocument(in DocumentInput) (Outcome, bool) {
	return change(strata.OpAdd, "no file of that name before", nil), true
}
