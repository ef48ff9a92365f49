package bench

// saying holds how people speak of an action: in other forms of the verb, and in other
// words.
type saying struct {
	base     string // after "did"
	going    string // after "was"
	synonyms string // other words, in the past tense
}

// verbs returns the sayings of every verb of the topics. The synonyms here and in things
// were written from general knowledge, independently of the word lists of package recall.
// Do not consult those lists to extend them.
func verbs() map[string]saying {
	return map[string]saying{
		"adopted": {"adopt", "adopting", "took in"}, "groomed": {"groom", "grooming", "brushed"},
		"walked": {"walk", "walking", "went out with"}, "trained": {"train", "training", "taught"},
		"fed": {"feed", "feeding", "gave food to"}, "booked": {"book", "booking", "reserved"},
		"planned": {"plan", "planning", "arranged"}, "canceled": {"cancel", "canceling", "called off"},
		"enjoyed": {"enjoy", "enjoying", "loved"}, "postponed": {"postpone", "postponing", "put off"},
		"deployed": {"deploy", "deploying", "released"}, "reviewed": {"review", "reviewing", "looked through"},
		"rolled back": {"roll back", "rolling back", "reverted"}, "profiled": {"profile", "profiling", "timed"},
		"documented": {"document", "documenting", "described"}, "cooked": {"cook", "cooking", "prepared"},
		"baked": {"bake", "baking", "made"}, "tasted": {"taste", "tasting", "tried"},
		"ordered": {"order", "ordering", "asked for"}, "invented": {"invent", "inventing", "came up with"},
		"discussed": {"discuss", "discussing", "talked about"}, "scheduled": {"schedule", "scheduling", "set a date for"},
		"finished": {"finish", "finishing", "completed"}, "started": {"start", "starting", "began"},
		"moved": {"move", "moving", "shifted"}, "repaired": {"repair", "repairing", "fixed"},
		"painted": {"paint", "painting", "put a new coat on"}, "sold": {"sell", "selling", "got rid of"},
		"measured": {"measure", "measuring", "took the size of"}, "insulated": {"insulate", "insulating", "made warmer"},
		"practiced": {"practice", "practicing", "rehearsed"}, "recorded": {"record", "recording", "taped"},
		"performed": {"perform", "performing", "played"}, "bought": {"buy", "buying", "purchased"},
		"tuned": {"tune", "tuning", "adjusted"}, "paid": {"pay", "paying", "settled"},
		"budgeted": {"budget", "budgeting", "set money aside for"}, "invested": {"invest", "investing", "put money into"},
		"claimed": {"claim", "claiming", "demanded"}, "refunded": {"refund", "refunding", "gave back"},
		"recommended": {"recommend", "recommending", "suggested"}, "lent": {"lend", "lending", "gave away"},
		"translated": {"translate", "translating", "put into another language"}, "migrated": {"migrate", "migrating", "transferred"},
		"monitored": {"monitor", "monitoring", "watched"}, "scaled": {"scale", "scaling", "enlarged"},
		"patched": {"patch", "patching", "updated"}, "restarted": {"restart", "restarting", "rebooted"},
	}
}

// thing holds how people speak of an object.
type thing struct {
	head     string // the one word that they would look for
	form     string // the plural for the singular, or the other way around
	synonyms string // other words for it
}

// things returns the objects of the topics.
func things() map[string]thing {
	return map[string]thing{
		"a gray kitten": {"kitten", "gray kittens", "a small gray cat"}, "the old terrier": {"terrier", "old terriers", "the old dog"},
		"two parakeets": {"parakeets", "a parakeet", "two little parrots"}, "a rescue greyhound": {"greyhound", "rescue greyhounds", "a dog from the shelter"},
		"the neighbor's rabbit": {"rabbit", "rabbits of neighbors", "the bunny from next door"}, "a night train": {"train", "night trains", "an overnight rail ride"},
		"the ferry crossing": {"ferry", "ferry crossings", "the boat passage"}, "a cycling tour": {"cycling", "cycle tours", "a bike trip"},
		"three hotel nights": {"hotel", "a night in hotels", "three days of accommodation"}, "the mountain hike": {"hike", "hiking in mountains", "the trek in the hills"},
		"the billing service": {"billing", "billing services", "the invoicing system"}, "the search index": {"index", "search indexes", "the lookup tables"},
		"the login page": {"login", "login pages", "the sign-in screen"}, "the payment webhook": {"webhook", "payment webhooks", "the payment callback"},
		"the nightly backup job": {"backup", "nightly backups", "the copy made every night"}, "a lentil soup": {"lentil", "soups of lentils", "a lentil stew"},
		"sourdough bread": {"sourdough", "sourdough breads", "a sourdough loaf"}, "mushroom risotto": {"risotto", "risottos with mushrooms", "rice with mushrooms"},
		"a plum cake": {"plum", "cakes with plums", "a plum pastry"}, "the spicy noodles": {"noodles", "a spicy noodle", "the hot pasta"},
		"the physiotherapy course": {"physiotherapy", "physiotherapy courses", "the physical therapy"}, "a dental appointment": {"dental", "dental appointments", "a visit to the dentist"},
		"the vaccination": {"vaccination", "vaccinations", "the flu shot"}, "a blood test": {"blood", "blood tests", "a blood sample"},
		"the eye examination": {"eye", "examinations of eyes", "the vision check"}, "the kitchen window": {"window", "kitchen windows", "the kitchen pane"},
		"the balcony railing": {"railing", "railings of balconies", "the terrace handrail"}, "an oak table": {"oak", "oak tables", "a wooden desk"},
		"the cellar door": {"cellar", "doors of cellars", "the basement door"}, "the upstairs bathroom": {"bathroom", "bathrooms upstairs", "the washroom on the upper floor"},
		"the cello suite": {"cello", "suites for cellos", "the solo pieces for cello"}, "a jazz standard": {"jazz", "jazz standards", "a jazz tune"},
		"the church organ": {"organ", "organs of churches", "the pipes of the chapel"}, "an acoustic guitar": {"guitar", "acoustic guitars", "an unplugged guitar"},
		"the choir piece": {"choir", "pieces for choirs", "the song for the chorus"}, "the electricity bill": {"electricity", "electricity bills", "the power invoice"},
		"the travel expenses": {"travel", "a travel expense", "the costs of the journey"}, "a pension contribution": {"pension", "contributions to pensions", "a payment for retirement"},
		"the conference ticket": {"conference", "tickets for conferences", "the congress pass"}, "the car insurance": {"car", "insurances for cars", "the auto policy"},
		"a novel about lighthouse keepers": {"lighthouse", "novels about a lighthouse keeper", "a book about guards of beacons"},
		"the biography of a chess player":  {"chess", "biographies of chess players", "the life story of a chess master"},
		"an essay on urban trees":          {"trees", "essays on an urban tree", "an article on the trees of cities"},
		"the handbook of sailing knots":    {"knots", "handbooks of a sailing knot", "the manual of nautical knots"},
		"a history of cartography":         {"cartography", "histories of cartography", "the story of making maps"},
		"the message queue":                {"queue", "message queues", "the message broker"}, "the postgres cluster": {"postgres", "postgres clusters", "the database servers"},
		"the build runners": {"runners", "a build runner", "the machines that compile"}, "the staging gateway": {"gateway", "staging gateways", "the test proxy"},
		"the metrics dashboard": {"dashboard", "dashboards of a metric", "the board of statistics"},
	}
}
