package generated

// fact is something to tell, with its value at {v}, and to ask for. Bars separate
// wordings of the same thing, and values.
type fact struct {
	request string // what the person, or the other person, says before it; may be empty
	text    string // tells it
	change  string // tells another value later
	ask     string
	values  string
}

// updates are facts that a person tells an assistant in passing, and that change.
var updates = []fact{
	{"", "I signed up with {v} for my teeth, they had an opening.", "My old practice closed, so {v} looks after my teeth from now on.|I was not happy there, {v} does my teeth now.", "Who is my dentist these days?|Which dentist do I go to?", "Dr. Okafor|Dr. Lindqvist|Dr. Haddad|Dr. Moreau|Dr. Tanaka"},
	{"", "We live in {v} at the moment, close to the river.", "The movers came on Friday, home is {v} from here on.|We packed everything up again, our address is in {v} now.", "In which town do I live?|Which city do we call home?", "Lisbon|Ghent|Tallinn|Graz|Bergen|Leeds"},
	{"", "Our daily standup is at {v}.", "They pushed the daily to {v} from Monday.|Because of the new people the daily starts at {v} now.", "At what time is my team's standup?|When does the team meet for the daily sync?", "9:15|10:30|8:45|11:00|13:15"},
	{"", "The order service keeps its data in {v}.", "We finished moving the orders over to {v} last night.|Orders were migrated, everything sits in {v} now.", "Which database does the order service use?|What are orders stored in?", "MySQL|Postgres|MongoDB|CockroachDB|DynamoDB"},
	{"", "I drive a {v}, bought it used.", "I sold the old one and picked up a {v}.|The lease was up and there is a {v} in front of the house.", "What car do I drive?|Which vehicle do I own?", "Skoda Octavia|Volvo V60|Renault Zoe|Mazda 3|Fiat Panda"},
	{"", "I report to {v} since spring.", "After the reorganization {v} is my boss.|They shuffled the teams, my boss is called {v}.", "Who is my manager?|To whom do I report?", "Ines|Gustavo|Priya|Malcolm|Annika"},
	{"", "My flight to Porto leaves on {v}.", "The airline rebooked me, it is {v} for Porto.|I moved the Porto trip, wheels up on {v}.", "On which day do I fly to Porto?|When does my plane to Porto depart?", "4 May|9 May|16 June|21 June|2 July"},
	{"", "For taking notes I use {v}.", "I gave up on that app and write everything in {v}.|All my notes were exported to {v}.", "Which app do I take notes with?|Where do I keep my notes?", "Obsidian|Logseq|Joplin|Bear|Zettlr"},
	{"", "The budget for the kitchen is {v} euros.", "We agreed to stretch what the kitchen may cost to {v} euros.|The bank said yes, so the kitchen gets {v} euros.", "How much can we spend on the kitchen?|What is our kitchen budget?", "9,500|12,000|14,500|17,000|21,000"},
	{"", "All repositories are pinned to Go {v}.", "The toolchain was bumped to Go {v} everywhere.|CI builds with Go {v} as of today.", "Which Go version are our repositories on?|What version of Go do we build with?", "1.21|1.22|1.23|1.24|1.25"},
	{"", "Nora's piano lesson is on {v}.", "Her teacher has no time then any more, Nora plays on {v}.|School got in the way, piano is on {v} for Nora.", "On which weekday does Nora have her piano lesson?|When does Nora go to piano?", "Mondays|Tuesdays|Wednesdays|Thursdays|Saturdays"},
	{"", "The gate code at the allotment is {v}.", "They changed the lock at the allotment, you get in with {v}.|Somebody told everyone, so the allotment opens with {v} now.", "What do I type to open the gate of the allotment?|Which code opens the allotment gate?", "4471|8802|1936|5529|7314"},
	{"", "I am training for {v}.", "My knee decides: I switched my training to {v}.|The race was full, so I train for {v} instead.", "Which race am I training for?|What competition do I prepare for?", "the half marathon in Bath|the Vienna relay|a 10 km trail run|the lake triathlon|the city marathon"},
	{"", "Sprint demos are given by {v}.", "From this sprint on {v} gives the demo.|The demo was handed over to {v}.", "Who presents the sprint demo?|Who shows our work at the end of a sprint?", "Kenji|Rosalie|Bogdan|Femi|Astrid"},
}

