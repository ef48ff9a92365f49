package extract

import "testing"

// Rules on the same thing fill the same slot, whatever they say of it; others do not.
func TestSlotsOfRules(t *testing.T) {
	for slot, rules := range map[string][]string{
		"answers/language":                         {"Always answer in Spanish", "From now on answer in German", "Please reply to me only in French", "Stop answering in Spanish", "Speak English"},
		"answers/length":                           {"Keep answers short", "I want detailed answers", "The user prefers short answers", "Your answers are too long", "Be concise", "Answer in at most three sentences", "Keep it brief"},
		"answers/address":                          {"Call me Max", "From now on call me Maxine", "I want to be called Bo", "Address me as Dr. Lee"},
		"standing rule/call me maxi":               {"Don't call me Maxi"},
		"answers/emoji":                            {"No emojis", "Use emojis in your answers", "Please never use emojis", "Don't use emojis"},
		"answers/bullet points":                    {"No bullet points please", "Use bullets"},
		"answers/units":                            {"Use metric units", "Use the imperial system"},
		"answers/spelling":                         {"Use British spelling", "Write in American English"},
		"answers/clock":                            {"Use the 24-hour clock", "Use 12-hour time"},
		"answers/tone":                             {"Be formal", "Write in a casual tone"},
		"code/indentation":                         {"use tabs", "From now on use spaces", "Use two spaces for indentation", "Use tabs instead of spaces", "Use spaces, not tabs"},
		"code/quotes":                              {"Use single quotes", "Always use double quotes for strings"},
		"standing rule/push to main":               {"Never push to main", "You may push to main from now on", "Always push to main", "Don't push to the main", "From now on you can push to main", "Stop pushing to main"},
		"standing rule/use npm or pnpm":            {"Use pnpm instead of npm", "Always use npm rather than pnpm"},
		"standing rule/use npm":                    {"Never use npm"},
		"standing rule/keep commit messages short": {"Keep commit messages short"},
		"/": {"Always do what the manual says about the third of the valves in the cellar of the old house on the hill"},
	} {
		for _, rule := range rules {
			if entity, attribute := ruleSlot(rule); entity+"/"+attribute != slot {
				t.Errorf("%q fills %s/%s, want %s", rule, entity, attribute, slot)
			}
		}
	}
}
