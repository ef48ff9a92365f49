// Package category puts the facts of a scope into categories, which are the first of
// the three tiers that a question goes through.
//
// A write finds the category of its fact by what is there then ([Set.Assign]). Now and
// then all facts of a scope are looked through together, as only they show which topics
// are worth a category ([Regroup]). What people decide about categories ([Rename],
// [Merge], [Pin]) holds against both.
package category
