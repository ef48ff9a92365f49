package ops_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// said appends a turn of the user and returns the decision on its last fact.
func said(t *testing.T, env *operation.Env, session, text string) upkeep.IngestedFact {
	t.Helper()
	data, err := json.Marshal(map[string]any{"session": session, "turns": []map[string]any{{"role": "user", "content": text}}})
	if err != nil {
		t.Fatal(err)
	}
	out, err := run(env, "append", string(data))
	if err != nil {
		t.Fatal(err)
	}
	facts := out.(ops.Appended).Facts
	if len(facts) == 0 {
		t.Errorf("%q leaves nothing behind", text)
		return upkeep.IngestedFact{}
	}
	return facts[len(facts)-1]
}

func TestANewerRuleTakesThePlaceOfTheOlder(t *testing.T) {
	for _, tt := range [][2]string{
		{"Always answer in Spanish.", "From now on answer in German."},
		{"Always answer in Spanish.", "From now on, please reply to me in French."},
		{"Keep your answers short.", "I want detailed answers."},
		{"I prefer long answers.", "From now on keep your answers brief."},
		{"Never push to main.", "You may push to main from now on."},
		{"Never push to main.", "Always push to main."},
		{"Please don't ever push to main.", "From now on you can push to main."},
		{"Always run the linter before committing.", "Never run the linter before committing."},
		{"Call me Max.", "Call me Maxine."},
		{"Call me Max.", "From now on call me Maxine."},
		{"Use tabs.", "From now on use spaces."},
		{"Use two spaces for indentation.", "Always use tabs."},
		{"No emojis please.", "From now on use emojis in your answers."},
		{"Use metric units.", "Always use imperial units."},
		{"Use British spelling.", "From now on use American spelling."},
		{"Always use npm instead of pnpm.", "From now on use pnpm instead of npm."},
		{"Antworte immer auf Deutsch.", "Ab jetzt antworte auf Englisch."},
		{"Always answer in English.", "Antworte ab jetzt auf Deutsch."},
		{"Pushe nie auf main.", "Ab jetzt darfst du auf main pushen."},
		{"Nenn mich Max.", "Nenn mich ab jetzt Maxi."},
		{"Responde siempre en español.", "A partir de ahora responde en inglés."},
		{"Nunca hagas push a main.", "A partir de ahora puedes hacer push a main."},
		{"Nunca uses tablas grandes.", "Usa siempre tablas grandes."},
		{"Ne pousse jamais sur main.", "À partir de maintenant, tu peux pousser sur main."},
		{"Réponds-moi toujours en français.", "Réponds désormais en anglais."},
		{"Non pushare mai su main.", "D'ora in poi puoi pushare su main."},
		{"Rispondi sempre in italiano.", "D'ora in poi rispondi in tedesco."},
		{"Nunca faça push para a main.", "A partir de agora você pode fazer push para a main."},
		{"Push nooit naar main.", "Vanaf nu mag je naar main pushen."},
		{"Nigdy nie pushuj do main.", "Zawsze pushuj do main."},
		{"Никогда не пушь в main.", "С этого момента можешь пушить в main."},
		{"Всегда отвечай по-русски.", "Отныне отвечай по-английски."},
		{"絶対にmainにプッシュしないでください。", "これからはmainにプッシュしてもいいです。"},
		{"永远不要推送到main。", "以后可以推送到main。"},
		{"कभी भी main पर push मत करो।", "अब से main पर push कर सकते हो।"},
		{"لا تدفع إلى main أبدا.", "دائما ادفع إلى main."},
	} {
		t.Run(tt[1], func(t *testing.T) {
			env := newEnv(t)
			first, second := said(t, env, "one", tt[0]), said(t, env, "two", tt[1])
			if first.Decision != strata.OpAdd || second.Decision != strata.OpSupersede || !strings.HasPrefix(second.Reason, "the newer rule on ") {
				t.Errorf("%q: %s; then %q: %s, %s", tt[0], first.Decision, tt[1], second.Decision, second.Reason)
			}
		})
	}
}

func TestRulesOnDifferentThingsStand(t *testing.T) {
	for _, tt := range [][2]string{
		{"Always answer in Spanish.", "Keep your answers short."},
		{"Always answer in Spanish.", "Always write commit messages in English."},
		{"Never push to main.", "Always push to develop."},
		{"Never push to main.", "Never force-push to main."},
		{"Keep your answers short.", "Keep commit messages short."},
		{"Call me Max.", "Don't call me Maxi."},
		{"No emojis please.", "No bullet points please."},
		{"Use tabs.", "Use single quotes."},
		{"Always use pnpm.", "Always use Go."},
		{"When I ask for code, give me Go.", "When I ask for SQL, give me Postgres."},
		{"Always run the tests before committing.", "Never run the tests after midnight."},
		{"Pushe nie auf main.", "Pushe immer auf develop."},
		{"Nenn mich Max.", "Halte deine Antworten kurz."},
		{"Nunca hagas push a main sin preguntarme.", "Nunca hagas commits grandes."},
		{"Ne pousse jamais sur main.", "N'utilise jamais d'emojis."},
		{"请用中文回答。", "以后不要用表情符号。"},
	} {
		t.Run(tt[1], func(t *testing.T) {
			env := newEnv(t)
			if first, second := said(t, env, "one", tt[0]), said(t, env, "two", tt[1]); first.Decision != strata.OpAdd || second.Decision != strata.OpAdd {
				t.Errorf("%q: %s; then %q: %s, %s", tt[0], first.Decision, tt[1], second.Decision, second.Reason)
			}
		})
	}
}
