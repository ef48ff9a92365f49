package learnings

import (
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata/internal/text"
)

var noon = time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC)

// plain is what the assistant said where it does not matter.
const plain = "I set up the billing service with MySQL on the staging server and put the report into the shared folder for Thursday."

func TestDetectFindsCorrections(t *testing.T) {
	tests := []struct{ previous, user string }{
		// English: meant something else.
		{plain, "No, I meant the production server."},
		{plain, "No I meant the other folder"},
		{plain, "I meant the private folder, sorry."},
		{plain, "Sorry, I meant Friday."},
		{plain, "What I meant was the quarterly report."},
		{plain, "Hmm, I was talking about the invoice service"},
		{plain, "No, I was referring to the nightly job."},
		{plain, "no, i mean the second one"},
		{plain, "I asked for a table, not a list."},
		{plain, "I said Friday, not Thursday."},
		{plain, "I didn't ask you to move the report."},
		{plain, "I never said we use MySQL."},
		{"Do you want the short version?", "No, I meant the version number."},
		// English: wrong.
		{plain, "That's wrong, the report is due on Friday."},
		{plain, "That is not correct. We use PostgreSQL."},
		{plain, "that's not right, the server is in Malmö"},
		{plain, "This is wrong: the port is 5433."},
		{plain, "Wrong. It has to be the production server."},
		{plain, "Wrong branch, use main."},
		{plain, "Incorrect, the report goes to Nora."},
		{plain, "Not quite: the folder is private."},
		{plain, "The date is wrong, it has to be the 14th."},
		{plain, "Your answer is wrong."},
		{plain, "You're wrong about the database."},
		{plain, "You got the name wrong, it's Lindqvist."},
		{plain, "You misunderstood me, I only want a draft."},
		{plain, "You mixed up the two servers."},
		{plain, "You are confusing staging with production."},
		{plain, "That's not what I asked for."},
		{plain, "That's not my name."},
		{plain, "That's not how we deploy here."},
		{plain, "Thanks, but that's wrong: we close at six."},
		{plain, "Ok, but that's not true, the team has seven people."},
		{plain, "Correction: the meeting is in room 4."},
		{plain, "It should have been Friday."},
		{plain, "It should say PostgreSQL, not MySQL."},
		// English: this, not that.
		{plain, "Actually it's PostgreSQL, not MySQL."},
		{plain, "Actually, it's Friday."},
		{plain, "Actually, my sister's name is Ingrid."},
		{plain, "Actually we use PostgreSQL for billing"},
		{plain, "actually no, it's the other server"},
		{plain, "It's PostgreSQL, not MySQL."},
		{plain, "On Friday, not on Thursday."},
		{plain, "Not MySQL but PostgreSQL."},
		{plain, "It's not the shared folder but the private one."},
		{plain, "not thursday, but friday please"},
		{plain, "It isn't MySQL, it's PostgreSQL."},
		// English: no, and what is right.
		{plain, "No, it's Friday."},
		{plain, "No. It's on the production server."},
		{plain, "no, we use PostgreSQL for that"},
		{plain, "Nope, the folder is called drafts."},
		{plain, "No, use the private folder."},
		{plain, "No, don't put it there."},
		{plain, "No, my cat is called Whiskerino."},
		{plain, "Wait, no, it's the 14th."},
		{plain, "No, she lives in Lund."},
		{plain, "No, not the staging server but the production one."},
		{plain, "No, not port 8080: the port is 9317."},
		{"Understood.", "No, not port 8080: the port is 9317."},
		{plain, "No, not on Thursday, it's on Friday."},
		{plain, "No, not npm; use pnpm there."},
		{"Understood.", "No! Use port 9317 instead."},
		// Spanish.
		{plain, "No, es el viernes."},
		{plain, "No, quise decir el servidor de producción."},
		{plain, "Quería decir la otra carpeta."},
		{plain, "Perdona, me refería al informe trimestral."},
		{plain, "Te equivocas, usamos PostgreSQL."},
		{plain, "Te has equivocado de servidor."},
		{plain, "Estás equivocado, el plazo es el viernes."},
		{plain, "Te has equivocado: es el 14."},
		{plain, "En realidad es el viernes."},
		{plain, "En realidad, mi hermana se llama Ingrid."},
		{plain, "En realidad no es MySQL, es PostgreSQL."},
		{plain, "No es MySQL, es PostgreSQL."},
		{plain, "No es MySQL sino PostgreSQL."},
		{plain, "No vivo en Madrid, vivo en Sevilla."},
		{plain, "Eso no es correcto, somos siete."},
		{plain, "Eso no es lo que te pedí."},
		{plain, "Eso está mal, la carpeta es privada."},
		{plain, "Es incorrecto, el puerto es 5433."},
		{plain, "Me has entendido mal, solo quiero un borrador."},
		{plain, "Lo has entendido mal."},
		{plain, "Yo no dije eso."},
		{plain, "No te pedí que movieras el informe."},
		{plain, "No, mi gato se llama Bigotes."},
		{plain, "No, usamos PostgreSQL para eso."},
		{plain, "No, no es el jueves, es el viernes."},
		{plain, "Gracias, pero está mal: cerramos a las seis."},
		{plain, "Es PostgreSQL, no MySQL."},
		{plain, "Corrección: la reunión es en la sala 4."},
		{plain, "Mejor dicho: el viernes por la tarde."},
		// Both, in other words.
		{plain, "No, Thursday is a holiday, it has to be Friday."},
		{plain, "That's not the right server."},
		{plain, "I asked for two lines, not ten."},
		{plain, "No, the deadline is Friday."},
		{plain, "no its friday"},
		{plain, "you're mixing up two projects"},
		{plain, "The report is due on Friday, not Thursday."},
		{plain, "I don't use MySQL, I use PostgreSQL."},
		{plain, "We don't use MySQL, we use PostgreSQL."},
		{plain, "that is incorrect"},
		{plain, "Sorry, that's the wrong folder."},
		{plain, "That's the wrong server."},
		{plain, "You used the wrong name."},
		{plain, "My name is spelled Lindqvist."},
		{plain, "It's spelled Lindqvist, not Linkvist."},
		{plain, "No, el plazo es el viernes."},
		{plain, "No, es PostgreSQL."},
		{plain, "No, no el puerto 8080: el puerto es 9317."},
		{plain, "Usamos PostgreSQL, no MySQL."},
		{plain, "No usamos MySQL, usamos PostgreSQL."},
		{plain, "Esa no es mi carpeta."},
		{plain, "Ese no es el servidor correcto."},
		{plain, "No me refería a eso."},
		{plain, "Te confundes de servidor."},
		{plain, "No, quería el otro informe."},
		{plain, "No es eso lo que pedí."},
		{plain, "No, dije viernes."},
		{plain, "Has puesto mal el nombre."},
		{plain, "That's not what I meant."},
		{plain, "No, that's the staging server."},
		{plain, "I was asking about production."},
	}
	if len(tests) < 60 {
		t.Errorf("only %d sentences", len(tests))
	}
	for _, tt := range tests {
		t.Run(tt.user, func(t *testing.T) {
			c, ok := Detect(tt.previous, tt.user, noon)
			if !ok {
				t.Fatal("not taken for a correction")
			}
			if c.Correction == "" || c.Original == "" || c.Count != 1 || !c.Last.Equal(noon) {
				t.Errorf("got %+v", c)
			}
		})
	}
}

