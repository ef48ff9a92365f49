package secrets

import (
	"regexp"
	"strings"
	"sync"
)

// maxCommand bounds how much of a command line is read, in bytes.
const maxCommand = 256

// command is a program that takes a secret on its command line, in an option whose name
// does not say so. A rule for labels finds "--password x".
type command struct {
	names    []string
	needs    string   // required first word, as in "docker login"
	options  []string // options that take the secret
	place    place    // where the option has its argument
	withUser bool     // the argument includes a name: "user:secret", "user%secret"
	first    bool     // only the first option belongs to it: "sshpass -p x ssh -p 22"
	operand  bool     // the secret is the last word that is not an option: "cargo login x"

	examples, harmless []string // as in a rule
}

// place says where an option has its argument.
type place int

const (
	anyPlace place = iota // -p x, -px, --opt=x
	nextWord              // -p x; -px means something else
	sameWord              // -px; the word after "-p" means something else
)

// commands lists programs and their options, according to their manual pages.
var commands = []command{
	{names: []string{"curl", "http", "https"}, options: []string{"-u", "--user", "-U", "--proxy-user", "-a", "--auth"}, withUser: true,
		examples: []string{"curl -u nora:«hunter22» https://h/x", "curl -sS --user 'nora:«correct h0rse»' h", "curl --user=nora:«hunter22» h", "http -a nora:«hunter22» GET h/x", "curl -unora:«hunter22» h"},
		harmless: []string{"curl -u $USER:$PASS https://example.com", "curl -u nora https://h", "curl -u user:password https://h", "curl -u <user>:<secret> h", "curl http://localhost:8080/-u", "curl -u nora:$(pass show h) h"}},
	{names: []string{"sshpass"}, options: []string{"-p"}, first: true,
		examples: []string{"sshpass -p «Kx82mm» ssh root@h", "sudo sshpass -p'«Kx82mm»' scp a h:", `sshpass -p "«swordfish»" ssh h`},
		harmless: []string{"sshpass -f pw.txt ssh -p 2222 h", "sshpass -p $PW ssh h", "sshpass -e ssh -p 2222 h"}},
	{names: []string{"mysql", "mariadb"}, options: []string{"-p"}, place: sameWord,
		examples: []string{"mysql -u root -p«S3cretPw9» shop", "mysqldump -h db -p'«swordfish»' shop", "mariadb-admin -p«hunter22» ping"},
		harmless: []string{"mysql -u root -p shop", "mysql -p -u root", "mysql -P 3306 -h db"}},
	{names: []string{"docker", "podman", "nerdctl", "skopeo", "helm"}, needs: "login", options: []string{"-p"}, place: nextWord,
		examples: []string{"docker login -u nora -p «Kx82mmQp9Zt» registry.internal", "helm registry login -u nora -p «swordfish» r.internal"},
		harmless: []string{"docker run -p 8080:80 nginx", "docker login -u nora --password-stdin", "docker login; ssh -p 2222 h"}},
	{names: []string{"cargo", "snyk"}, needs: "login", operand: true, examples: []string{"cargo login «{mixed35}»", "cargo login --registry internal «{mixed35}»"}, harmless: []string{"cargo login", "cargo login --help", "cargo login asks for a token"}},
	{names: []string{"htpasswd"}, operand: true, examples: []string{"htpasswd -b .htpasswd nora «{mixed12}»"}, harmless: []string{"htpasswd -c .htpasswd nora"}},
	{names: []string{"net"}, needs: "use", operand: true, examples: []string{`net use Z: \\nas\share /user:nora «{mixed12}»`}, harmless: []string{`net use Z: \\nas\share`}},
	{names: []string{"net"}, needs: "user", operand: true, examples: []string{"net user nora «{mixed12}» /add"}, harmless: []string{"net user nora /delete"}},
	{names: []string{"redis-cli", "valkey-cli"}, options: []string{"-a", "--pass"}, place: nextWord,
		examples: []string{"redis-cli -h cache -a «hunter22» ping"}, harmless: []string{"redis-cli -h cache ping"}},
	{names: []string{"ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami"}, options: []string{"-w"},
		examples: []string{"ldapsearch -x -D cn=admin -w «hunter22» uid=nora"}, harmless: []string{"ldapsearch -x -W uid=nora"}},
	{names: []string{"mongo", "cypher-shell"}, options: []string{"-p"}, place: nextWord,
		examples: []string{"mongosh -u nora -p «hunter22» db.internal"}, harmless: []string{"mongosh -p --port 27017"}},
	{names: []string{"sqlcmd", "ipmitool", "unzip", "zip"}, options: []string{"-P"},
		examples: []string{"sqlcmd -S db -U sa -P «Kx82mmQp9!»", "unzip -P «hunter22» backup.zip", "ipmitool -H bmc -U admin -P «hunter22» power status"}, harmless: []string{"zip -r a.zip b"}},
	{names: []string{"7z", "unrar", "rar"}, options: []string{"-p", "-hp"}, place: sameWord,
		examples: []string{"7z x backup.7z -p«hunter22»"}, harmless: []string{"7z a -p out.7z in"}},
	{names: []string{"smbclient", "rpcclient", "lftp"}, options: []string{"-U", "-u"}, withUser: true,
		examples: []string{"smbclient //nas/share -U nora%«hunter22»", "lftp -u nora,«hunter22» ftp.internal"}, harmless: []string{"smbclient //nas/share -U nora"}},
	{names: []string{"openssl"}, options: []string{"-passin", "-passout", "-pass"}, withUser: true,
		examples: []string{"openssl rsa -in k.pem -passin pass:«hunter22»"}, harmless: []string{"openssl rsa -in k.pem -passin env:PW", "openssl rsa -passin file:pw"}},
	{names: []string{"xfreerdp", "wfreerdp"}, options: []string{"/p:"}, place: sameWord,
		examples: []string{"xfreerdp /v:h /u:nora /p:«hunter22»"}, harmless: []string{"xfreerdp /v:h /u:nora"}},
}

