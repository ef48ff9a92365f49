package verbframe

// The tools that have slots of their own, by what they are.
const (
	Editors  = `neovim|nvim|vim|emacs|vs ?code|vscode|visual studio(?: code)?|zed|helix|sublime(?: text)?|goland|intellij(?: idea)?|pycharm|webstorm|rider|xcode|nano|kakoune|cursor|jetbrains`
	Shells   = `bash|zsh|fish|nushell|powershell|elvish`
	Systems  = `linux|ubuntu|debian|fedora|arch(?: linux)?|nixos|macos|windows(?: 1[01])?|mint|pop!?_?os|freebsd|openbsd|opensuse|manjaro`
	Browsers = `firefox|chrome|chromium|safari|brave|edge|vivaldi|arc|librewolf`
)

// Occupations are what somebody works as, without what narrows them: "train driver".
const Occupations = `team lead|tech lead|project lead|engineer|developer|programmer|designer|architect|analyst|scientist|researcher|manager|consultant|teacher|lecturer|professor|tutor|nurse|doctor|surgeon|dentist|vet|veterinarian|pharmacist|paramedic|midwife|therapist|psychologist|physiotherapist|lawyer|solicitor|accountant|bookkeeper|auditor|journalist|writer|author|editor|translator|interpreter|librarian|musician|pianist|violinist|guitarist|singer|dj|actor|actress|artist|painter|illustrator|photographer|filmmaker|chef|cook|baker|barista|waiter|waitress|bartender|farmer|gardener|florist|carpenter|electrician|plumber|mechanic|builder|welder|driver|pilot|firefighter|police officer|soldier|student|undergraduate|phd candidate|postdoc|intern|apprentice|freelancer|contractor|founder|co-founder|ceo|cto|product owner|product manager|scrum master|sre|devops|sysadmin|administrator|tester|technician|biologist|chemist|physicist|mathematician|statistician|economist|geologist|astronomer|historian|archaeologist|social worker|secretary|receptionist|salesperson|estate agent|civil servant|hairdresser|tailor|potter|beekeeper|coach|trainer|instructor|advisor|adviser|volunteer|officer|optician|radiographer|cardiologist|paediatrician|pediatrician`

const languages = `go|golang|rust|python|java|kotlin|typescript|javascript|ruby|scala|elixir|ocaml|haskell|erlang|php|perl|swift|c|c\+\+|c#|f#|clojure|zig|lua|dart|julia|elm|nim`

const (
	tools = Editors + `|` + Shells + `|` + Systems + `|` + Browsers
	// persons are roles of whom somebody has one.
	persons = `manager|boss|line manager|supervisor|landlord|landlady|vet|dentist|optician|gp|doctor|family doctor|physician|therapist|physio|accountant|lawyer|hairdresser|barber|mechanic`
	// things are what somebody has one of for a purpose.
	things = `editor|text editor|code editor|shell|login shell|browser|terminal|operating system|os|keyboard|laptop|phone|search engine|email client|mail client|password manager|notes app|bank|gym|garage|pharmacy|insurer`
	// attributes are what a part of a project has one of.
	attributes = `port|url|branch|owner|maintainer|deadline|release date|region|database|language|limit|rate limit|timeout|host|domain|channel|budget|schedule|retention|threshold|interval|format|encoding|lead|reviewer`
)

// words are the names in braces of frames.
var words = []string{
	"{v}", `(?P<v>[^,;:]{1,50}?)`,
	"{old}", `[^,;:]{1,40}?`,
	"{me}", `(?:i|we)(?:'ve| have|'m| am|'re| are)?(?: (?:now|still|usually|always|just|only|mainly))*`,
	"{my}", `(?:my|our|their)(?: (?:new|current|default|main|primary|usual|regular|daily|own))*`,
	"{role}", `(?P<role>` + persons + `|` + things + `)`,
	"{person}", `(?P<role>` + persons + `)`,
	"{who}", `(?:(?:my|our) (?P<kin>(?:[\pL-]+ ){1,2}?))?(?P<who>(?-i:\p{Lu}[\pL'-]*\pL(?: \p{Lu}[\pL-]+)?))(?:, an? [^,]{2,30},)?`,
	"{thing}", `(?:the|our) (?P<thing>[\pL\d-]+(?: [\pL\d-]+){0,3}?)`,
	"{attr}", `(?P<attr>` + attributes + `)`,
	"{is}", `(?:is|are|'s|has been)(?: now| still| called| named)*`,
	"{days}", `(?P<v>(?:every (?:second |other )?)?(?:mon|tues|wednes|thurs|fri|satur|sun)days?)`,
	"{changed}", `(?:changed|moved|raised|lowered|increased|reduced|extended|shortened|cut|bumped|set|switched)`,
}