func TestDetectIsNotFooled(t *testing.T) {
	tests := []struct{ previous, user string }{
		// English: polite, agreeing, putting off.
		{plain, "No problem."},
		{plain, "No problem, I meant to do it anyway."},
		{plain, "no worries!"},
		{plain, "No, that's all."},
		{plain, "No, that's fine."},
		{plain, "No thanks"},
		{plain, "No, thank you."},
		{plain, "No, thank you, it's perfect as it is."},
		{plain, "No need to hurry."},
		{plain, "No rush, tomorrow is fine."},
		{plain, "No, I'm good."},
		{plain, "No, it's fine."},
		{plain, "No, it's all good."},
		{plain, "No, please go on."},
		{plain, "No, go ahead."},
		{plain, "No, don't worry about it."},
		{plain, "No, not yet."},
		{plain, "No, not today: the office is closed."},
		{plain, "No, not the best time, it is late."},
		{plain, "No, not a problem, we have time."},
		{plain, "No, not you, I was joking."},
		{"Shall I use port 8080?", "No, not port 8080: the port is 9317."},
		{plain, "No, never mind."},
		{plain, "No, nothing else."},
		{plain, "No, it was my fault."},
		{plain, "No, you are right."},
		{plain, "No, that was really helpful."},
		{plain, "No, this is great!"},
		{plain, "No, I'm just tired."},
		{plain, "No. That's it for today."},
		{plain, "Nope, all good here."},
		{plain, "No idea, honestly."},
		{plain, "No wonder the build was slow."},
		{plain, "No doubt about it."},
		{plain, "Not bad at all!"},
		{plain, "Not sure yet."},
		{plain, "Not now, but maybe later."},
		{plain, "Not only fast but also cheap."},
		{plain, "Not urgent, but could you also rename the folder."},
		{plain, "Not perfect, but good enough."},
		{plain, "It's not a big deal, but the logo looks a bit blurred."},
		{plain, "I'm not sure but I think it rains tomorrow."},
		{plain, "I'm not an expert, but it looks good."},
		// English: "actually" and the like.
		{plain, "Actually, thanks!"},
		{plain, "Actually, that's great."},
		{plain, "Actually, it's fine."},
		{plain, "Actually it's a good idea."},
		{plain, "Actually, it was fun."},
		{plain, "Actually, let's talk about the holidays."},
		{plain, "Actually, I think we are done."},
		{plain, "Actually, could you also add a chart?"},
		{plain, "Actually, one more thing: book a room for Monday."},
		{plain, "Actually I like it."},
		{plain, "Instead of that let's plan the summer party."},
		{plain, "Instead, tell me about the ferry."},
		{plain, "Let's do something else instead."},
		{plain, "I mean, it's nice weather."},
		{plain, "I meant to thank you yesterday."},
		{plain, "I meant to ask about the budget."},
		{plain, "Well, that was quick."},
		{plain, "You're right."},
		{plain, "You're not wrong."},
		{plain, "That's not bad."},
		{plain, "That's not a problem."},
		{plain, "That's right, not many people know it."},
		{plain, "That's correct."},
		{plain, "Nothing wrong with that."},
		{plain, "What's wrong with the server?"},
		{plain, "Something went wrong in the deploy this morning."},
		{plain, "If something is wrong, tell me."},
		// English: questions, answers, reports, new subjects.
		{plain, "Is that wrong?"},
		{plain, "Did I say Friday, not Thursday?"},
		{plain, "Isn't it Friday?"},
		{plain, "No, really?"},
		{plain, "Do you mean the production server?"},
		{"Do you use MySQL?", "No, we use PostgreSQL."},
		{"Shall I send it on Thursday?", "No, it's too early."},
		{"Is your sister coming too?", "No, she lives in Lund."},
		{"Should I use the shared folder?", "No, use the private one."},
		{"Anything else I can do?", "No, I have everything."},
		{plain, "My boss said no, the budget is closed."},
		{plain, "I told her that she is wrong about the budget."},
		{plain, "The server isn't mine, by the way."},
		{plain, "I like tea, not coffee."},
		{plain, "We go by ferry, not by plane, and leave at seven."},
		{plain, "Please summarize the report in two lines, not more."},
		{plain, "Thank you, that's exactly what I meant."},
		{plain, "Can you explain what I meant by that?"},
		{plain, "Now write the invitation."},
		{plain, "Noon works for me."},
		{plain, "Nora lives in Lund."},
		{plain, ""},
		{"", "No, it's Friday."},
		// Spanish.
		{plain, "No, gracias."},
		{plain, "No gracias"},
		{plain, "Sin problema."},
		{plain, "No pasa nada."},
		{plain, "No, no pasa nada."},
		{plain, "No te preocupes."},
		{plain, "No hay problema."},
		{plain, "No hay prisa."},
		{plain, "No hace falta."},
		{plain, "No, eso es todo."},
		{plain, "No, está bien así."},
		{plain, "No, es perfecto."},
		{plain, "No, nada más."},
		{plain, "No, tranquilo."},
		{plain, "No, todavía no."},
		{plain, "No, es broma."},
		{plain, "No está mal."},
		{plain, "Eso no está mal."},
		{plain, "No te equivocas."},
		{plain, "Si te equivocas, dímelo."},
		{plain, "En realidad, gracias."},
		{plain, "En realidad es genial."},
		{plain, "En realidad me gusta mucho."},
		{plain, "En realidad no importa."},
		{plain, "Quería decirte que me ha gustado."},
		{plain, "Quería decir gracias."},
		{plain, "No solo es rápido sino también barato."},
		{plain, "No es urgente, es para mañana."},
		{plain, "No es que sea malo, es que es lento."},
		{plain, "¿Qué quieres decir?"},
		{plain, "¿No es el viernes?"},
		{plain, "No sé, quizá mañana."},
		{plain, "No tengo prisa, es solo una idea."},
		{plain, "Es verdad, no lo sabía."},
		{plain, "Eso es correcto."},
		{plain, "En lugar de eso, hablemos del verano."},
		{"¿Usáis MySQL?", "No, usamos PostgreSQL."},
		{"¿Es el jueves?", "No, es el viernes."},
		// Both, where a phrase means something else.
		{plain, "No, I love it."},
		{plain, "No, we should leave it like that."},
		{plain, "No, the summary is fine."},
		{plain, "No, everything is clear now."},
		{plain, "No, I will do it myself."},
		{plain, "No, they were happy with it."},
		{plain, "No, there is nothing else."},
		{plain, "No, there's more to come."},
		{plain, "No, it works now."},
		{plain, "Actually it works now."},
		{plain, "Actually the build is green again."},
		{plain, "Actually, it's raining here."},
		{plain, "Actually, my mother is visiting today."},
		{plain, "It's not working but I will look at it later."},
		{plain, "It is not raining but the road is wet."},
		{plain, "I'm not in the office but you can call me."},
		{plain, "Not everyone came but it was fun."},
		{plain, "This is not the first time I see this."},
		{plain, "That is not the whole story."},
		{plain, "That's wrong on so many levels, what a movie."},
		{plain, "Wrong number, haha."},
		{plain, "I said yes to the offer."},
		{plain, "I never wanted to be a manager."},
		{plain, "I didn't want that second coffee."},
		{plain, "He was wrong about the weather."},
		{plain, "The weather is bad, not that I care."},
		{plain, "I use vim, not that it matters."},
		{plain, "Use short sentences, not long ones."},
		{plain, "I live in Lund, not far from the station."},
		{plain, "It's Friday, not much happens."},
		{plain, "My name is Nora, not that you asked."},
		{plain, "We use Go, no frameworks."},
		{plain, "The report is great, no changes needed."},
		{plain, "It's cold, no wonder."},
		{plain, "In May, no later."},
		{plain, "No, I think that was a joke."},
		{plain, "No, it does not matter."},
		{plain, "No, we will see."},
		{plain, "No, he will come tomorrow."},
		{plain, "No, the other one can wait."},
		{plain, "No, my sister is doing fine."},
		{plain, "No, es un buen plan."},
		{plain, "No, la verdad es que me gusta."},
		{plain, "No, el resumen está bien."},
		{plain, "No, es que estoy cansado."},
		{plain, "No es tarde, es temprano."},
		{plain, "No quiero café sino té."},
		{plain, "No, tengo que irme."},
		{plain, "En realidad es una buena idea."},
		{plain, "En realidad es tarde, me voy."},
		{plain, "La verdad es que es muy útil."},
		{plain, "Está bien, no te preocupes."},
		{plain, "Me refiero a que es una idea estupenda."},
		{plain, "Quiero decir que gracias."},
		{plain, "No está mal, pero falta el gráfico."},
		{plain, "You were wrong to worry, it all worked out."},
		{plain, "That was a mistake of mine."},
		{plain, "I was talking about this with Nora yesterday."},
		{plain, "It should be ready by Friday, not later."},
		{plain, "This is incorrect usage in French, funny."},
		{"Is the sauce a family secret? I am always glad to try something new.", "Nah, it's just my homemade sauce."},
	}
	if len(tests) < 80 {
		t.Errorf("only %d sentences", len(tests))
	}
	for _, tt := range tests {
		t.Run(tt.user, func(t *testing.T) {
			if c, ok := Detect(tt.previous, tt.user, noon); ok {
				t.Errorf("taken for a correction: %+v", c)
			}
		})
	}
}

