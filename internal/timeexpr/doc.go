// Package timeexpr reads time expressions in text: "last week", "since March
// 2023", "hace dos semanas", "two weeks before the trip".
//
// [Find] returns the span of time that an expression means as seen from a given
// moment. [FindRelative] reads a time that is counted from an event, whose own
// time the caller has to find out. English is read in full; what Spanish, French,
// German, Italian and Portuguese say of time is first put into English, word by
// word. A text is never an error: what is not understood is no time expression.
package timeexpr
