package extract

import "strings"

// spanishRules are the commonest statements in Spanish. The words stay as they
// are: to retell a language badly is worse than to quote it.
func spanishRules() []rule {
	own := func(name, heads, pattern string, reads func([]string) (reading, bool)) rule {
		return rule{name: name + " (es)", heads: heads, pattern: pattern, reads: reads, verbatim: true}
	}
	return []rule{
		own("own name", "me mi", `(?:me llamo|mi nombre es) (.+)`, foreignName("name")),
		own("name of one's own", "mi", `mi (gato|gata|perro|perra|esposa|esposo|marido|mujer|novia|novio|pareja|madre|padre|hermana|hermano|hija|hijo|abuela|abuelo|jefe|jefa|amigo|amiga|prima|primo|tía|tío) se llama (.+)`, foreignRelation),
		own("home", "vivo", `vivo (?:ahora )?en (.+)`, foreignPlace("city")),
		own("origin", "soy", `soy de (.+)`, foreignPlace("hometown")),
		own("employer", "trabajo", `trabajo (?:en|para) (.+)`, foreignPlace("employer")),
		own("job", "trabajo soy", `(?:trabajo como|soy) ((?:ingenier|programador|desarrollador|profesor|maestr|médic|enfermer|abogad|diseñador|estudiante|arquitect|cociner|periodist|traductor)\pL*\b.*)`, nil),
		own("taste", "me no", `(?:no )?me (?:gusta|gustan|encanta|encantan) (?:mucho )?(.+)`, foreignObject),
		own("preference", "prefiero", `prefiero (.+)`, foreignObject),
		own("allergy", "soy tengo", `(?:soy (?:muy )?alérgic[oa] (?:al?|a la|a los|a las) (.+)|tengo alergia .+)`, nil),
		own("diet", "soy", `soy (?:vegetarian[oa]|vegan[oa]|celíac[oa]|diabétic[oa]|intolerante a .+)\b.*`, nil),
		own("birthday", "mi", `mi cumpleaños es (?:el )?(.+)`, foreignSlot("birthday")),
		own("favorite", "mi", `mi (\pL+(?: \pL+)?) (?:favorit[oa]|preferid[oa]) es (.+)`, nil),
		own("possession", "tengo", `tengo (?:un|una|dos|tres|cuatro) (?:gat|perr|hij|herman|coche|moto|niñ)\pL*\b.*`, nil),
		own("own people", "mi mis", `mis? (?:gato|gata|perro|perra|esposa|esposo|marido|mujer|novia|novio|pareja|madre|padre|hermana|hermano|hija|hijo|abuela|abuelo|padres|hijos|hermanos|suegra|suegro) (?:\p{Lu}\pL+ )?(?:vive|viven|trabaja|trabajan|es de|tiene|tienen|cumple|estudia|es alérgic[oa]|nació|es \pL+(?:or|ora|era|ero|ista|ente))\b.+`, nil),
		{name: "standing rule (es)", heads: "siempre nunca responde contesta no a de por", kind: "feedback", verbatim: true, deictic: true,
			pattern: `(?:(?:por favor,? )?(?:siempre|nunca|a partir de ahora,?|de ahora en adelante,?) .{6,}|(?:responde|contesta|contéstame|respóndeme|háblame) (?:siempre )?en (?:{language})\b.*|no (?:uses|utilices|pongas) (?:emojis|emoticonos|viñetas)\b.*)`},
		{name: "project fact (es)", heads: "usamos desplegamos el la", kind: "project", verbatim: true,
			pattern: `(?:(?:usamos|desplegamos|hemos decidido|decidimos) .{4,}|(?:el|la) (?:api|servidor|base de datos|servicio|aplicación|proyecto) (?:usa|corre en|se llama|está en|escucha en) .+)`},
	}
}

// foreignName reads a person's own name in another language.
func foreignName(attribute string) func([]string) (reading, bool) {
	return func(m []string) (reading, bool) {
		name := properName(m[1])
		return reading{entity: self, attribute: attribute, value: name}, name != ""
	}
}

func foreignRelation(m []string) (reading, bool) {
	name := properName(m[2])
	r := reading{value: name}
	if relation := englishRelation(strings.ToLower(m[1])); isUnique(relation) {
		r.entity, r.attribute = self+"'s "+relation, "name"
	}
	return r, name != ""
}

// englishRelation translates the relation that a person has one of; "" for the others.
func englishRelation(word string) string {
	switch word {
	case "gato", "gata", "chat", "chatte", "katze", "kater":
		return "cat"
	case "perro", "perra", "chien", "chienne", "hund", "hündin":
		return "dog"
	case "esposa", "mujer", "femme", "frau", "ehefrau":
		return "wife"
	case "esposo", "marido", "mari", "mann", "ehemann":
		return "husband"
	case "pareja", "partner", "partnerin", "compagne", "compagnon":
		return "partner"
	case "novia", "freundin", "copine":
		return "girlfriend"
	case "novio", "freund", "copain":
		return "boyfriend"
	case "madre", "mère", "mutter":
		return "mother"
	case "padre", "père", "vater":
		return "father"
	case "jefe", "jefa", "chef", "cheffe", "chefin":
		return "boss"
	}
	return ""
}

func foreignPlace(attribute string) func([]string) (reading, bool) {
	return func(m []string) (reading, bool) {
		p := properName(m[1])
		if p == "" || !startsUpper(p) {
			return reading{}, words(m[1]) > 1 && inForeignCity(m[1])
		}
		return reading{entity: self, attribute: attribute, value: p}, true
	}
}

func inForeignCity(s string) bool {
	for _, f := range strings.Fields(s) {
		if startsUpper(f) {
			return true
		}
	}
	return false
}

func foreignSlot(attribute string) func([]string) (reading, bool) {
	return func(m []string) (reading, bool) {
		return reading{entity: self, attribute: attribute, value: m[1]}, true
	}
}

func foreignObject(m []string) (reading, bool) {
	low := strings.ToLower(m[1])
	for _, empty := range []string{"eso", "esto", "esta", "este", "ese", "esa", "tu ", "que ", "cómo", "lo ", "la idea", "das", "dies", "es ", "dein", "ça", "cela", "ton ", "ta ", "l'idée", "die idee"} {
		if strings.HasPrefix(low+" ", empty) {
			return reading{}, false
		}
	}
	return reading{}, true
}
