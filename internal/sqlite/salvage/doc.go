// Package salvage finds out how much of a damaged database can be read, reports what
// cannot, and writes a sound database from what can.
//
// A database has three kinds of tables: authoritative tables, whose lost rows are
// lost for good; tables that are kept if they can be read, because numbers and
// vectors of the index come from them, but can be rebuilt; and tables of the index,
// which are always rebuilt.
//
// Only [Mend] writes the damaged database.
package salvage

// class says what role a table has in a home.
type class int

const (
	derived   class = iota // always rebuilt
	kept                   // copied as far as it can be read, and completed
	authority              // what memory consists of
)

// classes lists the tables that are copied. All others are derived, whatever they
// were called in earlier versions, or are useless elsewhere: leases, and the outages
// of models, mean something only to the processes that used the home.
var classes = map[string]class{
	"scope": authority, "counter": authority, "meta": authority, "fact": authority, "access": authority,
	"decision": authority, "session": authority, "turn": authority, "turn_image": authority, "tombstone": authority,
	"trace": authority, "recall_event": authority, "event": authority, "workspace": authority,
	"session_state": authority, "session_state_aside": authority, "snapshot": authority, "learning": authority,
	"tool_outcome": authority, "document": authority, "category_choice": authority, "extraction": authority,
	"promotion": authority, "dream": authority, "question": authority, "session_archive": authority, "model_use": authority,
	"trusted_file": authority, "seen_scope": authority,

	"section": kept, "turn_passage": kept, "undivided": kept, "model": kept, "vector": kept, "embedding": kept,
}

// nouns are what the rows of tables are called in reports.
var nouns = map[string]string{
	"fact": "fact", "turn": "turn", "decision": "decision", "session": "session", "learning": "learning",
	"document": "copy of a file", "scope": "scope", "turn_image": "image", "snapshot": "snapshot",
	"workspace": "workspace", "tombstone": "mark of something forgotten", "trace": "explanation of a recall",
	"recall_event": "record of a recall", "event": "event", "access": "count of uses", "tool_outcome": "run of a tool",
	"session_state": "state of a session", "session_state_aside": "state of a session that was set aside",
	"category_choice": "choice of a category", "extraction": "session to extract facts from",
	"promotion": "promotion", "dream": "record of a dream", "question": "question", "session_archive": "record of an archived session", "model_use": "count of what models were asked",
	"trusted_file": "mark of a file that is trusted", "seen_scope": "mark of files that were looked at",
	"counter": "counter", "meta": "value of the store",
}