// rule returns the rule that finds the secrets of c.
func (c *command) rule() *rule {
	return &rule{name: "command-password", anchors: c.names, examples: c.examples, harmless: c.harmless,
		locate: func(s *scanner, at int) (int, int, bool) { return s.commandSecret(c, at) }}
}

// commandSecret locates the secret on the command line of c, whose name is at text[at:].
// It reads a command line only once, whatever programs the line names.
func (s *scanner) commandSecret(c *command, at int) (start, end int, ok bool) {
	if at < s.commandEnd[c] || at > 0 && (isWordByte(s.text[at-1]) || strings.IndexByte("./@", s.text[at-1]) >= 0 && !endsPath(s.text[:at])) {
		return 0, 0, false
	}
	line := s.text[:min(at+maxCommand, len(s.text))]
	pos := at
	for pos < len(line) && isWordByte(line[pos]) {
		pos++ // the rest of a name such as mysqldump
	}
	if pos == len(line) || line[pos] != ' ' {
		return 0, 0, false
	}
	found := c.needs == ""
	for {
		w := shellWord(line, pos)
		if w.isEnd(line) {
			break
		}
		pos = w.end
		if !found {
			found = line[w.start:w.end] == c.needs
			continue
		}
		if start, end, ok = c.argument(line, w); ok {
			return start, end, true
		}
		if arg := w.unquoted(line); c.operand && cannotBeWord(line[arg.start:arg.end]) && isCommandPassword(line[arg.start:arg.end]) {
			return arg.start, arg.end, true
		}
		if c.first {
			break
		}
	}
	if s.commandEnd == nil {
		s.commandEnd = map[*command]int{}
	}
	s.commandEnd[c] = pos
	return 0, 0, false
}

// endsPath reports whether text ends with a directory of programs.
func endsPath(text string) bool { return strings.HasSuffix(text, "bin/") }

// argument returns the secret in the argument of the option w, if it is one of c's.
func (c *command) argument(line string, w word) (start, end int, ok bool) {
	text := line[w.start:w.end]
	for _, o := range c.options {
		rest, isOption := strings.CutPrefix(text, o)
		var arg word
		switch {
		case !isOption:
			continue
		case rest == "" && c.place != sameWord:
			if arg = shellWord(line, w.end); arg.isEnd(line) {
				continue
			}
		case rest != "" && c.place != nextWord:
			arg = word{w.end - len(strings.TrimPrefix(rest, "=")), w.end}
		default:
			continue
		}
		arg = arg.unquoted(line)
		if c.withUser {
			i := strings.IndexAny(line[arg.start:arg.end], ":%,")
			if i < 0 || c.names[0] == "openssl" && line[arg.start:arg.start+i] != "pass" {
				continue
			}
			arg.start += i + 1
		}
		if v := line[arg.start:arg.end]; isCommandPassword(v) {
			return arg.start, arg.end, true
		}
	}
	return 0, 0, false
}

func isCommandPassword(v string) bool {
	return len(v) >= 4 && v[0] != '-' && !strings.HasPrefix(v, "//") && !isPlaceholder(v) && !isReference(v) && !isLabelWord(v)
}

// word is a part of a command line.
type word struct{ start, end int }

// shellWord returns the word at or after line[pos:] as a shell would split it, including
// quotes. At the end of the line the word is empty.
func shellWord(line string, pos int) word {
	for pos < len(line) && (line[pos] == ' ' || line[pos] == '\t' || strings.HasPrefix(line[pos:], "\\\n")) {
		pos++
		if line[pos-1] == '\\' {
			pos++
		}
	}
	w := word{pos, pos}
	for quote := byte(0); w.end < len(line); w.end++ {
		c := line[w.end]
		switch {
		case c == '\n' || c == '\r':
			return w
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == ' ' || c == '\t' || c == '`':
			return w
		}
	}
	return w
}

// isEnd reports whether a command ends at the word.
func (w word) isEnd(line string) bool {
	if w.start == w.end {
		return true
	}
	switch line[w.start] {
	case '|', ';', '&', '#':
		return true
	}
	return line[w.end-1] == ';'
}

// unquoted returns the word without surrounding quotes.
func (w word) unquoted(line string) word {
	if w.end-w.start >= 2 && (line[w.start] == '"' || line[w.start] == '\'') {
		w.start++
		if line[w.end-1] == line[w.start-1] {
			w.end--
		}
	}
	return w
}

// echoed matches a command line up to the program that reads a password from a pipe.
var echoed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?["']?(?:[\w.-]+:)?([^\s"'|:]{4,64})["']?[ \t]*\|[^|\n]*$`)
})

// piped locates the password that is piped into the program at text[at:].
func (s *scanner) piped(at int) (start, end int, ok bool) {
	from := max(0, at-2*maxLookBehind)
	m := echoed().FindStringSubmatchIndex(s.text[from:at])
	if m == nil {
		return 0, 0, false
	}
	start, end = from+m[2], from+m[3]
	return start, end, isCommandPassword(s.text[start:end])
}