// preferences are facts that are told once, among many other words.
var preferences = []fact{
	{"", "I cannot stand {v}, it ruins a meal for me.", "", "Which ingredient should be left out when you write me a recipe?|Is there a food that I dislike?", "coriander|fennel|blue cheese|olives|eggplant"},
	{"", "When I travel I only ever take {v}.", "", "How do I like to get to other cities?|By what means do I prefer to travel?", "night trains|the ferry|long-distance buses|my bicycle"},
	{"", "I read best in {v}, everything else puts me to sleep.", "", "What is my favorite place for reading?|Where do I like to read books?", "the bathtub|noisy cafes|the hammock|the tram"},
	{"", "Please give me examples in {v}, I think in it.", "", "In which programming language do I want my examples?|Which language should the code snippets be in?", "Elixir|Kotlin|OCaml|Ruby|Zig"},
	{"", "I am happiest on holidays with {v}.", "", "What kind of vacation suits me?|What should a holiday have for me to enjoy it?", "steep mountains|empty beaches|big museums|long canals"},
	{"", "For presents I would rather get {v} than anything you can wrap.", "", "What could somebody give me for my birthday?|Which gift would I like most?", "concert tickets|a cooking class|a day off|a donation in my name"},
	{"", "Hotels on {v} are a no for me since I sleep badly.", "", "What should be avoided when booking a room for me?|Which accommodation do I not want?", "main roads|the ground floor|party streets|railway stations"},
	{"", "My kind of film is {v}, I watch nothing else in winter.", "", "What movie genre do I enjoy?|Which films should be on my watch list?", "slow westerns|heist comedies|nature documentaries|silent movies"},
	{"", "I learn new things by {v}, reading alone does not stick.", "", "How do I study best?|What is the way for me to learn something?", "drawing diagrams|teaching others|flash cards|building toys"},
	{"", "With clothes it is {v} for me and no other material.", "", "Which fabric do I like to wear?|What should my next shirt be made of?", "linen|merino wool|denim|flannel"},
}

// proposals are facts that an assistant names in a list.
var proposals = []fact{
	{"Where could we go with the kids when it rains?", "**{v}**: small, dry, and children may touch everything", "", "What was the museum called that you suggested for a rainy day?|Which place did you recommend for bad weather with children?", "Tinplate Museum|House of Locks|Clockmakers' Hall|Puppet Archive"},
	{"What could I plant on a balcony without sun?", "**{v}**: it forgives shade and a forgotten watering can", "", "Which plant did you recommend for my shady balcony?|What did you say would grow without sun?", "Lady fern|Toad lily|Barrenwort|Coral bells"},
	{"Which book should I begin with?", "**{v}**: short chapters, and no formula before page fifty", "", "Which book did you tell me to begin with?|What reading did you suggest as a start?", "The Patient Gardener|Numbers in the Dark|A Map of Mornings|Salt and Timber"},
	{"Can you think of a name for the team?", "**{v}**: easy to say, and nobody else uses it", "", "What team name did you propose?|How did you suggest to call our team?", "The Loose Screws|Night Heron|Second Coffee|Paper Lighthouse"},
	{"How can I sleep better?", "**{v}**: for two weeks, and write down how you wake up", "", "What did you advise against my bad sleep?|Which remedy did you give me for sleeping?", "No screens after nine|A cooler bedroom|A walk at dusk|Magnesium tea"},
	{"What should we cook for eight guests?", "**{v}**: it can stand in the oven while you talk", "", "What dish did you propose for the dinner with guests?|Which meal did you suggest for eight people?", "Braised leeks|Chickpea gratin|Pumpkin lasagna|Barley pilaf"},
	{"Which library should we use for the queue?", "**{v}**: few dependencies and a test suite one can read", "", "Which library did you recommend for queues?|What did you suggest we use as a queue?", "riverline|postbox-go|hopqueue|trainyard"},
	{"How do I get the stain out of the carpet?", "**{v}**: dab and never rub, then rinse twice", "", "What did you tell me to clean the carpet with?|Which cleaner did you advise for the stain?", "Glass soap|Baking soda paste|White vinegar|Gall soap"},
}

