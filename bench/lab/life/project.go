package life

// parts holds the parts of each project. Every part has slots of its own.
var parts = [Projects + 1]string{
	1: "billing service\nmailer\ncheckout\ninventory\nledger\ncatalog\nsearch index\nimage resizer\nlogin service\nreport builder\nwarehouse sync\nvoucher engine\nadmin panel\ncart\nreturns portal",
	2: "flight recorder\nground station\ntelemetry decoder\nmap renderer\nroute planner\nsensor hub\nfirmware updater\nbattery model\nweather feed\nmission log\nsimulator\ngeofence\npayload driver\nalert router\nvideo relay",
}

// decisions holds the slots for decisions about a part of a project.
var decisions = []slot{
	{kind: Decision, name: "storage of the {e}", values: "Postgres\nMariaDB\nCockroachDB\nSQLite\nDynamoDB\nCassandra", ask: "Which database does the {e} use?\nWhere does the {e} keep its data?",
		tell: `
			We decided that the {e} stores its data in {v}.
			The {e} uses {v} as its database.
			For the {e} we go with {v}.
			The {e} runs on {v}.
			Data of the {e} lives in {v}.
			Decision from today's meeting: {v} for the {e}.
			We settled on {v} as the database of the {e}.
			The {e} is backed by {v}.`,
		change: `
			We migrated the {e} from {old} to {v}.
			The {e} uses {v} now instead of {old}.
			We changed our mind on the {e}: {v}, not {old}.
			We dropped {old}, the {e} is on {v} now.`},
	{kind: Decision, name: "language of the {e}", values: "Rust\nKotlin\nElixir\nTypeScript\nOCaml\nScala", ask: "What language is the {e} written in?\nWhich programming language do we use for the {e}?",
		tell: `
			The {e} is written in {v}.
			We write the {e} in {v}.
			The {e} is a {v} program.
			We agreed to build the {e} in {v}.
			{v} is the language of the {e}.
			For the {e} we chose {v}.`,
		change: `
			We rewrote the {e} in {v}.
			The {e} is {v} now, the {old} code is deleted.
			The {e} has been ported from {old} to {v}.`},
	{kind: Decision, name: "port of the {e}", values: "8443\n9092\n7070\n6380\n5601\n4317\n8181\n9443", ask: "Which port does the {e} listen on?\nWhat is the port of the {e}?",
		tell: `
			The {e} listens on port {v}.
			Port {v} is the {e}.
			The {e} runs on port {v}.
			We gave the {e} port {v}.
			You reach the {e} on port {v}.`,
		change: `
			The {e} moved from port {old} to {v}.
			The {e} listens on port {v} now.
			We changed the port of the {e} to {v}.`},
	{kind: Decision, name: "owner of the {e}", values: "Kenji\nRosalie\nBogdan\nFemi\nAstrid\nChidi\nLudmila\nRavi", ask: "Who owns the {e}?\nWho is responsible for the {e}?",
		tell: `
			{v} owns the {e}.
			The {e} is maintained by {v}.
			{v} is responsible for the {e}.
			Ask {v} about the {e}, that's the owner.
			{v} is in charge of the {e}.
			Reviews for the {e} go to {v}, who owns it.`,
		change: `
			{v} took over the {e} from {old}.
			{v} owns the {e} now.
			The {e} was handed from {old} to {v}.
			{old} is no longer responsible for the {e}, {v} is.`},
	{kind: Decision, name: "timeout of the {e}", values: "30 seconds\n90 seconds\n2 minutes\n5 seconds\n750 milliseconds", ask: "What is the timeout of the {e}?\nAfter how long does the {e} time out?",
		tell: `
			The timeout of the {e} is {v}.
			We set the {e}'s timeout to {v}.
			The {e} times out after {v}.
			Requests to the {e} are cut off after {v}.`,
		change: `
			We raised the timeout of the {e} from {old} to {v}.
			The {e}'s timeout is {v} now.`},
	{kind: Decision, name: "deployment of the {e}", values: "Fly.io\nKubernetes\na bare VM\nNomad\nCloud Run\nECS", ask: "Where is the {e} deployed?\nWhat does the {e} run on in production?",
		tell: `
			The {e} is deployed on {v}.
			We deploy the {e} to {v}.
			In production the {e} runs on {v}.
			The {e} lives on {v}.
			We host the {e} on {v}.`,
		change: `
			We moved the {e} from {old} to {v}.
			The {e} is deployed on {v} now.
			We don't deploy the {e} to {old} anymore but to {v}.`,
		end: `
			The {e} was shut down, nothing on {old} anymore.
			We retired the {e}.
			The {e} is no longer deployed.`},
	{kind: Decision, name: "release day of the {e}", values: "Mondays\nTuesdays\nWednesdays\nThursdays\nevery second Friday", ask: "When is the {e} released?\nOn which day do we release the {e}?",
		tell: `
			We release the {e} on {v}.
			The {e} ships on {v}.
			Releases of the {e} go out on {v}.
			{v} are release days of the {e}.`,
		change: `
			We release the {e} on {v} now instead of {old}.
			The {e}'s release was moved to {v}.`},
	{kind: Decision, name: "tests of the {e}", values: "pytest\nVitest\nJUnit\nPlaywright\nCypress\nQuickCheck", ask: "What do we test the {e} with?\nWhich test framework does the {e} use?",
		tell: `
			The {e} is tested with {v}.
			We use {v} for the tests of the {e}.
			Tests of the {e} are written with {v}.
			For testing the {e} we agreed on {v}.`,
		change: `
			The tests of the {e} moved from {old} to {v}.
			We use {v} to test the {e} now.`},
	{kind: Decision, name: "queue of the {e}", negative: true, values: "Kafka\nRedis\nGraphQL\nfeature flags\na cache", ask: "What do we deliberately not use in the {e}?\nWhat did we decide against in the {e}?",
		tell: `
			We don't use {v} in the {e}.
			No {v} in the {e}, we decided against it.
			The {e} works without {v}.
			We decided not to use {v} for the {e}.
			The {e} doesn't need {v}.
			We never put {v} into the {e}.`},
}