// What a user pastes is no correction, wherever in it one could be read.
func TestDetectLooksAtTheBeginningOnly(t *testing.T) {
	log := strings.Repeat("Here is the log of the deploy.\n", 5) + "No, I meant the other one.\n"
	if c, ok := Detect(plain, log, noon); ok {
		t.Errorf("taken for a correction: %+v", c)
	}
}

func TestDetectKeepsTheLimits(t *testing.T) {
	c, ok := Detect(strings.Repeat("long answer ", 100), "No, I meant "+strings.Repeat("this ", 500), noon)
	if !ok || len([]rune(c.Original)) > MaxOriginal || len([]rune(c.Correction)) > MaxCorrection {
		t.Errorf("got %v, %d and %d characters", ok, len([]rune(c.Original)), len([]rune(c.Correction)))
	}
}

func FuzzDetect(f *testing.F) {
	f.Add(plain, "No, I meant the other one.")
	f.Add(plain, "\x00no — es\xff … sino")
	f.Fuzz(func(t *testing.T, previous, user string) {
		c, ok := Detect(previous, user, noon)
		if ok && (c.Correction == "" || c != c.Clean()) || !ok && c != (Correction{}) {
			t.Fatalf("%v, %+v", ok, c)
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	for b.Loop() {
		Detect(plain, "Please write the invitation for the summer party and send it to everyone.", noon)
	}
}

// The first two sentences are looked at, in both grammars of English; a third
// is no longer an answer.
func TestDetectLooksAtTwoSentences(t *testing.T) {
	for _, correction := range []string{
		"No, I meant the production server.", "It's PostgreSQL, not MySQL.", "That's wrong, the report is due on Friday.",
		"I said Friday, not Thursday.", "Wrong branch, use main.", "You got the name wrong, it's Lindqvist.",
	} {
		for lead, want := range map[string]bool{
			"":                            true,
			"Thanks for the quick work. ": true,
			"The rain stopped. We had lunch at one. ": false,
		} {
			if _, got := Detect(plain, lead+correction, noon); got != want {
				t.Errorf("Detect(%q) = %v", lead+correction, got)
			}
			if got := corrects(plain, text.Vocabulary(plain), lead+correction); got != want {
				t.Errorf("the phrases of English say %v of %q", got, lead+correction)
			}
		}
	}
}
