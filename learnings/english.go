package learnings

// english has what phrases.go has not.
var english = language{
	name:    "English",
	cues:    []string{"not ", "stop", "should", "told you", "already", "instead", "again", "rephrase", "clarify", "it's", "it is", "don't", "rather"},
	leads:   []string{`(?:h+m+|oh|ah|er|well|so|hey|wait|sorry|please|(?:ok|okay|thanks|thank you|great|good),? but|but)\b`},
	no:      []string{`no`, `nope`, `nah`},
	states:  []string{`(?:please )?(?:run|deploy|write|put|take|pick|make|do|try|build|install|start) .{1,60} instead$`},
	accepts: []string{`nice|best|beautiful|lovely|cool|awesome|great|good|fine|love|perfect|thanks|ok|okay|all set|right`},
	direct: []string{
		`(?:as )?i (?:have |'ve )?(?:already |just )?(?:told you|said)(?: already| before| so| that| twice)+(?:$|[,:] ?)`, `(?:as )?i (?:have |'ve )?(?:already|just) (?:told you|said)(?:$|[,:] )`, `(?:as )?i(?: have|'ve)? told you(?: already| before)?[:,] `,
		`(?:please )?(?:try|do) (?:it |that )?(?:again|over),? (?:but |and )?(?:(?:with|using|without|in) .{1,60} this time$|this time .{1,60})`,
		`(?:let me|allow me to) (?:rephrase|restate|clarify|reword|correct myself)`, `to (?:rephrase|clarify)[:,] `,
		`you (?:should|must|have to|need to|ought to) (?:be )?us(?:e|ing) (?:[\w.-]+)(?: (?:here|for (?:this|that|it)|instead))?$`,
	},
	polite: []string{`no (?:problem|worries|need|rush)`, `not (?:bad|yet|sure|now|only|really|just|at all)`},
	instead: []string{
		`not (?:in |on |at |the |a |to |with )*([^,;]{1,30}?)[,;] (?:the |in |on |to |use )?[\w-]+(?: [\w-]+)?$`,
		`(?:please )?(?:use|take|put|run|write|deploy|pick|choose)(?: it| them)? [^,;]{1,40}?,? (?:instead of|rather than|in place of) ([^,;]{1,40})`,
		`(?:please )?(?:stop|quit|avoid) (?:using|doing|writing|running|adding|deploying(?: to| with)?|calling(?: it)?|putting) ([^,;]{1,40})`,
		`(?:please )?(?:don't|do not|never) (?:use|run|write|deploy to|deploy with) ([^,;]{1,40}), (?:use|it|we|that) `,
	},
	is: []string{`(?:it's|it is|that's|they're|she's|he's) `},
	corrects: []string{"No, use pnpm instead.", "No, run it with bun instead.", "Wrong, we deploy with Terraform.", "Not staging, production!", "Stop using npm, we only use pnpm here.", "You should use pnpm.", "That is incorrect. The cluster is in Dublin.", "I told you already: pnpm.", "I already told you, pnpm.", "Use pnpm instead of npm.", "Try again, with pnpm this time.",
		"Do it again, but this time using pnpm.", "Let me rephrase: I want the production cluster.", "Frankfurt? It's Dublin.", "Please stop deploying to staging, it's frozen.", "Don't use npm, we have pnpm."},
	harmless: []string{"No problem, go ahead.", "Actually that looks great!", "What is Helm?", "Thanks! Now write the tests.", "Actually, let's talk about something else.", "Actually I love this.", "The build is wrong on my machine too.", "I told you about my trip, remember that?", "You should see this movie.", "You should use the weekend to rest.",
		"Stop worrying so much.", "Try again tomorrow.", "Try again with a coffee.", "Frankfurt? Great city.", "Frankfurt? It's a nice city.", "I told you: you are the best!", "Frankfurt? I love it.", "Use the blue cup instead of the red one.", "Not now, maybe later."},
}
