package tinymodel

import "strings"

// words are the words that have a token of their own. The models spell out all others.
var words = strings.Fields(`
	a about after again all also always am an and any are as at back be because
	been before but by call called can cat city coffee color day did do dog done
	each early email english every few file find first for friend from game get
	give go good had has have he help her here him his home house how i if in
	into is it its job just keep know last left like live lives long make many
	me meet memory more most move moved much my name never new next no not now
	of off often old on one only or other our out over own part people place
	plan play please project read red remember right run said same save say see
	set she should small so some spanish start still stop such take tea tell
	test than thanks that the their them then there they thing think this three
	time to today tool two under up us use user very want was way we week well
	went were what when where which who why will with word work works world
	would write year yes yesterday you your
`)

// letters are the characters that both models know. For others, the chat model falls back
// on bytes, and the embedding model on the unknown token.
const letters = "abcdefghijklmnopqrstuvwxyz" +
	"0123456789" +
	"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" +
	"áéíñóúü¿¡"

// space stands for a space before a word in the tokens of both models.
const space = "\u2581"