// personRules are rules for the assistant everywhere, and projectRules for a project.
// Each is a slot of its own.
var (
	personRules = []rule{
		{"Answer in at most five sentences", "five sentences", "How long should your answers be?"},
		{"Use metric units", "metric units", "Which units should you use?"},
		{"Show me a diff before you change a file", "diff", "What should you show me before changing a file?"},
		{"Write commit messages in the imperative", "imperative", "How should you write commit messages?"},
		{"Ask me before you install a package", "install a package", "What should you do before installing something?"},
		{"Skip the greetings", "greetings", "Should you greet me?"},
		{"Don't use emojis", "emojis", "Should you use emojis?"},
		{"Explain things with an analogy first", "analogy", "How should you start an explanation?"},
		{"Put code into one block", "one block", "How should you give me code?"},
		{"Name the source of every claim", "source", "What should you add to claims?"},
		{"Call me by my first name", "first name", "How should you address me?"},
		{"Use 24-hour times", "24-hour", "Which format of time should you use?"},
		{"Don't apologize", "apologize", "Should you apologize?"},
		{"Give me the short version first", "short version", "What should come first in an answer?"},
		{"Write dates as year-month-day", "year-month-day", "How should you write dates?"},
		{"Prefer standard libraries over dependencies", "standard libraries", "What should you prefer to dependencies?"},
	}
	projectRules = [Projects + 1][]rule{
		1: {
			{"Run make lint before you commit", "make lint", "What should you run before committing?"},
			{"Don't touch the generated folder", "generated folder", "Which folder should you leave alone?"},
			{"Name branches after the ticket", "ticket", "How should you name branches?"},
			{"Write a changelog line for every fix", "changelog", "What should every fix have?"},
			{"Keep money in cents, as integers", "cents", "How should you represent money?"},
			{"Squash commits before merging", "squash", "What should you do with commits before merging?"},
		},
		2: {
			{"Use tabs in the firmware code", "tabs", "How should you indent the firmware code?"},
			{"Don't allocate memory in the flight loop", "flight loop", "What is forbidden in the flight loop?"},
			{"Log distances in meters", "meters", "In which unit should you log distances?"},
			{"Add a simulation for every new sensor", "simulation", "What does each new sensor need?"},
			{"Tag releases with the hardware revision", "hardware revision", "How should you tag releases?"},
			{"Never push to the release branch", "release branch", "To which branch should you never push?"},
		},
	}
)

// rule is a standing rule: as an order, the words that identify it, and a question about
// it.
type rule struct{ order, value, ask string }

// ruleWays are ways to give a rule; {v} is the order, {l} the same in lower case.
const ruleWays = `
	{v}, please.
	From now on: {l}.
	{v}. Always.
	New rule for you: {l}.
	Going forward, {l}.
	Please remember to follow this every time: {l}.
	I've said it before: {l}, in every session.
	Could you stick to this from here on? {v}.
	As a general rule, {l}.
	Standing order: {l}.`

// rulesEnd are ways to take a rule back.
const rulesEnd = `
	Forget the rule about this: {l}. It no longer applies.
	You don't have to follow this anymore: {l}.
	Never mind the old rule "{l}", it's off.
	I take back what I said about "{l}".
	The rule "{l}" is cancelled.
	No need to keep to this any longer: {l}.
	Drop the rule "{l}".
	That rule, "{l}", doesn't hold anymore.`

// Plans for a day; {v} is the plan and {d} the day.
const (
	planValues = `
		a trip to Lisbon
		the trade fair in Hanover
		a weekend in Bruges
		the marathon in Vienna
		a workshop in Dublin
		the concert in Antwerp
		a hike in the Vosges
		the wedding in Siena
		a checkup at the eye clinic
		the parents' evening
		the flea market
		the handover meeting
		a flight to Oslo
		a dinner at the Pavilion
		the boat tour
		the tax appointment`
	planTell = `
		{d} is {v}, I'm looking forward to it.
		We have {v} {d}.
		I've booked {v} {d}.
		There's {v} coming up {d}.
		I'm busy {d}, {v}.
		{d} I have {v}.
		I'm planning {v} {d}.
		My calendar says {v} {d}.
		Don't plan anything {d}, that's when {v} is.`
	planAsk = `
		When is {v}?
		What about {v}, when was that planned?`
)