// outputs are facts that tools print.
var outputs = []fact{
	{"Is the cluster all right?", "$ kubectl get pods\nNAME                READY  STATUS            RESTARTS\ngateway-7d9f        1/1    Running           0\n{v}-5c4b        0/1    CrashLoopBackOff  14\nsearch-66f8         1/1    Running           1", "", "Which pod kept crashing?|What was in CrashLoopBackOff on the cluster?", "billing|mailer|thumbnails|ledger"},
	{"How full is the disk?", "$ df -h\nFilesystem  Size  Used  Avail  Use%  Mounted on\n/dev/sda1    40G   11G    27G   29%  /\n/dev/sdb1   200G  {v}G    9G   95%  /var/lib/data", "", "How many gigabytes were used on the data volume?|How full was the disk with the data?", "181|186|189|177"},
	{"Run the tests, please.", "$ go test ./...\nok   example.org/shop/cart     0.412s\n--- FAIL: {v} (0.03s)\n    price_test.go:88: got 1199, want 1299\nFAIL example.org/shop/price  0.951s", "", "Which test failed?|What was the name of the failing test in the shop?", "TestRoundingHalfUp|TestVoucherTwice|TestZeroQuantity|TestCurrencyMix"},
	{"Who changed this line?", "$ git blame -L 42,42 config/limits.yaml\n9f31c2ab ({v} 2024-11-02 18:20:11 +0100 42)   max_connections: 40", "", "Who set the maximum of connections in the limits?|Whose commit was the line with max_connections?", "Odile|Ravi|Stellan|Beatrix"},
	{"What does the weather station say?", "station: roof\ntemperature: {v} C\nhumidity: 61 %\nwind: 3 m/s from the west", "", "How warm was it on the roof?|What temperature did the weather station report?", "31.4|27.9|33.2|29.5"},
	{"Look the parcel up.", "tracking: in transit\nlast scan: {v}, sorting center\nexpected: within two working days\nweight: 3.2 kg", "", "Where was my parcel scanned last?|At which place was the package according to tracking?", "Utrecht|Leipzig|Lyon|Malmo"},
}

// notes are facts that are kept apart from any conversation.
var notes = []fact{
	{"", "Decision: log lines carry their time in {v}, because machines stand in four countries.", "", "Which time zone do we write logs in?|In what time zone are the timestamps of the logs?", "UTC|Zurich time|epoch seconds"},
	{"", "The spare key of the summer house hangs {v}.", "", "Where can I find the second key for the cabin?|Where is the extra key of the summer house?", "behind the rain barrel|under the third step|in the beehive without bees"},
	{"", "Mother's blood group is {v}; her card is in the blue folder.", "", "What blood type does my mother have?|Which blood group is my mom?", "A negative|B positive|AB positive|O negative"},
	{"", "Rule of the team: no release on {v}.", "", "On which day does the team never ship?|When is releasing forbidden in our team?", "Fridays|the last day of a month|days before holidays"},
	{"", "The boiler needs {v} bar of pressure, below that the heating stops with error F2.", "", "At how many bar does the heating run?|How much pressure does the boiler want?", "1.4|1.7|2.1"},
	{"", "Customer Brightwell pays within {v} days, never remind them earlier.", "", "How long does Brightwell take to pay invoices?|What is the payment term of Brightwell?", "45|60|75"},
	{"", "Wi-Fi in the workshop comes from the box {v}.", "", "Where is the router in the workshop?|What does the wireless network of the workshop come from?", "above the lathe|next to the compressor|over the paint shelf"},
	{"", "Grandfather's recipe wants the dough to rest {v}.", "", "For how long must grandpa's dough stand?|What resting time does the recipe of grandfather give?", "eleven hours|two nights|forty minutes"},
}

// unknown are questions that nothing answers, although other messages share their words.
var unknown = []string{
	"What color is my bicycle helmet?|Which color did I choose for the helmet?",
	"How old is my sister's cat?|What age is the cat of my sister?",
	"Which stadium did I visit in Brazil?|In what stadium in Brazil was I?",
	"What is the name of my tax advisor?|Who does my taxes?",
	"When did I learn to sail a boat?|Do I own a boat?",
	"Which instrument does my uncle repair?|What does my uncle fix for a living?",
	"Wie heißt mein Nachbar im dritten Stock?|Welcher Nachbar wohnt im dritten Stock?",
	"How much did the new roof cost?|What did I pay for the roof?",
	"Which port does the legacy fax server listen on?|What port is the fax server on?",
}

