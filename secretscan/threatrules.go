package secretscan

import (
	"regexp"
	"sync"
)

// threatRule recognizes one way of commanding a reader.
type threatRule struct {
	name    string
	anchors []string // a match begins with one of them, in any ASCII case
	pattern string   // RE2, in any case
}

// maxThreat bounds a threatening phrase, in bytes.
const maxThreat = 280

// Parts of the patterns.
const (
	// words allows a few words in between, whatever the spacing.
	words2 = `(?:[\w'’]+,?\s+){0,2}?`
	words4 = `(?:[\w'’]+,?\s+){0,4}?`
	orders = `(?:instructions?|prompts?|rules|directions|directives?|guidelines|constraints|guardrails|programming)`
	// secretSource is where secrets lie or what holds them in a shell.
	secretSource = "(?:\\$\\{?\\w*(?:token|secret|passw|api_?key|credential|private_?key)\\w*|\\.env\\b|id_rsa|id_ed25519|" +
		"\\.ssh/|\\.aws/|\\.netrc|\\.pgpass|/etc/(?:passwd|shadow)|[$(`](?:env|printenv|cat)\\b)"
)

// threatRules list what is annotated. A phrase is a threat when it addresses the
// reader's own instructions; "you are now on the platform team" and "ignore the
// previous error" do not.
var threatRules = []threatRule{
	{"prompt-injection", []string{"ignore", "disregard", "forget", "override", "bypass", "neglect", "do not follow", "don't follow", "stop following"},
		`(?:ignore|disregard|forget|override|bypass|neglect|(?:do not|don't|stop) follow(?:ing)?)\s+` +
			`(?:` + words4 + `(?:previous|prior|above|earlier|preceding|foregoing|initial|original|system|developer|your)\s+` + words2 + orders +
			`|(?:all|any|every|the)\s+(?:of\s+)?(?:the\s+)?(?:instructions|prompts)\b` +
			`|(?:everything|anything|all)\s+(?:that\s+)?(?:above|before this|previous|you were told|you have been told|you've been told|i said before))`},
	{"prompt-injection", []string{"reveal", "print", "repeat", "output", "leak", "disclose"},
		`\w+\s+(?:me\s+)?(?:your|the)\s+` + words2 + `(?:system\s+prompt|(?:hidden|initial|secret|original)\s+instructions)`},
	{"prompt-injection", []string{"new system prompt", "real system prompt", "actual system prompt", "system prompt override"}, `[\w ]+prompt(?: override)?`},
	{"prompt-injection", []string{"ignora", "olvida", "ignore", "esqueça", "dimentica"}, // Spanish, Portuguese, Italian
		`\pL+\s+(?:\S+\s+){0,4}?(?:instrucciones|reglas|indicaciones|instruções|regras|istruzioni|regole)\s+(?:\S+\s+){0,2}?(?:anterior|previ|precedent)\pL*`},
	{"prompt-injection", []string{"ignore", "oublie", "ne tiens pas compte", "ne tenez pas compte"}, // French
		`\pL+\s+(?:\S+\s+){0,5}?(?:instructions|consignes|règles|directives)\s+(?:\S+\s+){0,2}?(?:précédentes|antérieures|ci-dessus)`},
	{"prompt-injection", []string{"ignorier", "vergiss", "missachte"}, // German
		`\pL+\s+(?:\S+\s+){0,3}?(?:vorherigen|bisherigen|obigen|vorigen|früheren|vorangegangenen)\s+(?:\S+\s+){0,2}?(?:anweisungen|instruktionen|regeln|befehle|vorgaben)`},
	{"prompt-injection", []string{"игнорируй", "Игнорируй", "забудь", "Забудь"}, // Russian
		`\pL+\s+(?:\S+\s+){0,3}?(?:предыдущие|прежние|прошлые)\s+(?:\S+\s+){0,2}?(?:инструкции|указания|правила)`},
	{"prompt-injection", []string{"忽略", "无视", "無視", "忘记", "忘掉", "忘記"}, // Chinese
		`\pL\pL.{0,8}?(?:之前|以上|先前|前面|此前|所有).{0,6}?(?:指令|指示|提示|规则|規則|说明|說明)`},
	{"prompt-injection", []string{"これまで", "以前の", "上記の", "前の", "すべての", "全ての"}, // Japanese
		`(?:これまで|以前|上記|前|すべて|全て)の.{0,10}?(?:指示|命令|ルール|プロンプト).{0,6}?(?:無視|忘れ)`},
	{"prompt-injection", []string{"이전", "위의", "앞의", "모든"}, // Korean
		`\pL\pL.{0,12}?(?:지시|명령|지침|규칙).{0,6}?(?:무시|잊)`},
	{"role-override", []string{"you are now", "you're now", "from now on you are", "from now on, you are"},
		`(?:from now on,? )?you(?:'re| are)(?: now)?\s+(?:in\s+)?(?:dan\b|(?:(?:an?|my)\s+)?` + words2 +
			`(?:unrestricted|unfiltered|uncensored|jailbroken|unaligned|amoral|rogue)\b|free (?:of|from) (?:\w+\s+){0,3}(?:rules|restrictions|guidelines|limits)|(?:god|dan|jailbreak) mode)`},
	{"role-override", []string{"you are no longer"}, `you are no longer\s+(?:bound|restricted|limited|constrained|subject to|an ai\b|a language model)`},
	{"role-override", []string{"act as", "behave as", "respond as", "answer as", "pretend"},
		`(?:(?:act|behave|respond|answer)\s+as\s+(?:if|though)|pretend)\s+(?:that\s+)?(?:you\s+(?:have|had)\s+no|you\s+are\s+not\s+bound\s+by|there\s+(?:are|were)\s+no)\s+` + words2 + `(?:restrictions?|limits?|limitations?|rules|guidelines|filters?|ethics)`},
	{"role-override", []string{"enable", "enter", "activate", "switch to"}, `\w+\s+(?:to\s+)?(?:dan|jailbreak|god)\s+mode`},
	{"concealment", []string{"do not", "don't", "never"},
		`(?:do not|don't|never)\s+(?:tell|inform|alert|notify|warn|show|mention\s+(?:this|it)\s+to|reveal\s+(?:this|it)\s+to)\s+(?:the\s+|your\s+)?(?:users?|humans?|operators?)\b`},
	{"concealment", []string{"without"}, `without\s+(?:telling|informing|notifying|alerting|warning)\s+(?:the\s+|your\s+)?(?:users?|humans?|operators?)\b`},
	{"chat-markup", []string{"<|"}, `<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text)\|>`},
	{"chat-markup", []string{"[INST", "[/INST", "<<SYS", "<</SYS"}, `(?:\[/?INST\]|<</?SYS>>)`},
	{"chat-markup", []string{"<system", "</system"}, `</?system[-_ ](?:reminder|prompt|message|instructions?)>`},
	{"chat-markup", []string{"###"}, `#{3,}\s*(?:system|new)\s+(?:prompt|message|instructions?)\s*:`},
	{"exfiltration", []string{"curl", "wget"},
		`(?:curl|wget)\b[^\n]{0,120}?(?:\s(?:(?-i:-d|-F|-T)|--data[\w-]*|--form|--upload-file|--post-(?:data|file))[=\s]*[^\n]{0,60}?` +
			`|https?://[^\s"']{0,100}?[?/=][^\s"']{0,60}?)` + secretSource},
	{"exfiltration", []string{"cat "}, `cat\s+[^\n|]{0,60}` + secretSource + `[^\n|]{0,40}\|\s*(?:curl|wget|nc|ncat|ssh|base64)\b`},
	{"exfiltration", []string{"env ", "printenv"}, `(?:env|printenv)\s*\|\s*(?:curl|wget|nc|ncat)\b`},
	{"exfiltration", []string{"send", "forward", "post", "upload", "email", "e-mail", "exfiltrate", "transmit", "leak"},
		`\S+\s+(?:\S+\s+){0,6}?(?:passwords?|secrets?|credentials?|api\s+keys?|tokens?|private\s+keys?|environment\s+variables|conversations?|chat\s+history|memory|memories)\s+(?:\S+\s+){0,3}?to\s+(?:https?://\S+|[\w.+-]+@[\w-]+\.\w+|(?:the\s+)?attacker)`},
	{"exfiltration", []string{"!["}, `!\[[^\]\n]{0,60}\]\(https?://[^)\s]{0,100}\?[^)\s]{0,60}?(?:=[{<$]|=%7b|\b(?:data|prompt|conversation|history|leak|exfil)=)`},
	{"remote-code", []string{"nc ", "ncat ", "netcat "}, `(?:nc|ncat|netcat)\s+(?:[\w.-]+\s+){0,4}?-\w*e\s+(?:/bin/|/usr/bin/|cmd|powershell|sh\b|bash\b)`},
	{"remote-code", []string{"/dev/tcp/"}, `/dev/tcp/[\w.$-]+/\d*`},
	{"remote-code", []string{"base64"}, `base64\s+(?:-d|-D|--decode)\b[^\n|]{0,60}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b`},
}

// threatIndex is the compiled table of threat rules. It is built once and only
// read.
var threatIndex = sync.OnceValue(func() *index {
	ix := newIndex()
	for _, r := range threatRules {
		re := regexp.MustCompile(`^(?i:` + r.pattern + `)`)
		hit := func(s *scanner, at int) { s.threat(r.name, re, at) }
		for _, a := range r.anchors {
			ix.add(a, true, hit)
		}
	}
	return ix
})

// threat adds the phrase that begins at text[at:], if re matches it.
func (s *scanner) threat(name string, re *regexp.Regexp, at int) {
	if at > 0 && isAlnum(s.text[at]) && isAlnum(s.text[at-1]) {
		return // inside a word: "concat ", "func "
	}
	if m := re.FindStringIndex(s.text[at:min(at+maxThreat, len(s.text))]); m != nil {
		s.threats = append(s.threats, Threat{Rule: name, Start: at, End: at + m[1]})
	}
}
