package generated

// deutsch holds how an assistant answers in German. All nouns are feminine, so that they
// fit into every pattern.
var deutsch = &language{
	asks: []string{
		"Was sollte ich über {s} wissen?", "Kannst du mir einen Plan für {s} machen?", "Gibt es ein gutes Buch über {s}?", "Was kostet das, wenn ich an {s} denke?",
		"Hilf mir bitte, ich muss die {n} {a}.",
	},
	more: []string{
		"Und was ist mit der {n}?", "Wie kann ich die {n} {a}, ohne dass es Ärger gibt?", "Danke. Was kommt nach der {n}?", "Geht das auch {k}?",
	},
	opening: []string{
		"Gute Frage. Wer über {s} nachdenkt, hat die meiste Arbeit mit der {n}, der Rest ergibt sich. Unten steht, worauf es ankommt, vom Wichtigen zu dem, was warten kann.",
		"Hier ist ein Überblick über {s}. Du brauchst nicht alles auf einmal: fang mit der {n} an, sieh dir an, was passiert, und erst dann solltest du die {n} {a}.",
	},
	headings: []string{"Was zuerst kommt", "Die {n} im Griff", "Häufige Fehler", "Schritt für Schritt", "Was es kostet", "Wann man aufhören sollte", "Wie andere es machen"},
	sentences: []string{
		"Beginne mit der {n}, denn von ihr hängt ab, ob die {n} am Ende {k} ist.",
		"Viele wollen die {n} zu früh {a} und wundern sich dann, warum die {n} nicht hält.",
		"Ist die {n} {k}, dann lass sie ein paar Tage in Ruhe.",
		"Es hilft, aufzuschreiben, was du geändert hast und wie die {n} vorher aussah.",
		"Frage jemanden, der sich auskennt; eine Stunde mit ihm spart dir eine Woche.",
		"Traue dem ersten Ergebnis nicht: du solltest die {n} zweimal {a} und vergleichen.",
		"Geld für die {n} ist besser angelegt als Geld für die {n}.",
		"Morgens lässt sich die {n} leichter {a} als am Abend, wenn alle müde sind.",
		"Warten schadet nicht, solange die {n} {k} bleibt und niemand sie braucht.",
		"Was bei Freunden klappt, muss bei dir nicht richtig sein, denn keine Familie ist wie die andere.",
		"Im Zweifel nimm, was {k} ist, und hebe die Rechnung auf.",
	},
	items: []string{
		"**Die {n}**: zuerst {a}, dann eine Woche lang schauen, ob sie {k} bleibt",
		"**Zeit**: plane doppelt so viel ein, wie du denkst, um die {n} zu {a}",
		"**Hilfe**: lass jemand anderen die {n} {a}, während du auf die {n} achtest",
		"**Notizen**: eine Seite für die {n}, mit Datum und Preis",
		"**Reihenfolge**: erst die {n}, dann die {n}, nie umgekehrt",
		"**Grenzen**: ist die {n} bis Ende des Monats nicht {k}, dann versuche etwas anderes",
		"**Gewohnheit**: zehn Minuten am Tag bringen mehr als ein langes Wochenende",
	},
	closing: []string{
		"Schreib mir, wie die {n} bei dir aussieht, dann kann ich genauer werden. Wenn du wenig Zeit hast, genügt die erste Liste.",
		"Das sollte für den Anfang reichen. Melde dich, wenn die {n} fertig ist, dann sehen wir weiter.",
	},
}

var germanSubjects = []subject{
	newSubject(deutsch, "den Umzug in eine neue Wohnung", "Wohnung|Küche|Miete|Lampe|Kiste|Wand|Adresse|Heizung|Schule", "streichen|planen|messen|kündigen|bezahlen|prüfen", "hell|günstig|ruhig|fertig|trocken"),
	newSubject(deutsch, "eine Reise mit Kindern", "Fahrkarte|Tasche|Pause|Unterkunft|Reservierung|Wanderung|Karte|Stadt|Fähre", "buchen|tauschen|planen|suchen|verschieben|vergleichen", "kurz|billig|bequem|spannend|früh"),
	newSubject(deutsch, "gesundes Essen", "Suppe|Pfanne|Liste|Mahlzeit|Soße|Kantine|Küche|Allergie|Nuss", "kochen|würzen|einkaufen|probieren|vorbereiten|ersetzen", "frisch|leicht|scharf|einfach|warm"),
	newSubject(deutsch, "die Arbeit im Verein", "Sitzung|Kasse|Halle|Mannschaft|Einladung|Satzung|Probe|Versammlung|Liste", "leiten|verschicken|planen|prüfen|verlegen|schreiben", "offen|kurz|pünktlich|günstig|gemeinsam"),
}

// germanFacts are facts that are told and asked for in German.
var germanFacts = []fact{
	{"", "Unser Sohn Jonas verträgt {v} nicht, davon bekommt er Ausschlag.", "", "Wogegen ist Jonas allergisch?|Was darf Jonas nicht essen?", "Haselnüsse|Erdbeeren|Sellerie|Kuhmilch"},
	{"", "Die Kaution für die Wohnung waren {v} Euro, das fand ich viel.", "", "Wie hoch war unsere Kaution?|Wie viel Kaution haben wir gezahlt?", "1800|2150|2400|2700"},
	{"", "Meine Chorprobe ist jetzt immer am {v}, da bin ich nicht erreichbar.", "", "An welchem Abend probt mein Chor?|Wann habe ich Chorprobe?", "Dienstag|Mittwoch|Donnerstag|Sonntag"},
	{"", "Oma zieht im Herbst nach {v}, sie will näher am Wasser sein.", "", "Wohin zieht meine Großmutter?|In welcher Stadt wird Oma wohnen?", "Husum|Lindau|Wismar|Waren"},
	{"", "Beim Sommerfest kümmere ich mich um {v}, alles andere machen die anderen.", "", "Welche Aufgabe habe ich beim Sommerfest?|Was mache ich beim Fest im Sommer?", "den Grill|die Hüpfburg|die Musik|das Kuchenbuffet"},
	{"", "Der Hausmeister heißt {v} und ist nur vormittags da.", "", "Wie heißt unser Hausmeister?|Wer ist der Hausmeister?", "Herr Wiechert|Herr Brodowski|Frau Sandner|Frau Yilmaz"},
	{"", "Ich habe der Kleinen {v} versprochen, wenn sie schwimmen kann.", "", "Was bekommt die Kleine, wenn sie schwimmen gelernt hat?|Welches Versprechen habe ich der Kleinen gegeben?", "ein Baumhaus|einen Hamster|ein rotes Fahrrad|eine Taucherbrille"},
	{"", "Mein Ausweis liegt {v}, falls ihn jemand sucht.", "", "Wo habe ich meinen Ausweis hingelegt?|An welchem Ort ist mein Ausweis?", "im Nähkasten|hinter den Kochbüchern|in der blauen Dose"},
}