// frames are tried in order.
var frames = []frame{
	// Where somebody lives.
	named(User, "city", `(?:my|our) (?:home|house|flat|apartment|place) is in {v}`),
	named(User, "city", `home (?:for (?:me|us) )?is {v}`),
	named("", "city", `{who}'s (?:home|house|flat|apartment|place) is in {v}`),
	named("", "city", `{who} (?:is |has been |has |now |still )*(?:lives|living|resides|based|settled)(?: down)? in {v}`),
	named("", "city", `{who} (?:now |still )*lives in an? (?:[\pL-]+ )?(?:house|flat|apartment|cottage|place) in {v}`),
	named("", "city", `{who} is (?:over|down|up|out) in {v}`),
	named("", "city", `{who} (?:has |just |recently )*(?:moved|relocated)(?: back| over| away)?(?: from {old})? to {v}`),
	// For whom and as what somebody works.
	named(User, "employer", `{v} (?:pays my (?:salary|wages)|employs me|is my employer)`),
	named("", "employer", `{who} (?:now |still )*works (?:at|for) {v}`),
	named(User+"'s manager", "name", `{me} (?:report|answer) (?:directly )?to {v}`),
	f(User, "working hours", `{me} (?:work|working) (?P<v>(?:\d+|one|two|three|four|five|six) (?:days|hours) (?:a|per) week|full[- ]time|part[- ]time|half days)`),
	f(User, "commute", `{me} (?:commute|go to work|get to work|travel to work) (?:by|with|on|in|via) {v}`),
	f(User, "commute", `{me} take {v} to work`),
	f(User, "commute", `to get to work,? {me} (?:use|take) {v}`),
	f("", "job", `{who} (?:now |still )*(?:works as|got (?:a|the) (?:new )?job as|got hired as) an? {v}`),
	f("", "job", `{who} is an? {v} by (?:trade|profession)`),
	f("", "job", `{who} (?:is|became|has become) (?:now )?an? (?P<v>(?:[\pL-]+ ){0,2}?(?:`+Occupations+`))`),
	f("", "job", `{who} (?:gave up|quit|stopped) (?:being|working as) an? {old} and (?:became|is now) an? (?P<v>(?:[\pL-]+ ){0,2}?(?:`+Occupations+`))`),
	// What somebody has for a purpose, and whom.
	named("", "", `{v} {is} {my} {role}`),
	named("", "", `{my} {role} {is} {v}`),
	named("", "", `{me} (?:use|have) {v} as (?:my|our|their|an?)(?: default| main| primary)? {role}`),
	named("", "", `{me} (?:changed|switched) (?:my|our|their) {role}(?: from {old})? to {v}`),
	named("", "", `{me} (?:replaced|swapped) {old} (?:with|for|by) {v} as (?:my|our|their) {role}`),
	named("", "", `{v} (?:replaced|succeeded|followed|took over from) {old} as (?:my|our) {person}`),
	named(User, "editor", `{me} (?:write|edit) (?:all |most of )?(?:my |our |their )?code (?:in|with) (?P<v>`+Editors+`)`),
	named(User, "editor", `i(?:'m| am) an? (?P<v>`+Editors+`) user`),
	named(User, "editor", `i(?:'m| am) (?:now )?on (?P<v>`+Editors+`)`),
	named(User, "browser", `{me} (?:browse|surf)(?: the web)? (?:with|in) {v}`),
	f(User, "keyboard", `{me} type on {v}`),
	f(User, "notes app", `{me} (?:take|keep|write|make) (?:all )?(?:my |our |their )?notes (?:in|with) {v}`),
	named(User, "notes app", `(?:all )?my notes (?:are|live) in {v}`),
	named(User, "notes app", `{me} use {v} for (?:my |their )?notes`),
	named(User, "notes app", `{me} moved (?:all )?(?:my|their) notes (?:from {old} )?to {v}`),
	f(User, "backup program", `{me} back (?:everything |(?:my|their) \pL+ )?up (?:with|using) {v}`),
	f(User, "backup program", `my backups are made (?:with|by) {v}`),
	f(User, "backup program", `{me} use {v} for (?:my |their )?backups`),
	f(User, "diet", `{me} (?:eat|cook) (?P<v>vegetarian|vegan|pescatarian|flexitarian)(?: at home)?`),
	named(User, "gym", `{me} (?:work out|train) at {v}`),
	// What a part of a project has.
	named("", "owner", `{v} is (?:now )?the (?:owner|maintainer) of {thing}`),
	named("", "language", `{thing} (?:is|has been) (?:now )?(?:re)?(?:written|implemented) in {v}`),
	named("", "language", `we (?:re)?(?:write|wrote|implement|implemented) {thing} in {v}`),
	named("", "language", `we (?:agreed|decided) to (?:write|build|implement) {thing} in {v}`),
	named("", "language", `{thing} is (?:now )?an? {v} (?:program|app|application|service|code ?base)`),
	f("", "language", `{thing} is (?:now )?(?P<v>`+languages+`)`),
	named("", "database", `{thing} uses {v} as (?:its|the) database`),
	named("", "database", `{thing} (?:stores|keeps) its data in {v}`),
	named("", "database", `(?:the )?data of {thing} (?:lives|is kept|is stored) in {v}`),
	f("", "timeout", `{thing} times out after {v}`),
	f("", "timeout", `(?:requests|calls) to {thing} (?:are cut off|time out|end) after {v}`),
	f("", "port", `port (?P<v>\d+) is {thing}`),
	f("", "port", `(?:you |we |clients )?reach {thing} on port (?P<v>\d+)`),
	f("", "port", `(?:we gave {thing} port|{thing} (?:moved|changed) (?:from port {old} )?to(?: port)?) (?P<v>\d{2,5})`),
	f("", "port", `{thing} (?:runs|listens|is|sits)(?: now)? on port (?P<v>\d{2,5})`),
	f("deploy", "day", `{thing}'s release (?:was|has been|is)(?: now)? (?:moved to|on) (?:every )?{days}`),
	f("deploy", "day", `we release {thing} (?:on |every )?{days}`),
	f("deploy", "day", `{thing} ships (?:on |every )?{days}`),
	f("deploy", "day", `releases of {thing} (?:go out|are|happen) (?:on |every )?{days}`),
	f("deploy", "day", `{days} (?:is|are) (?:the )?release days? of {thing}`),
	named("", "", `{v} is the {attr} of {thing}`),
	named("", "", `the {attr} of {thing} {is}(?: set to)? {v}`),
	named("", "", `{thing}'s {attr} {is}(?: set to)? {v}`),
	named("", "", `we {changed} the {attr} of {thing}(?: from {old})? to {v}`),
}
