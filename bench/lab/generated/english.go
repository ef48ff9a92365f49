package generated

// english holds how an assistant answers in English.
var english = &language{
	asks: []string{
		"Can you explain how to get better at {s}?", "What should I know about {s}?", "Give me a plan for {s}, please.", "Where do I begin with {s}?",
		"What do people get wrong about {s}?", "How would you {a} the {n}?", "Help me decide about the {n}.",
	},
	more: []string{
		"And what about the {n}?", "Could you say more about the {k} {n}?", "How do I {a} it without trouble?", "Thanks. What comes after the {n}?",
		"Why would I {a} the {n} at all?", "Is there a {k} way?",
	},
	opening: []string{
		"Good question. With {s} most of the work is in the {n}, and the rest follows from how you {a} it. Below is what usually matters, from the {k} parts to those that can wait.",
		"Here is an overview of {s}. You do not need all of it at once: begin with the {n}, look at what happens, and only then {a} the {n}.",
		"There are several ways to go about {s}, and which of them is right depends on the {n} that you have and on how much time you want to spend each week.",
	},
	headings: []string{"What to look at first", "Getting the {n} right", "Common mistakes", "A {k} way", "Step by step", "What it costs", "When to stop", "How others do it", "Checklist for the {n}"},
	sentences: []string{
		"Start with the {n}, because it decides how {k} the {n} will be in the end.",
		"Many people {a} the {n} too early and then wonder why the {n} does not hold.",
		"If the {n} is {k}, leave it alone for a few days before you {a} anything else.",
		"It helps to write down what you changed, when, and what the {n} looked like before.",
		"A {k} {n} is worth more than two that are only good on paper.",
		"Ask someone who has done it before to look at the {n}; an hour of theirs saves a week of yours.",
		"Do not trust the first result: {a} the {n} twice and compare.",
		"Money spent on the {n} comes back sooner than money spent on the {n}.",
		"What works for a friend may be wrong for you, since no two {n} are alike and habits differ.",
		"In the morning the {n} is easier to {a} than late in the day, when everybody is tired.",
		"The rule of thumb is one {n} for each person and one more in reserve.",
		"When you are unsure, choose the {k} option and keep the receipt.",
		"There is no harm in waiting, as long as the {n} stays {k} and nobody needs it now.",
		"I am working on this with a friend, and so far the {n} has been the hardest part of it.",
	},
	items: []string{
		"**The {n}**: {a} it first, and see whether it stays {k} for a week",
		"**A {k} {n}**: costs little and can be replaced when you outgrow it",
		"**Time**: plan twice of what you think you need to {a} the {n}",
		"**Help**: let somebody else {a} the {n} while you watch the {n}",
		"**Notes**: keep a page for the {n}, with dates and what you paid",
		"**Order**: {a} the {n} before the {n}, never the other way round",
		"**Rest**: after you {a} the {n} give it a day",
		"**Limits**: if the {n} is not {k} by the end of the month, try something else",
		"**Habit**: ten minutes with the {n} every day do more than a long weekend",
	},
	closing: []string{
		"Tell me what your {n} looks like and I can be more precise. If you have little time, do the first list and leave the rest for later.",
		"That should be enough to begin with. Come back when the {n} is done, and we can look at how to {a} the {n} next.",
		"If only one thing of this stays with you, let it be this: {a} the {n} while it is still {k}, and do not hurry.",
	},
}

var subjects = []subject{
	newSubject(english, "cooking at home", "stove|pan|sauce|recipe|spice shelf|dough|oven|menu|guest list|knife", "season|prepare|roast|taste|plan|chop", "simple|fresh|cheap|slow|crisp"),
	newSubject(english, "travel by train", "ticket|timetable|night train|reservation|luggage|hotel room|platform|connection|passport|city", "book|change|compare|pack|cancel|plan", "direct|early|cheap|quiet|flexible"),
	newSubject(english, "a database migration", "schema|table|index|backup|order service|replica|query|rollback|connection pool|log", "migrate|test|lock|measure|restore|copy", "safe|small|online|boring|reversible"),
	newSubject(english, "running a small team", "standup|meeting|sprint|demo|manager|backlog|feedback|release|calendar|retrospective", "plan|shorten|move|cancel|lead|write down", "short|regular|honest|calm|remote"),
	newSubject(english, "training for a race", "pace|knee|shoe|schedule|hill|rest day|interval|breakfast|heart rate|race", "train|stretch|measure|skip|repeat|increase", "easy|steady|hard|flat|early"),
	newSubject(english, "renovating a kitchen", "budget|cupboard|tile|sink|plumber|worktop|lamp|floor|drawer|wall", "measure|order|paint|replace|install|sand", "bright|solid|cheap|narrow|wooden"),
	newSubject(english, "buying a used car", "car|dealer|engine|tire|insurance|mileage|lease|brake|battery|contract", "inspect|drive|insure|sell|compare|repair", "reliable|small|electric|old|cheap"),
	newSubject(english, "reading more books", "book|shelf|library|chapter|novel|author|list|evening|note|club", "read|finish|borrow|lend|choose|skip", "short|funny|difficult|old|famous"),
	newSubject(english, "gardening on a balcony", "pot|soil|seed|plant|watering can|shade|railing|herb|leaf|allotment", "water|plant|cut|move|feed|harvest", "shady|green|hardy|tall|dry"),
	newSubject(english, "sleep and health", "bedroom|pillow|doctor|dentist|appointment|alarm|screen|walk|medicine|insurance", "sleep|change|book|check|darken|ask about", "regular|dark|cool|healthy|early"),
	newSubject(english, "writing Go programs", "function|package|error|test|toolchain|module|goroutine|queue|interface|build", "write|name|test|wrap|profile|delete", "small|plain|fast|safe|exported"),
	newSubject(english, "music lessons for children", "piano|lesson|teacher|exercise|song|weekday|instrument|concert|rhythm|rental", "practice|repeat|choose|record|tune|play", "short|cheerful|slow|easy|loud"),
	newSubject(english, "saving money", "account|budget|rent|bill|present|insurance|contract|salary|euro|list", "save|spend|cancel|compare|share|postpone", "fixed|monthly|small|shared|yearly"),
	newSubject(english, "keeping notes", "app|note|folder|tag|export|link|notebook|template|search|archive", "write|sort|export|link|delete|review", "plain|daily|short|private|searchable"),
}
