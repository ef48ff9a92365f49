// Package language reads statements in other languages than English, by rules
// that are data: one file a language in rules/. It keeps the person's own words; only
// the slot of a statement ("user/city") is named in English, so that a fact
// fills the same slot in whatever language it is told.
//
// # The files
//
// A file holds a line for each thing that is known of a language: a keyword, a space and
// the rest. Empty lines and lines that open with # say nothing; a keyword that
// stands several times adds to what is there.
//
//	script NAME        latin, cyrillic, devanagari, arabic, han or kana
//	stop MARK          ends a statement; a full stop where it is missing
//	words W W ...      words that tell this language from the others
//	letters LL         letters that do
//	list NAME A|B      alternatives that patterns name as {NAME}
//	relation KEY A|B   somebody or something of one's own: KEY is the English word; {relation}
//	attribute KEY A|B  what is said of a person: KEY is the English word; {attribute}
//	date STEP A|B      a time counted from now: day+1, week+1, month-1, year+1; {date}
//
// Parts of a sentence are regular expressions over text in lower case. These are
// looked for at the beginning of a clause:
//
//	greeting   is taken off, and noted
//	lead       says nothing by itself, and is taken off: "by the way"
//	correct    puts right what was said before, and is taken off: "no,"
//	remember   asks for what follows to be kept, and is taken off
//	condition  makes the rest of the sentence a condition: "if"
//	ask        opens a question
//	material   opens a text to work on: nothing after it in the turn is a statement
//	begins     opens a statement of its own, so that a sentence can be cut before it
//	subject    who a clause is about, for the clause after it
//	pointing   opens a {thing} that only the surroundings tell: "this", "your"
//	article    opens a {thing} and is no part of it
//	particle   joins the words of a name
//	pronoun    stands for the subject of the sentence before
//
// These anywhere in it, as whole words where words are parted by spaces:
//
//	joint      where a sentence may be cut, besides commas and dashes
//	refuse     hedges, wishes, words that point outside: the clause says nothing
//	report     words of others, guesses: nor does what follows in the sentence
//	passing    holds of the moment only: "today"
//	past       tells of what was: "used to"
//	when       names a time
//	tail       closes a clause and says nothing
//
// What a clause says is found by the first rule whose pattern is the whole
// clause:
//
//	feedback PATTERN   a standing wish about how the agent works
//	fact KEY PATTERN   what is so
//	gone KEY PATTERN   what is no longer so
//	plan KEY PATTERN   what will be, in a clause that names a time
//	greeted KEY PATTERN what is so, behind a greeting only: "Hallo, ich bin Max"
//	leave PATTERN      nothing, although a rule would take it
//	right PATTERN      the new value in a correction: {value}, and the {wrong} one
//	order PATTERN => TEXT   another order of the words, in which the rules are tried again
//	retell PATTERN => TEXT  the same, and the words are kept in that order
//
// A standing wish fills the slot of the first topic whose pattern is all of it, but for
// the words that bid or forbid it, so that a newer wish on the same takes its place. One
// that fills none has what is left, in its plain form, for its slot: "pushe auf main" for
// "Pushe nie auf main" and for "Ab jetzt darfst du auf main pushen".
//
//	bid WORDS                say that something shall be or may be, since when and how often; articles
//	forbid WORDS             say that it shall not
//	topic SLOT PATTERN       what a wish is about: "answers/language"
//	wording PATTERN => TEXT  brings an order to its plain form, one after the other
//
// KEY is user or project, with a slot "/attribute" where only one value holds
// at a time. "relation/name" is the name of the {relation}, "user/taste" the taste
// for a {thing}, and "user/attribute" what {attribute} says; a hyphen stands for a
// space. {name}, {proper}, {place}, {thing} and {value} capture the value. The first three
// must be written with a capital where the script has any: a {name} of one or two words
// need not, a {proper} one and a {place} need not where the whole sentence has no
// capital. A {place} that holds a name further on is kept without its slot.
//
// Examples stand in the same file and are run as tests:
//
//   - SENTENCE => KEY: TEXT | KEY: TEXT
//   - SENTENCE
//
// The first line opens with "+" and gives what is kept; the second with "-" and
// gives nothing.
package language
