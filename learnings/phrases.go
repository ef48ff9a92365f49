package learnings

import (
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// thing is what of the assistant's can be wrong.
const thing = `(?:that|this|that one|this one|that answer|your answer|your reply|what you (?:said|wrote)|` +
	`the (?:answer|result|output|date|name|number|path|file|version|link|` +
	`address|port|command|code|spelling|total) (?:you (?:gave|used|wrote|have) )?)`

// The phrases are matched against lower-case text with plain quotes and single
// spaces, one sentence at a time and at its beginning unless said otherwise.
var (
	lineEnd     = lazyregexp.New(`\s*\n+\s*`)
	sentenceEnd = lazyregexp.New(`[.!?…؟]+(?:\s+|$)|[。।]+\s*`)
	unspaced    = lazyregexp.New(`([!?])([\p{Han}\p{Hiragana}\p{Katakana}])`)
	aloneNo     = lazyregexp.New(`^((?:(?:hmm+|oh|wait|sorry|perdona|espera|oye),? )?(?:no|nope|nah))[.!…:;]+ `)

	// leads are words in front that change nothing.
	leads = lazyregexp.New(`^(?:` + oneOf(
		`h+m+|u+h+m*|um+|oh|ah|ahh|er|well|so|hey|hi|hold on|wait|sorry|excuse me|pardon|look|listen|yeah`,
		`(?:ok|okay|thanks|thank you|great|good|nice|cool|close|almost|right|sure),? but|ay|eh|bueno|oye|mira|perdón`,
		`perdona|perdone|disculpa|espera|un momento|a ver|(?:vale|gracias|bien|casi|ok|sí),? pero|pero|but`,
	) + `(?:[,.:;!…]+ ?| +|$))+`)

	// barely is a "no" in front of a statement, written without a comma.
	barely = lazyregexp.New(`^(no|nope|nah) ((?:it's|its|it is|that is|(?:i|we) (?:use|live|work)|my|use) )`)

	// plainNo and inTruth announce a correction that must still follow.
	plainNo = lazyregexp.New(`^(?:no+|nope|nah)(?:,? (?:no+|sorry|actually|perdona|perdón|en realidad))*[,:;]+ (?:(?:actually|sorry|wait|it's just that|en realidad|perdona|perdón|espera)[, ]+)*`)
	inTruth = lazyregexp.New(`^(?:actually|in fact|in reality|en realidad|de hecho|la verdad es que)(?:[,:]? no)?[,:]? (?:sorry, |perdona, )?`)

	// politely begins what sounds like a correction and is none.
	politely = begins(``,
		`no (?:problem|worries|thanks|thank you|need|rush|hurry|idea|way|doubt|wonder|matter|big deal|hard feelings|pressure|offense|kidding|stress)\b`,
		`(?:no|nope|nah)[,:; ]+(?:no[,:; ]+)?`+oneOf(
			`thanks|thank you|thx`,
			`that's (?:all|it|fine|ok|okay|everything|enough|perfect|great|good|alright|right|correct|very kind|cool)`,
			`i'm (?:good|fine|ok|okay|done|all set)|all good`,
			`it's (?:all good|fine|ok|okay|alright|nothing|no problem|not a problem)|please|go ahead|don't (?:worry|bother)`,
			`never ?mind|not (?:yet|really|now|right now|today|at all|for now|necessarily|that i know)|nothing|gracias`,
			`muchas gracias|nada|tranquil[oa]|no pasa nada|no hace falta|no importa|no te preocupes|está bien|eso es todo`,
			`es todo|todo bien|ya está|por ahora|todavía no|aún no|de momento`,
		),
		`no pasa nada|no hay (?:problema|prisa|de qué)|no hace falta|no importa|no te preocupes|no gracias|no,? muchas gracias`,
		`sin (?:problema|prisa|falta)|not (?:bad|yet|really|now|sure|at all|only|just)\b`,
	)

	// direct says that something was wrong or misunderstood.
	direct = begins(``,
		`(?:what |no |nope )?(?:i|we) (?:really |actually )?meant (?:to say |to write |was |is )?(?:[^ta]|t[^o]|a[^s])`,
		`(?:i|we) meant (?:to say|to write|as in|all|a |an |at )|what (?:i|we) (?:meant|wanted|asked for) (?:was|is)`,
		`(?:i|we) mean (?:the|a|an|my|our|in|on|at|from|to|that|this|version|number|line)\b`,
		`(?:i|we) (?:was|were) (?:talking|asking) about|(?:i|we) (?:was|were) referring to`,
		`(?:i|we) (?:asked|wanted) (?:for )?.{1,60}?,? (?:not|instead of|rather than) `,
		`(?:i|we) said .{1,60}?,? (?:not|instead of) `,
		`(?:i|we) (?:didn't|did not|never) (?:say|said|ask(?:ed)? (?:for|you)|mention(?:ed)?|want(?:ed)? you to)\b`,
		`(?:i|we) didn't (?:want|mean) (?:that|this)(?: one)?$`,
		thing+`'?s? ?(?:is|was|are)? ?(?:still |just |simply |completely |totally |all |plain |also |actually )?`+
			`(?:wrong|incorrect|mistaken|false|inaccurate|not (?:quite |at all |entirely |actually )?(?:right|correct|true|accurate|so))(?:$|[,:;] )`,
		`(?:that|this)(?:'s| is| was) not (?:what (?:i|we) (?:said|asked|meant|wanted)|how (?:it|this|that|we|i|you)|where|(?:my|our|her|his|their|the right|the correct) )`,
		`that isn't (?:what (?:i|we) (?:said|asked|meant|wanted)|how (?:it|this|we|i)|right|correct|true|my |our |the right |the correct )`,
		`(?:it|this|that|he|she|they|we|i|my \w+|our \w+|the \w+) (?:isn't|aren't|wasn't|weren't|don't|doesn't) [^,;]{1,40}[,;] (?:it|this|that|he|she|they|we|i)(?:'s|'re|'m| is| are| was| were| am| use[sd]?| work[s]?| live[s]?) `,
		`you(?:'re| are| were) (?:wrong|mistaken|incorrect)(?:$|[,:;]| (?:about|on|with|in|here|there)\b)`,
		`you(?:'re| are| were) (?:confusing|mixing up)\b`,
		`you(?:'ve| have)? (?:completely |totally )?(?:misunderstood|misread|misheard|misspelled|misquoted|mixed up|confused)\b`,
		`you(?:'ve| have)? got (?:that|it|this|my|the|our|his|her)\b.{0,40}\b(?:wrong|backwards|mixed up)\b`,
		`(?:wrong|incorrect|not (?:quite|correct|right|true))(?:[,:;] .+|$)`,
		`wrong \w+[,:;] (?:use|it|i|the|my|we|our|that|not|this|try|take)\b|(?:small |one |quick |a )?(?:correction|fix):`,
		`(?:that|this)(?:'s| is| was) the wrong \w+`,
		`you(?:'ve| have)? (?:used|took|taken|picked|chose|wrote|sent|opened|changed|edited|deleted|put|gave|given)(?: [\pL']+){0,3} the wrong `,
		`(?:it|my name|his name|her name|our name)(?:'s| is) (?:actually )?(?:spelled|spelt|pronounced) |let me correct`,
		`i (?:have|need|must) (?:to )?correct|to correct (?:you|that)`,
		`it should (?:have been|be|say|read) .{1,60}?,? (?:not|instead of|rather than) |it should have (?:been|said) `,
		`(?:lo que )?(?:quise decir|quería decir|queríamos decir)(?: es| era)?(?: que)? (?:[^gt]|t[^e])`,
		`(?:yo |no )?me (?:refería|refiero) (?:al |a (?:la|las|los|lo|el|mi|eso|es[ae]|un|una|otr[oa])\b)`,
		`quiero decir (?:el|la|los|las|en) |lo que (?:quería|pedí|dije)(?: \w+)? (?:es|era) `,
		`te (?:equivocas|has equivocado|equivocaste|confundes|has confundido|confundiste)(?:$|[,:; ])`,
		`(?:estás|estas) (?:equivocad[oa]|confundiendo|confundid[oa])|se equivoca\b`,
		`(?:lo |me |eso lo )?(?:has entendido|entendiste|has leído|leíste|has escrito|escribiste|has puesto|pusiste|has copiado|has calculado) (?:muy )?mal`,
		`no me (?:has entendido|entendiste)`,
		`(?:eso |esto |la (?:respuesta|fecha|ruta|versión) |el (?:nombre|número|resultado|archivo|puerto) )?(?:es (?:incorrect[oa]|fals[oa]|erróne[oa])|está (?:mal|equivocad[oa]|errónea?))(?:$|[,:;] )`,
		`es[aeo] no (?:es|son|era) (?:mi|nuestr[oa]|el|la) |no es eso(?: lo que (?:te )?(?:pedí|dije|quería))?$`,
		`(?:eso |esto )?no es (?:del todo |exactamente )?(?:correct[oa]|ciert[oa]|verdad|así|lo que (?:te )?(?:dije|pedí|quería|he dicho|he pedido))(?:$|[,:; ])`,
		`(?:yo )?no (?:te |he |te he )?(?:dije|dicho|pedí|pedido) (?:eso|que|un|una|el|la|los|las|nada)\b|incorrecto(?:$|[,:;])`,
		`falso(?:$|[,:;])|(?:una |pequeña )?corrección:|mejor dicho[,:]|he dicho .{1,60}?,? no |dije .{1,60}?,? no `,
	)

	// takenBack is where direct words are no correction after all.
	takenBack = begins(`|\b(?:but|and) that's (?:ok|okay|fine|my fault)$`,
		`(?:i|we) (?:was|were) (?:talking|asking) about .*\b(?:with|to|yesterday|last|earlier)\b`,
		`it should be (?:ready|done|fine|ok|okay|easy|enough|finished)\b`,
		`that(?:'s| is) not my (?:fault|problem|favorite|thing|cup|job|area|strength)\b`,
		`es[aeo] no es (?:mi (?:culpa|problema|fuerte)|el (?:fin|problema)|la (?:cuestión|primera))\b`,
		`(?:no )?(?:i|we) (?:really |actually )?meant (?:to (?:ask|tell|thank|mention|send|do|add|share|reply|answer|get|call|check|buy|go|come|bring|finish|start)|every word|what i said|well|no harm|it\b|that\b)`,
		`quería decirte|quería decir gracias`,
		`that's not what i (?:expected|thought).{0,40}\b(?:but|and) (?:i|it)\b.{0,20}\b(?:love|like|great|better|nice|works|fine|good)`,
	)

	// states begins a plain statement after a "no", or an order to do it
	// otherwise.
	states = begins(``,
		`(?:it|that|this|he|she|they|we|i|you)(?:'?s|'re|'m| is| was| are| am| were| should be| has to be| needs to be| must be) `,
		`.{1,60}[,;] (?:it|that) (?:has to|should|must) be `,
		`(?:i|we) (?:use|live|work|prefer|wanted|moved|run|deploy|switched|write|call|have|asked|said) `,
		`(?:he|she|they|it) (?:lives?|works?|uses?|runs?|has|have|goes|go|starts?|ends?|needs?|moved|prefers?) `,
		`(?:my|our|his|her|their|its|the) [^,;]{1,50}? (?:is|are|was|were|has|have|lives?|works?|uses?|runs?|goes|starts?|needs?|should|must) `,
		`the (?:other|first|second|third|last|old|new)(?: \w+)?$`,
		`(?:use|put it|call it|write it|name it|change it|make it|move it|don't (?:use|put|call|touch|change|delete|run|add|write|remove)) `,
		`(?:no )?(?:es|son|era|eran|está|están|fue|se llama|me llamo|vivo|trabajo|uso|usamos|prefiero|preferimos|tengo|tenemos|vive|trabaja|nací|soy|somos|dije|pedí|he dicho|quería (?:el|la|un|una|otr[oa])|ponlo|usa|llámalo|cámbialo) `,
		`(?:mi|mis|nuestr[oa]s?|su|sus|el|la|los|las) [^,;]{1,50}? (?:es|son|era|está|están|se llama|vive|trabaja|usa|tiene|empieza|sale) `,
	)

	// identifies begins a statement of what something is, after "actually".
	identifies = begins(``,
		`(?:it|that|he|she|they|that one)(?:'s| is| was|'re| are| were) |my (?:[\pL\d'-]+ ){1,3}is |my name's `,
		`(?:his|her|its|their) (?:[\pL\d'-]+ ){1,2}(?:is|are) `,
		`the (?:[\pL\d'-]+ ){1,4}(?:is|are|was) (?:called|named|on|in|at|version|\d|the)`,
		`(?:i|we) (?:live in|work (?:at|for|in)|use|moved to|were born|was born) |i'm (?:from|in|based|called|\d) ?`,
		`(?:no )?(?:es|son|era|eran|fue) |(?:se llama|me llamo|vivo|trabajo|usamos|uso|nací|soy de|somos|tengo \d) ?`,
		`(?:mi|su|nuestr[oa]) (?:[\pL\d'-]+ ){1,3}(?:es|son|se llama|vive|trabaja|está) `,
		`(?:el|la|los|las) (?:[\pL\d'-]+ ){1,4}(?:es|son|está|están|se llama) `,
	)

	// accepts is a statement that judges, agrees, puts off or feels, and so
	// corrects nothing; anywhere in its beginning.
	accepts = lazyregexp.New(`^(?:(?:it|that|this|he|she|they|there|we|i|you|everything|all|[\pL-]+ [\pL-]+|[\pL-]+)(?:'s|'re|'m| is| was| are| am| were| should be| has to be| es| son| está| están| era)? )?(?:` + oneOf(
		`all|already|just|really|very|pretty|quite|so|actually|still|totally|perfectly|only|also|too|even|much|a bit`,
		`kind of|not|being|been|going to be|muy|bastante|ya|tan|no`,
	) + ` )*` + oneOf(
		`all|it$|works|\pL{2,}ing|fine|ok|okay|good|great|perfect|enough|everything|alright|right|correct|nice|cool`,
		`lovely|beautiful|amazing|awesome|wonderful|excellent|brilliant|impressive|interesting|fun|funny|sad|hard|easy`,
		`easier|simple|clear|obvious|useful|helpful|better|best|late|early|busy|done|ready|finished|working|worth`,
		`necessary|needed|important|urgent|a problem|problem|bad|terrible|happy|glad|sure|sorry|tired|curious|hungry`,
		`joking|kidding|nothing|time|up to you|your (?:call|choice|turn)|my (?:fault|mistake|bad)|thinking|wondering`,
		`looking|trying|planning|going|about to`,
		`a (?:good|great|nice|bit|lot|pleasure|joke|relief|shame|pity|long|hard|tough|valid|fair|big|huge|small)`,
		`an (?:excellent|interesting|amazing|honor)|welcome|used to|no (?:rush|problem|hurry|need)|plenty|more than`,
		`what i (?:needed|wanted|expected)|exactly|as good|raining|sunny|cold|hot|warm|cloudy|how|why|because|like|been`,
		`gone|back|here|over|true|a good|lucky|proud|excited|stuck|lost|confused|tomorrow is|me|perfect[oa]|genial`,
		`buen[oa]|bien|estupend[oa]|fantástic[oa]|maravillos[oa]|precios[oa]|bonit[oa]|fácil|difícil|interesante`,
		`suficiente|todo|nada|broma|una broma|tarde|pronto|temprano|necesari[oa]|urgente|importante|problema|un problema`,
		`grave|normal|mejor|peor|igual|posible|gracias|verdad|ciert[oa]|culpa mía|cansad[oa]|segur[oa]|list[oa]|un placer`,
		`un buen|una buena|una pena|una lástima|hora|cosa|que|por eso|tu|de agradecer|divertid[oa]|útil|clar[oa]`,
	) + `(?:$|[^\pL])`)

	// thisNotThat captures that.
	thisNotThat = begins(`[^,;]{1,60}, (?:and )?(?:not|no|instead of|rather than) (?:in |on |at |the |a |an |en |el |la |con |de )?([^,;]{1,60})$`,
		`(?:it|that|this|he|she|they|there)(?:'s|'re| is| was| are| were) |(?:i|we|you) |i'm |we're |my |our |his |her `,
		`their |its |the |in |on |at |use |call |put |write |make |with |for |by |es |son |era |mi |su |el |la |los |las `,
		`en |uso |usa |usamos |vivo |trabajo |me llamo |se llama |con |para |a `,
	)

	// notThatButThis, noEsEs and sino capture that.
	notThatButThis = lazyregexp.New(`^(?:(?:it|that|this|he|she|they)(?:'s|'re| is| was| are) |(?:i|we)(?:'m|'re| am| are) )?not (?:in |on |at |the |a |an |my |our )*([^,;]{1,60}?),? but (?:rather |in |on |at |the |a |an )*(\S.*)$`)
	noEsEs         = lazyregexp.New(`^(?:no, )?no (?:es|son|era|está|vivo|trabajo|uso|usamos|se llama|me llamo) (?:en |el |la |los |las |un |una |de )*([^,;]{1,60}?)[,;] (?:es|son|era|está|vivo|trabajo|uso|usamos|se llama|me llamo) \S`)
	sino           = lazyregexp.New(`^(?:[^,;]{0,40} )?no (?:es|son|era|está|se|me|en|el|la|los|las|un|una|uso|usamos|vivo|trabajo|quería|con|a|para) ?([^;]{1,60}?),? sino (?:que )?\S`)

	// notThat captures that, where what is right follows.
	notThat = lazyregexp.New(`^(?:not|no) (?:in |on |at |to |the |a |an |my |our |en |el |la |los |las |un |una |de )*([^,;:]{1,60}?)[,;:] `)

	// idle begins what is no thing that could be mistaken.
	idle = lazyregexp.New(`^(?:a )?` + oneOf(
		`bad|sure|yet|now|really|too|very|quite|only|just|always|that|all|everyone|everything|necessarily|urgent`,
		`important|perfect|ideal|great|good|easy|cheap|a (?:big deal|problem|priority|bad|fan|lot|huge|great|good)`,
		`big deal|problem|priority|much|many|long|pretty|going|gonna|complaining|saying|today|tonight|tomorrow|yesterday`,
		`right now|anymore|me|mine|you|yours|last|least|to|that i|because|if|when|so|sol[oa]|sólo|solamente|únicamente`,
		`tanto|que|porque|nada|tod[oa]s?|urgente|importante|grave|problema|un problema|necesari[oa]|ahora|hoy|mañana`,
		`tarde|barato|por|muy|tan|mal|malo|fácil|perfecto|trata solo|trata sólo|es solo`,
	) + `(?:$|[^\pL])`)

	// aside begins what is a sentence of its own after "but".
	aside = lazyregexp.New(`^(?:i|you|we|he|she|it|they|there|could|can|please|maybe|perhaps|also|still|at least|that|let|thanks|thank|good|better|close|almost)\b`)

	// opinion marks what is judged rather than named.
	opinion = lazyregexp.New(`\b` + oneOf(
		`\pL+ing|my favorite|happy|interested|expert|worried|afraid|angry|tired|like|feel|ready|done|finished|working`,
		`convinced|fancy|fast|slow|expensive|pretty|ugly|nice|small|big|favorito|feliz|contento|lento|rápido|caro|grande`,
		`pequeño|bonito|experto`,
	) + `\b`)
)

// oneOf matches any of the phrases.
func oneOf(phrases ...string) string { return `(?:` + strings.Join(phrases, "|") + `)` }

// begins matches any of the phrases at the beginning, with what follows them.
func begins(follows string, phrases ...string) *lazyregexp.Regexp {
	return lazyregexp.New(`^` + oneOf(phrases...) + follows)
}
