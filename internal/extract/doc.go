// Package extract finds what in a conversation is worth remembering, by rules
// alone: no model, no network, the same answer every time.
//
// # What is taken
//
// Only what a person states as lasting: who they are, their people and animals,
// where they live and work, what they like and cannot eat, plans and events
// with their dates, decisions, conventions, standing wishes about how the agent
// should work, facts about a project, and where things are found. What an assistant
// says of them counts once they agree.
//
// # What is not
//
// Questions, hypotheticals, hedged guesses, requests, quotations, reported
// speech, code, pasted material, blocks of recalled memory, jokes that say so,
// and everything the assistant claims, the system or a tool says. A turn that tries to
// override the agent's instructions yields nothing at all.
//
// # How
//
// A turn is cut to prose (source.go), prose to sentences (sentence.go) and
// clauses (clause.go), and each clause loses its opening words, such as "by the
// way" (lead.go). What is left is tried against the rules, one file to a family,
// which are found by the clause's first word (rule.go); a slot takes values of its
// kind only (kind.go). A clause that no rule knows is kept in the speaker's own words
// if its grammar makes it lasting (claim.go, lasting.go, passing.go, order.go). Guesses,
// jokes and reported speech are refused (refuse.go). The clause is turned from the
// first person into the third (person.go) and its relative dates into calendar
// dates (when.go). Pronouns and corrections look back (context.go), and what an
// assistant proposed is read as an answer has it (agree.go).
//
// Sentences in other languages go to package internal/extract/language.
//
// The package never scans for secrets: whoever writes a candidate does.
package extract
