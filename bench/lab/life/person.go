package life

// personal holds the slots about the person and the people around them.
var personal = []slot{
	// Family.
	{kind: Family, name: "{e}'s name", entities: relatives, ask: "What is my {e} called?\nWhat's the name of my {e}?",
		values: "Annelie\nBruno\nCosima\nDario\nElif\nFrida\nGideon\nHanne\nIvo\nJolanda\nKasimir\nLeonie\nMatteo\nNele\nOrla",
		tell: `
			My {e} is called {v}.
			My {e}'s name is {v}.
			{v}, that's my {e}, is coming over for lunch.
			Had my {e} {v} on the phone for an hour.
			I need a present for {v}, my {e}.
			Have I told you about my {e}? {v} is the funniest person I know.
			You'll hear the name {v} a lot, that is my {e}.
			The one who keeps texting me is my {e}, {v}.`,
		change: `
			My {e} goes by {v} now, nobody says {old} anymore.
			My {e} officially changed names, it's {v} from now on.
			We're supposed to call my {e} {v} these days instead of {old}.`},
	{kind: Family, name: "{e}'s home", entities: relatives, values: cities, ask: "Where does my {e} live?\nIn which city is my {e}?",
		tell: `
			My {e} lives in {v}.
			My {e} has a flat in {v}.
			I have to drive all the way to {v} to see my {e}.
			My {e} has been living in {v} for ages.
			We visit my {e} in {v} twice a year, that's where home is for that part of the family.
			{v} is where my {e} lives.
			My {e} is based in {v}.
			My {e}'s place is in {v}, tiny but lovely.`,
		change: `
			My {e} moved to {v}.
			My {e} has left {old} and lives in {v} now.
			Big news, my {e} found a house in {v} and is gone from {old}.
			My {e} doesn't live in {old} anymore, it's {v} since last week.
			We helped my {e} move from {old} to {v} on Saturday.`},
	{kind: Family, name: "{e}'s job", entities: relatives, values: jobs, ask: "What does my {e} do for a living?\nWhat is my {e}'s profession?",
		tell: `
			My {e} works as a {v}.
			My {e} is a {v}.
			My {e} is a {v} by trade.
			My {e} earns a living as a {v}.
			My {e} finished training and is a real {v} now.
			As a {v}, my {e} has awful hours.
			My {e} has been a {v} for twenty years.
			Being a {v} runs in the family, my {e} is one.`,
		change: `
			My {e} quit and is a {v} now.
			My {e} switched careers, from {old} to {v}.
			My {e} isn't a {old} any longer but a {v}.
			My {e} retrained and works as a {v} these days.`,
		end: `
			My {e} retired, no more working as a {old}.
			My {e} stopped working as a {old}.
			My {e} is no longer a {old}.
			My {e} gave up being a {old}.`},

	// Friends and neighbors.
	{kind: People, name: "{e}'s home", entities: friends, values: cities, ask: "Where does {e} live?\nWhich city is {e} in?",
		tell: `
			My friend {e} lives in {v}.
			{e} lives in {v}.
			{e}, an old friend, has settled in {v}.
			I'm staying with {e} in {v}, who has a house there.
			{e} is over in {v}, has been for years.
			{e}'s home is in {v}.
			If you want to find {e}, look in {v}, that's home.
			{e} bought an apartment in {v} and lives there.`,
		change: `
			{e} moved to {v}.
			{e} packed up and left {old} for {v}.
			{e} is living in {v} now, not in {old}.
			{e} has relocated to {v}.
			Helped {e} carry boxes, {old} is history and {v} is home.`},
	{kind: People, name: "{e}'s job", entities: friends, values: jobs, ask: "What does {e} do for work?\nWhat's {e}'s job?",
		tell: `
			{e} is a {v}.
			{e} works as a {v}.
			My buddy {e} makes money as a {v}.
			You should ask {e}, who is a {v} after all.
			{e} is a {v} by profession.
			{e} trained to be a {v} and loves the job.
			For a {v} {e} is remarkably calm.
			{e} got hired as a {v}.`,
		change: `
			{e} got a new job as a {v}.
			{e} isn't working as a {old} anymore, now it's {v}.
			{e} gave up being a {old} and became a {v}.
			{e} is a {v} now.`},
	{kind: People, name: "{e}'s pet", entities: friends, values: "tortoise\ngreyhound\nparrot\nferret\ngoldfish\nhamster\nbeagle\nSiamese cat\npony\nrabbit",
		ask: "What animal does {e} have?\nWhich pet does {e} keep?",
		tell: `
			{e} has a {v}.
			{e} keeps a {v} at home.
			{e} got a {v} for company.
			{e} adopted a {v} from the shelter.
			I'm looking after {e}'s {v} over the weekend.
			{e}'s {v} ate my shoelaces.
			{e} owns a {v}, of all things.
			{e} never goes anywhere without the {v}.`,
		end: `
			{e} doesn't have the {old} anymore.
			{e} had to give the {old} away.
			{e}'s {old} died, very sad.
			{e} no longer has a {old}.`},

	// Health.
	{kind: Health, name: "dentist", values: "Dr. Okafor\nDr. Lindqvist\nDr. Haddad\nDr. Moreau\nDr. Tanaka\nDr. Brandt", ask: "Who is my dentist?\nWhich dentist do I go to?",
		tell: `
			My dentist is {v}.
			I go to {v} for my teeth.
			Appointment with {v} on Thursday, that's my dentist.
			{v} has been looking after my teeth.`,
		change: `
			I switched dentists, I'm with {v} now.
			My dentist is {v} now, {old} retired.
			I don't go to {old} anymore, {v} does my teeth.
			New dentist: {v}.`},
	{kind: Health, name: "family doctor", values: "Dr. Weiss\nDr. Ngata\nDr. Castellan\nDr. Ivers\nDr. Pohl", ask: "Who is my family doctor?\nWhat's the name of my GP?",
		tell: `
			My family doctor is {v}.
			I'm a patient of {v}, my GP.
			My GP, {v}, is on holiday.
			For anything medical I call {v}, our GP.`,
		change: `
			I changed to another GP, {v}.
			{v} took over from {old} as my doctor.
			My GP is {v} these days.`},
	{kind: Health, name: "medicine for {e}", entities: "migraine\nthyroid\nhay fever\nblood pressure\nasthma\nreflux",
		values: "Velorin\nTramexol\nCetaphine\nLopradin\nNexavel\nOmiprane\nBelastin\nZyrafen", ask: "What do I take for my {e}?\nWhich medicine do I use against {e}?",
		tell: `
			I take {v} for my {e}.
			I'm on {v} because of my {e}.
			My {e} is under control with {v}.
			The doctor prescribed {v} for my {e}.
			Every morning one {v}, that's for the {e}.
			For {e} I have {v} in the drawer.`,
		change: `
			They switched me from {old} to {v} for the {e}.
			I take {v} for my {e} now instead of {old}.
			{old} didn't help, so it's {v} for the {e} from here on.`,
		end: `
			I stopped taking {old}.
			I don't need {old} anymore, the {e} is gone.
			I'm off the {old} since Monday.
			No more {old} for me, doctor's orders.`},
	{kind: Health, name: "blood type", values: "A negative\nB positive\nAB positive\nO negative", ask: "What is my blood type?\nWhich blood group do I have?",
		tell: `
			My blood type is {v}.
			I'm {v}, in case you ever need my blood group.
			Blood group: {v}, they told me at the donation.
			Turns out my blood is {v}.`},
	{kind: Health, name: "food allergy", values: "walnuts\nshrimp\ncelery\nsesame\nkiwi\nmustard", ask: "What am I allergic to?\nIs there a food I have an allergy to?",
		tell: `
			I'm allergic to {v}.
			I have an allergy to {v}.
			{v} would send me to hospital, I'm allergic.
			Careful with recipes, my throat swells up from {v}.
			I can't eat {v}, allergic since I was a kid.
			Please no {v}, I get hives.`},
	{kind: Health, name: "therapy", values: "physiotherapy on Mondays\nphysiotherapy on Wednesdays\nacupuncture on Fridays\nyoga therapy on Tuesdays", ask: "Which treatment do I go to every week?\nWhat therapy do I have weekly and on what day?",
		tell: `
			I have {v} for my back.
			I go to {v}.
			My back gets {v}.
			They gave me {v}.`,
		change: `
			I have {v} now instead of {old}.
			They moved me to {v}.`,
		end: `
			I'm done with {old}.
			No more {old}, my back is fine.
			I quit {old}.`},
	{kind: Health, name: "glasses", values: "minus 2.5\nminus 3.25\nminus 1.75\nplus 1.5", ask: "What strength are my glasses?\nWhich prescription do my glasses have?",
		tell: `
			My glasses are {v}.
			I wear glasses, {v} on both sides.
			My prescription is {v}.`,
		change: `
			My eyes got worse, the glasses are {v} now.
			New glasses, {v} instead of {old}.`},

	// Food.
	{kind: Food, name: "favorite dish", values: "mushroom risotto\nlentil dal\nshakshuka\npumpkin gnocchi\nbibimbap\nleek quiche\nramen", ask: "What is my favorite dish?\nWhat do I like to eat most?",
		tell: `
			My favorite dish is {v}.
			I could eat {v} every day.
			Nothing beats {v}, it's my favorite meal.
			If I had to pick one meal for life: {v}.
			There's no food I love more than {v}.`,
		change: `
			My favorite dish is {v} now, I'm over {old}.
			I'm tired of {old}, these days {v} is my favorite.`},
	{kind: Food, name: "coffee", values: "a flat white\nan espresso macchiato\na cortado\nblack filter coffee\nan oat cappuccino", ask: "How do I take my coffee?\nWhat coffee do I order?",
		tell: `
			I always order {v}.
			My coffee is {v}.
			For me it's {v}, always.
			I start the day with {v}.
			Make mine {v}, that's how I like my coffee.`,
		change: `
			I've switched from {old} to {v}.
			I drink {v} now instead of {old}.`,
		end: `
			I've given up coffee, no {old} anymore.
			I don't drink {old} anymore.`},
	{kind: Food, name: "breakfast", values: "porridge with berries\nrye bread with cheese\nscrambled eggs\na green smoothie\nmuesli with yogurt", ask: "What do I have for breakfast?\nWhat do I usually eat in the morning?",
		tell: `
			I usually have {v} for breakfast.
			Breakfast at my place is {v}.
			Mornings mean {v} for me.
			I eat {v} every morning.`,
		change: `
			I changed my breakfast, it's {v} now.
			No more {old} in the morning, I have {v}.`},
	{kind: Food, name: "diet", values: "vegetarian\nvegan\npescatarian\ngluten-free\nlow-carb", ask: "What is my diet?\nDo I follow a special diet?",
		tell: `
			I'm {v}.
			I eat {v}.
			I've been {v} for three years.
			We cook {v} at home, I don't eat anything else.
			My diet is {v}.`,
		change: `
			I've gone {v}.
			I'm {v} now, {old} was too complicated.
			I'm not {old} anymore but {v}.`,
		end: `
			I'm not {old} anymore.
			I gave up being {old}.
			I eat everything again, so not {old} any longer.`},
	{kind: Food, name: "restaurant", values: "Trattoria Lumi\nthe Blue Samovar\nCasa Pepita\nthe Old Tannery\nSushi Kawa", ask: "What is my favorite restaurant?\nWhere do I like to eat out?",
		tell: `
			My favorite restaurant is {v}.
			When we eat out we go to {v}.
			We have a regular table at {v}.
			{v} is the best place to eat around here if you ask me.`,
		change: `
			{old} closed, so {v} is our regular place now.
			Our favorite restaurant is {v} these days.`},
	{kind: Food, name: "{e} dislike", entities: "pizza\nsalad\nsoup\nsandwich", values: "capers\nfennel\nblue cheese\nolives\ncoriander\nbeetroot", ask: "What should not be on my {e}?\nWhat do I hate on a {e}?",
		tell: `
			I can't stand {v} on a {e}.
			I hate {v} in my {e}.
			A {e} with {v} is ruined for me.
			I pick the {v} out of every {e}.
			Please leave out the {v} when it's a {e} for me.`},

	// Work.
	{kind: Work, name: "employer", values: "Northgate Robotics\nHalden Insurance\nBluefern\nOrbis Logistics\nKestrel Labs\nMaple & Stone", ask: "Who do I work for?\nWhat company am I employed at?",
		tell: `
			I work at {v}.
			I work for {v}.
			I'm employed at {v}.
			{v} pays my salary.
			My employer is {v}.
			I've been with {v} for four years.`,
		change: `
			I started a new job at {v}.
			I left {old} and joined {v}.
			I signed with {v}, my last day at {old} was Friday.
			I don't work at {old} anymore, I'm at {v}.
			First week at {v} is over. {old} feels far away.`},
	{kind: Work, name: "job title", values: "staff engineer\nproduct manager\ndata analyst\nteam lead\nsite reliability engineer\nprincipal consultant", ask: "What is my job title?\nWhat position do I hold?",
		tell: `
			I'm a {v}.
			My job title is {v}.
			I work as a {v}.
			Officially I am {v}.
			On my business card it says {v}.`,
		change: `
			I got promoted to {v}.
			I'm {v} now.
			As of this month I'm no longer {old} but {v}.
			They made me {v}.`},
	{kind: Work, name: "manager", values: "Ines\nGustavo\nPriya\nMalcolm\nAnnika\nThabo", ask: "Who is my manager?\nWho do I report to?",
		tell: `
			My manager is {v}.
			I report to {v}.
			My boss is called {v}.
			{v} is my boss.
			Reviews at work are done by {v}, my line manager.`,
		change: `
			My new manager is {v}.
			I report to {v} now, {old} left.
			After the reorg {v} is my boss.
			{v} replaced {old} as my manager.`},
	{kind: Work, name: "standup", values: "9:15\n10:30\n8:45\n11:00\n13:15", ask: "What time is my standup?\nWhen does my team meet for the daily?",
		tell: `
			Our standup is at {v}.
			The daily starts at {v}.
			We meet every day at {v} for the standup.
			I have standup at {v}, so no calls then.`,
		change: `
			The standup was moved from {old} to {v}.
			Standup is at {v} now.
			From Monday our daily is at {v}.`},
	{kind: Work, name: "office days", values: "Tuesdays and Thursdays\nMondays and Wednesdays\nonly on Fridays\nMondays through Wednesdays", ask: "On which days am I in the office?\nWhen do I go to the office?",
		tell: `
			I'm in the office on {v}.
			I go to the office {v}.
			My office days are {v}.
			They want me in the office {v}.`,
		change: `
			My office days changed to {v}.
			Now I have to be in the office {v} instead of {old}.`,
		end: `
			I'm fully remote now, no more office {old}.
			I don't go to the office {old} anymore.`},
	{kind: Work, name: "commute", values: "the tram\na cargo bike\nthe number 12 bus\na carpool\nthe ferry", ask: "How do I get to work?\nWhat do I commute with?",
		tell: `
			I take {v} to work.
			I commute by {v}.
			To get to work I use {v}.
			My commute is twenty minutes with {v}.`,
		change: `
			I take {v} to work now instead of {old}.
			No more {old}, I commute with {v}.`},
	{kind: Work, name: "working hours", values: "four days a week\n32 hours a week\nfull time\nhalf days", ask: "How much do I work?\nWhat are my working hours?",
		tell: `
			I work {v}.
			My contract says {v}.
			I'm working {v} at the moment.
			Since the kids came I work {v}.`,
		change: `
			I work {v} now.
			I changed my contract, it's {v} now instead of {old}.
			I went from {old} to {v}.`},

	// Tools.
	{kind: Tools, name: "editor", values: "Helix\nNeovim\nZed\nEmacs\nSublime Text\nVS Code", ask: "Which editor do I use?\nWhich editor do I write code in?",
		tell: `
			I use {v} as my editor.
			My editor is {v}.
			I write all my code in {v}.
			I'm a {v} user.
			I do everything in {v}, editing, notes, commits.`,
		change: `
			I switched from {old} to {v}.
			I ditched {old}, I'm on {v} now.
			I moved to {v}, {old} was too slow.
			I've been using {v} instead of {old} for a week and I'm staying.`},
	{kind: Tools, name: "shell", values: "fish\nzsh\nnushell\nbash\nelvish", ask: "Which shell do I use?\nWhat shell is on my machine?",
		tell: `
			My shell is {v}.
			I use {v} as my shell.
			I run {v}, so give me shell snippets that work there.
			My login shell is {v}.`,
		change: `
			I changed my shell to {v}.
			I use {v} now, no longer {old}.`},
	{kind: Tools, name: "browser", values: "Firefox\nVivaldi\nBrave\nSafari\nQutebrowser", ask: "Which browser do I use?\nWhat do I browse with?",
		tell: `
			I browse with {v}.
			My browser is {v}.
			I use {v} for everything on the web.
			{v} is my default browser.`,
		change: `
			I replaced {old} with {v} as my browser.
			My browser is {v} now.`},
	{kind: Tools, name: "notes app", values: "Obsidian\nLogseq\nJoplin\nBear\nZettlr\nOrg mode", ask: "Which app do I take notes with?\nWhere do I keep my notes?",
		tell: `
			I take notes in {v}.
			For notes I use {v}.
			All my notes are in {v}.
			I keep my notes in {v}.`,
		change: `
			I moved my notes from {old} to {v}.
			I take notes in {v} now.
			I gave up on {old}, everything is in {v}.`},
	{kind: Tools, name: "laptop", values: "a Framework 13\na ThinkPad X1\na MacBook Air\na Dell XPS\nan Asus Zenbook", ask: "What laptop do I have?\nWhich computer do I work on?",
		tell: `
			I have {v}.
			My laptop is {v}.
			I'm working on {v}.
			I bought {v} last year and I'm happy with it.`,
		change: `
			I replaced {old} with {v}.
			My new laptop is {v}.
			I got {v} from work, {old} went back.`},
	{kind: Tools, name: "phone", values: "a Fairphone 5\na Pixel 8\nan iPhone 14\na Nokia G42\na Galaxy S23", ask: "Which phone do I have?\nWhat's my phone?",
		tell: `
			My phone is {v}.
			I have {v} as my phone.
			I carry {v}.
			I use {v} for calls and photos.`,
		change: `
			I dropped {old} and got {v}.
			My phone is {v} now.`},
	{kind: Tools, name: "operating system", values: "Fedora\nDebian\nArch Linux\nmacOS\nNixOS\nWindows 11", ask: "What operating system do I run?\nWhich OS is on my computer?",
		tell: `
			I run {v}.
			I'm on {v}.
			My machine has {v} on it.
			My operating system is {v}.`,
		change: `
			I reinstalled everything, {v} instead of {old}.
			I migrated from {old} to {v}.
			I'm on {v} now.`},
	{kind: Tools, name: "backup", values: "restic\nBorg\nTime Machine\nDuplicati\nrsnapshot", ask: "What do I back up with?\nWhich backup program do I use?",
		tell: `
			I back up with {v}.
			My backups are made with {v}.
			I use {v} for backups.
			Every night {v} backs up my machine.`,
		change: `
			I back up with {v} now, {old} was a pain.
			Backups: I went from {old} to {v}.`},
	{kind: Tools, name: "keyboard", values: "a Kinesis Advantage\na Keychron K2\na Corne\nan ErgoDox\na Model M", ask: "What keyboard do I type on?\nWhich keyboard do I have?",
		tell: `
			I type on {v}.
			My keyboard is {v}.
			On my desk is {v}, best keyboard ever.
			I use {v} as a keyboard.`,
		change: `
			I sold {old} and type on {v}.
			My keyboard is {v} now.`},

	// Preferences.
	{kind: Preference, name: "travel", values: "night trains\nlong-distance buses\nthe ferry\nmy own car", ask: "How do I prefer to travel?\nWhat means of travel do I like best?",
		tell: `
			I prefer {v} when I travel.
			I'd rather take {v} than anything else.
			For long trips I like {v} best.
			Give me {v} any day.`},
	{kind: Preference, name: "seat", values: "the aisle seat\nthe window seat\nthe last row\nthe quiet coach", ask: "Which seat do I prefer?\nWhere do I like to sit on a train or plane?",
		tell: `
			I prefer {v}.
			I always book {v}.
			I like {v} best.
			Whenever I can choose I take {v}.`},
	{kind: Preference, name: "films", values: "slow westerns\nheist comedies\nnature documentaries\nsilent movies\nspy thrillers", ask: "What films do I like?\nWhich movie genre do I enjoy?",
		tell: `
			I love {v}.
			My kind of film is {v}.
			I'm a huge fan of {v}.
			I watch {v} all winter.`},
	{kind: Preference, name: "music for work", values: "baroque music\nbrown noise\nlo-fi beats\nfilm scores\ncomplete silence", ask: "What do I listen to while working?\nWhat helps me concentrate when I work?",
		tell: `
			I work best with {v}.
			I need {v} to concentrate.
			When I code I listen to {v}.
			I like {v} while working.`,
		change: `
			I work better with {v} now than with {old}.
			I've moved on from {old} to {v} for concentration.`},
	{kind: Preference, name: "best hours", values: "early in the morning\nlate at night\nright after lunch\nbefore sunrise", ask: "When do I work best?\nAt what time of day am I most productive?",
		tell: `
			I'm most productive {v}.
			I get my best work done {v}.
			My brain works {v}.
			I prefer to do hard things {v}.`},
	{kind: Preference, name: "holidays", values: "steep mountains\nempty beaches\nbig museums\nquiet canals", ask: "What kind of vacation do I like?\nWhat should a holiday have for me?",
		tell: `
			I'm happiest on holidays with {v}.
			Holidays for me means {v}.
			I like vacations with {v}.
			What I want from a holiday is {v}.`},
	{kind: Preference, name: "presents", values: "concert tickets\na cooking class\nsecondhand books\na day off", ask: "What present would I like?\nWhat gift makes me happy?",
		tell: `
			I'd rather get {v} than anything you can wrap.
			The best present for me is {v}.
			If anyone asks what I want, {v}.
			I love getting {v} as a gift.`},
	{kind: Preference, name: "favorite color", values: "teal\nmustard yellow\nburgundy\nforest green\nlavender", ask: "What is my favorite color?\nWhich color do I like best?",
		tell: `
			My favorite color is {v}.
			I like {v} more than any other color.
			{v} is my color.
			Paint it {v}, that's my favorite color.`},

	// Places.
	{kind: Place, name: "home city", values: cities, ask: "Where do I live?\nWhich city is my home in?",
		tell: `
			I live in {v}.
			I'm from {v}, well, I live there.
			We live in {v}.
			My home is in {v}.
			I'm based in {v}.
			Our flat is in {v}.`,
		change: `
			I moved to {v}.
			We moved from {old} to {v}.
			We live in {v} now.
			The boxes are unpacked, home is {v} and not {old}.
			I've left {old} for good and live in {v}.`},
	{kind: Place, name: "where {e} is", entities: "the passport\nthe spare key\nthe tax folder\nthe toolbox\nthe tent\nthe birth certificate\nthe camera\nthe sewing machine\nthe drill\nthe first-aid kit\nthe road atlas\nthe vaccination card",
		values: "in the blue drawer\nbehind the boiler\non top of the wardrobe\nunder the stairs\nin the hall cupboard\nin the attic chest\nat my parents' house\nin the bedside table\nin the garage\nin the cellar", ask: "Where is {e}?\nWhere do I keep {e}?",
		tell: `
			I keep {e} {v}.
			{e} is {v}.
			I put {e} {v}.
			If I ever look for {e}, it's {v}.
			Please remember that {e} is {v}.
			I've stored {e} {v}.
			Note to self, {e} lives {v}.
			You'll find {e} {v}.`,
		change: `
			I moved {e} from where it was, it's {v} now.
			{e} isn't {old} anymore but {v}.
			New spot for {e}: {v}.
			I put {e} {v} now, not {old}.`},
	{kind: Place, name: "gym", values: "Iron Loft\nthe Riverside gym\nBoulder Barn\nthe public pool\nFit Factory", ask: "Where do I work out?\nWhich gym do I go to?",
		tell: `
			I work out at {v}.
			I go to {v} three times a week for sports.
			My gym is {v}.
			I have a membership at {v}.`,
		change: `
			I changed gyms, {v} now.
			I left {old} and work out at {v}.`,
		end: `
			I cancelled my membership at {old}.
			I don't go to {old} anymore.
			I quit {old}, too expensive.`},
	{kind: Place, name: "garage", values: "Autohaus Behrens\nWagner's workshop\nthe garage on Mill Lane\nPitstop Nord", ask: "Which garage services my car?\nWhere do I take the car for repairs?",
		tell: `
			I take the car to {v}.
			{v} services our car.
			Our garage is {v}.
			The car is at {v}, as always for repairs.`,
		change: `
			I take the car to {v} now, {old} overcharged me.
			{v} does the car now.`},
	{kind: Place, name: "vet", values: "Dr. Sommer\nthe clinic on Park Street\nDr. Abadi\nthe Animal House", ask: "Which vet do we go to?\nWho is our vet?",
		tell: `
			Our vet is {v}.
			We take the cat to {v}, that's the vet.
			{v} is our vet.
			For the animals we go to {v}.`,
		change: `
			Our vet is {v} now.
			We changed from {old} to {v}, the vet I mean.`},

	// Dates.
	{kind: Date, name: "{e}'s birthday", entities: relatives, values: "March 3\nApril 17\nMay 29\nJune 11\nJuly 8\nAugust 21\nSeptember 14\nOctober 30\nNovember 5\nDecember 19\nJanuary 26\nFebruary 12", ask: "When is my {e}'s birthday?\nOn which date was my {e} born?",
		tell: `
			My {e}'s birthday is {v}.
			My {e} was born on {v}.
			My {e} has birthday on {v}.
			Don't let me forget my {e}'s birthday on {v}.
			{v} is my {e}'s birthday.
			We celebrate my {e} every {v}, birthday and all.
			My {e} turns another year older on {v}.
			On {v} it's my {e}'s big day, birthday cake included.`},
	{kind: Date, name: "{e}'s birthday", entities: friends, values: "March 9\nApril 2\nMay 15\nJune 27\nJuly 19\nAugust 6\nSeptember 23\nOctober 12\nNovember 28\nDecember 3", ask: "When is {e}'s birthday?\nOn what date does {e} have birthday?",
		tell: `
			{e}'s birthday is {v}.
			{e} was born on {v}.
			{e}'s birthday is on {v}, I need a gift.
			{v} is {e}'s birthday.
			{e} celebrates on {v}, birthday of course.
			Mark {v}, {e} has birthday.`},
	{kind: Date, name: "end of the lease", values: "the end of June\nthe end of September\nMarch 31 next year\nDecember 31", ask: "When does my lease end?\nUntil when is the apartment rented?",
		tell: `
			My lease ends at {v}.
			The lease runs until {v}.
			Our rental contract goes to {v}.
			We have the apartment until {v}.`,
		change: `
			The lease was extended to {v}.
			The landlord agreed on {v} for the end of the lease, not {old}.`},
	{kind: Date, name: "wedding anniversary", values: "May 4\nJune 22\nAugust 30\nOctober 8", ask: "When is our wedding anniversary?\nOn which day did we marry?",
		tell: `
			Our wedding anniversary is {v}.
			We got married on {v}.
			We've been married since {v} 2016.
			{v} is our anniversary.`},
	{kind: Date, name: "{e} day", entities: "choir\nswimming\npottery\nSpanish class\nband practice\nchess club", values: "Mondays\nTuesdays\nWednesdays\nThursdays\nSaturdays\nSundays", ask: "On which day is {e}?\nWhat weekday do I have {e}?",
		tell: `
			I have {e} on {v}.
			{e} is on {v}.
			On {v} I'm at {e}.
			{v} are for {e}, so no dinners then.
			My {e} takes place on {v}.`,
		change: `
			{e} moved from {old} to {v}.
			{e} is on {v} now.
			They changed {e} to {v}.`,
		end: `
			I quit {e}.
			I don't do {e} anymore.
			No more {e} for me.
			I stopped going to {e}.`},

	// Leisure.
	{kind: Leisure, name: "car", values: "a Skoda Octavia\na Volvo V60\na Renault Zoe\na Mazda 3\na Fiat Panda", ask: "What car do I drive?\nWhich car do I own?",
		tell: `
			I drive {v}.
			I have {v}.
			We own {v}.
			My car is {v}.
			I bought {v} last spring.`,
		change: `
			I sold {old} and bought {v}.
			I drive {v} now.
			Traded in {old} for {v}.`,
		end: `
			I sold {old}, we live without a car.
			I don't have {old} anymore.
			{old} is gone, we use the bus.`},
	{kind: Leisure, name: "instrument", values: "the cello\nthe clarinet\nthe accordion\nthe double bass\nthe banjo", ask: "Which instrument do I play?\nWhat instrument am I learning?",
		tell: `
			I play {v}.
			I'm learning {v}.
			I've been playing {v} since school.
			I practice {v} every evening.`,
		change: `
			I gave up {old} and play {v}.
			I play {v} now instead of {old}.`,
		end: `
			I don't play {old} anymore.
			I gave up {old}.
			I stopped playing {old}.`},
	{kind: Leisure, name: "sport", values: "bouldering\nrowing\nbadminton\nfencing\ntrail running\nwater polo", ask: "Which sport do I do?\nWhat sport am I into?",
		tell: `
			I do {v} in my free time.
			I'm into {v}.
			My sport is {v}.
			Twice a week it's {v} for me.
			I started {v} and I'm hooked.`,
		change: `
			I switched from {old} to {v}.
			I do {v} now, {old} hurt my knees.`,
		end: `
			I quit {old}.
			I stopped {old}, my knee hurts.
			I don't do {old} anymore.`},
	{kind: Leisure, name: "pet", values: "a tabby cat named Miso\na dachshund named Bolt\na canary named Figaro\na rabbit named Clover", ask: "What pet do I have?\nWhat is my pet called?",
		tell: `
			I have {v}.
			We got {v}.
			We have {v} at home.
			There's {v} on my keyboard right now, ours.`},
	{kind: Leisure, name: "book", values: "The Patient Gardener\nNumbers in the Dark\nA Map of Mornings\nSalt and Timber", ask: "What book am I reading?\nWhich book am I in the middle of?",
		tell: `
			I'm reading {v}.
			I'm in the middle of {v}.
			My current book is {v}.
			On my nightstand is {v}, I'm halfway through.`,
		change: `
			I finished {old}, now I'm reading {v}.
			I started {v}, {old} is done.
			I'm reading {v} now.`,
		end: `
			I finished {old}.
			Done with {old}, great ending.`},
	{kind: Leisure, name: "language", values: "Portuguese\nJapanese\nFinnish\nArabic\nWelsh", ask: "Which language am I learning?\nWhat language do I study?",
		tell: `
			I'm learning {v}.
			I study {v} every evening.
			I'm taking {v} lessons.
			I've started with {v}, the grammar is wild.`,
		change: `
			I dropped {old}, I'm learning {v} now.
			I've changed from {old} to {v}.`,
		end: `
			I gave up learning {old}.
			I stopped {old} lessons.
			I'm not learning {old} anymore.`},

	// Negations. Each is a slot of its own that does not change.
	{kind: Negation, name: "no {e}", negative: true, entities: "pork\nalcohol\nlicorice\nenergy drinks\nraisins\ntofu", values: "{e}", ask: "Do I eat or drink {e}?\nIs {e} fine for me?",
		tell: `
			I don't touch {v}.
			I never have {v}.
			I don't like {v} at all, so no.
			No {v} for me, ever.
			I do not consume any {v}.
			I stay away from {v}.
			I can't have {v}.
			{v} is not something I'd ever have.`},
	{kind: Negation, name: "does not own {e}", negative: true, entities: "television\nprinter\nmicrowave\ndishwasher\nsmartwatch\ncredit card\nbalcony\ngarden", values: "{e}", ask: "Do I have a {e}?\nDo I own a {e}?",
		tell: `
			I don't have a {v}.
			I don't own a {v}.
			We have no {v}.
			There's no {v} in my life.
			I never had a {v} and never will.
			I live without a {v}.
			I haven't got a {v}.
			Nope, no {v} here.`},
	{kind: Negation, name: "does not {e}", negative: true, entities: "gamble\nsmoke\nski\njuggle\ndance\ncamp", values: "{e}", ask: "Do I {e}?\nCan you plan something where I have to {e}?",
		tell: `
			I don't {v}.
			I never {v}.
			I can't {v}, never learned it.
			I do not {v}, please don't suggest it.
			I won't {v}, that's a principle.
			You won't see me {v}, not in this life.
			I'd never {v}.
			People always assume I {v}, I don't.`},
}