// lives are facts that two people tell about themselves. {v} in a question is the name.
var lives = []fact{
	{"What did you end up doing on Saturday?", "We drove out to {v} and walked until it was dark.", "", "Where did {v} go for a walk at the weekend?|Which place did {v} walk around until dark?", "the quarry lake|the old vineyards|Hawk Ridge|the salt marsh"},
	{"How is the new job?", "Long days, but I finally build {v}, which is what I wanted.", "", "What does {v} build at work?|What is the new job of {v} about?", "furniture for schools|hearing aids|stage lights|rowing boats"},
	{"Did you hear from your brother?", "My brother called from {v}, they want to stay there for good.", "", "Where does the brother of {v} live?|In which country will {v}'s brother stay?", "New Zealand|Uruguay|Iceland|Namibia"},
	{"You look tired.", "I am up at five because of {v}, it cannot wait.", "", "Why is {v} up so early?|What makes {v} get up at five?", "the puppy|the bakery course|the newborn|swim practice"},
	{"Any plans for the summer?", "If the money lasts it will be {v}, and nobody can reach me.", "", "What does {v} plan for the summer?|How will {v} spend the holidays if there is money?", "the slow boat down the Danube|a hut without electricity|the pilgrims' path|a language course in Siena"},
	{"Did they find anything?", "The doctor says it is {v}, nothing that rest does not cure.", "", "What is {v} ill with?|Which diagnosis did the doctor give {v}?", "a pinched nerve|low iron|an inflamed tendon|a vitamin deficiency"},
	{"What are you reading?", "A thick book about {v}, I am on page six hundred.", "", "What is the book of {v} about?|Which topic does {v} read about?", "the history of salt|polar expeditions|forgers of paintings|the lives of bees"},
	{"Are you still making music?", "I sold the drums and bought {v}, the neighbors brought a cake.", "", "Which instrument does {v} play now?|What did {v} buy instead of the drums?", "a double bass|an accordion|a harp|a clarinet"},
	{"How was your birthday?", "Everyone came to the party as {v}, you should have seen my mother.", "", "What was the theme of {v}'s birthday party?|How did guests dress up for {v}?", "vegetables|pirates|their favorite teacher|weather"},
	{"Did you sort out the flat?", "Yes, the landlord lets me have {v} if I paint it myself.", "", "What did the landlord give {v}?|Which room may {v} use after painting it?", "the attic|the cellar workshop|the winter garden|the second balcony"},
	{"You never go out any more.", "I put a bit of money aside every month, it will be {v} by next year.", "", "What is {v} saving money for?|What does {v} want to buy next year?", "a wood stove|a cargo bike|a loom|a used camper van"},
	{"What is the matter?", "Honestly, I am scared of {v}; I have been like that since school.", "", "What is {v} afraid of?|What has scared {v} since school?", "speaking before people|deep water|elevators|exams"},
}

// smallTalk and replies are what two people say besides.
var (
	smallTalk = []string{
		"Good to hear your voice again!", "The weather is playing tricks on us today.", "I have been thinking about what you said last time.",
		"Work was a circus again, three meetings and no result.", "Did you see the lights over the harbor last night?", "I finally cleaned the kitchen, you would be proud.",
		"My phone died in the middle of a call, sorry about that.", "The bus was late again, so I walked home along the canal.", "There is a new bakery round the corner, the line is endless.",
		"I found the photos from our trip, we look so young.", "The neighbors are painting their house yellow, can you imagine?", "I tried that recipe of yours and burned it.",
		"My mother sends her love, by the way.", "Should we go to the market on Sunday?", "I slept on the couch because of the heat.", "The kids at the corner play football until ten.",
	}
	replies = []string{
		"Ha, that sounds just like you.", "Oh no, how did that happen?", "I would have loved to be there.", "Same here, this month is never going to end.",
		"That is wonderful, tell me more when we meet.", "You have to show me some time.", "I know exactly what you mean.", "Let us talk about it over coffee.",
		"Really? I would not have guessed.", "Good for you, you earned it.", "Take it easy this week, will you?", "I will bring the cake, then.",
	}
)
