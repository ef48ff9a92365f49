package upkeep

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops/operation"
)

const familyQuestions = "questions"

// QuestionOperations are the operations that list the questions of dreams and answer
// them.
func QuestionOperations() []operation.Operation {
	return []operation.Operation{questionsList(), questionsAnswer()}
}

// Question asks the user about two facts that cannot both be true.
type Question struct {
	ID      string           `json:"id" doc:"id of the question"`
	Scope   string           `json:"scope" doc:"whose memory it is about"`
	Reason  string           `json:"reason" doc:"why time does not tell which of the facts holds"`
	Facts   []QuestionedFact `json:"facts" doc:"the two facts, the earlier recorded one first"`
	AskedAt time.Time        `json:"asked_at" doc:"when the dream asked"`
	Dream   string           `json:"dream" doc:"id of the dream that asked"`
}

// QuestionedFact is a fact of a question.
type QuestionedFact struct {
	ID         string    `json:"id" doc:"id of the fact"`
	Text       string    `json:"text" doc:"what it says"`
	RecordedAt time.Time `json:"recorded_at" doc:"when it was recorded"`
}

func questionOf(ctx context.Context, env *operation.Env, q strata.Question) (Question, error) {
	out := Question{ID: q.ID, Scope: q.Scope.Key(), Reason: q.Reason, AskedAt: q.AskedAt, Dream: q.Dream}
	for _, v := range q.Facts {
		versions, err := env.Engine.Fact(ctx, q.Scope.View(), v.ID)
		if err != nil {
			return out, err
		}
		for _, f := range versions {
			if f.Version() == v {
				out.Facts = append(out.Facts, QuestionedFact{ID: f.ID, Text: f.Text, RecordedAt: f.RecordedAt})
			}
		}
	}
	return out, nil
}

// QuestionsIn is the input of questions_list.
type QuestionsIn struct {
	Limit int `json:"limit,omitempty" short:"n" default:"20" range:"1-10000" doc:"most questions of each scope"`
}

// Questions lists the open questions.
type Questions struct {
	Questions []Question `json:"questions" doc:"newest first, scope by scope"`
}

// Rows returns the questions, for output line by line.
func (q Questions) Rows() []any { return operation.Rows(q.Questions) }

func questionsList() operation.Operation {
	return operation.Op[QuestionsIn, Questions]{
		Info: operation.Info{
			Name: "questions_list", Family: familyQuestions, Summary: "List what memory asks you", ReadOnly: true,
			Toolset: operation.AllTools,
			Advice:  "Lists pairs of facts that cannot both hold. Call it to ask the user which does.",
			Description: "Lists the open questions: two facts that cannot both hold, when time does not tell which one does. A question closes by itself when " +
				"one of its facts changes or goes.",
			Examples: []operation.Example{{Doc: "list them", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in QuestionsIn) (Questions, error) {
			out := Questions{Questions: []Question{}}
			list, err := env.Engine.Questions(ctx, env.View, in.Limit)
			if err != nil {
				return out, err
			}
			for _, q := range list {
				shown, err := questionOf(ctx, env, q)
				if err != nil {
					return out, err
				}
				out.Questions = append(out.Questions, shown)
			}
			return out, nil
		},
	}
}

// AnswerIn is the input of questions_answer.
type AnswerIn struct {
	ID   string `json:"id" opt:"arg,required" values:"question" doc:"id of the question"`
	Keep string `json:"keep" opt:"required" doc:"id of the fact that holds, or both"`
}

// Answered reports the outcome of an answer.
type Answered struct {
	ID       string `json:"id" doc:"id of the question"`
	Kept     string `json:"kept" doc:"id of the fact that holds, or both"`
	Retired  string `json:"retired,omitempty" doc:"id of the fact that is no longer believed; left out if both hold"`
	Decision string `json:"decision" doc:"id of the decision that records this; revert undoes it unless both hold"`
}

func questionsAnswer() operation.Operation {
	return operation.Op[AnswerIn, Answered]{
		Info: operation.Info{
			Name: "questions_answer", Family: familyQuestions, Summary: "Say which of two facts holds",
			Toolset: operation.AllTools,
			Advice:  "Settles a question of memory_questions_list. Call it when the user has said which fact holds.",
			Description: "Answers a question. The fact you keep takes the place of the other, which stays in the history; both keeps both, and memory does not" +
				" ask about them again.",
			Examples: []operation.Example{
				{Doc: "one of them holds", Input: `{"id": "question_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB", "keep": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AC"}`},
				{Doc: "both do", Input: `{"id": "question_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB", "keep": "both"}`},
			},
		},
		Handle: answerQuestion,
	}
}

func answerQuestion(ctx context.Context, env *operation.Env, in AnswerIn) (Answered, error) {
	if in.Keep != strata.AnswerBoth {
		whole, err := operation.WholeID(ctx, env, id.Fact, in.Keep)
		if err != nil {
			return Answered{}, err
		}
		in.Keep = whole
	}
	q, d, err := env.Engine.AnswerQuestion(ctx, env.View, in.ID, in.Keep, env.Origin)
	if err != nil {
		return Answered{}, err
	}
	out := Answered{ID: q.ID, Kept: q.Answer, Decision: d.ID}
	if d.Op.Changed() {
		out.Retired = d.FactID
	}
	return out, nil
}
