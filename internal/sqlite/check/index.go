package check

import (
	"fmt"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Index holds statements that return one row (number) for each problem. The number
// determines the scope.
var Index = []Statement{
	{"fact_without_passage", "the fact is not indexed", `
		SELECT number FROM fact WHERE NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.number = fact.number AND p.kind = 1)`},
	{"turn_without_passage", "the turn is not indexed", `
		SELECT number FROM turn WHERE NOT forgotten
			AND NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.number = turn.number AND p.kind = 2)
		UNION ALL
		SELECT number FROM turn_passage AS u WHERE number <> turn AND NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.number = u.number AND p.kind = 2)`},
	{"section_without_passage", "the section is not indexed", `
		SELECT number FROM section WHERE NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.number = section.number AND p.kind = 3)`},
	{"passage_without_fact", "the index holds a fact, turn or section that is not there", `
		SELECT number FROM passage AS p
		WHERE p.kind = 1 AND NOT EXISTS (SELECT 1 FROM fact WHERE fact.number = p.number)
			OR p.kind = 2 AND NOT EXISTS (SELECT 1 FROM turn AS t
				WHERE t.number = coalesce((SELECT turn FROM turn_passage AS u WHERE u.number = p.number), p.number) AND NOT t.forgotten)
			OR p.kind = 3 AND NOT EXISTS (SELECT 1 FROM section WHERE section.number = p.number)`},
	{"wrong_section", "the index has the section at another place, or for others to see, than its document says", `
		SELECT p.number FROM passage AS p JOIN section AS c ON c.number = p.number JOIN document AS d ON d.number = c.document
			LEFT JOIN parent AS a ON a.number = p.parent
		WHERE p.kind = 3 AND (p.seq <> c.seq OR a.name IS NOT d.path OR (p.type = ` + fmt.Sprint(passage.TypeSystem) + `) <> (d.kind = 'system'))`},
	{"wrong_speech", "the index takes the turn for one of another speaker", fmt.Sprintf(`
		SELECT p.number FROM passage AS p
			JOIN turn AS t ON t.number = coalesce((SELECT turn FROM turn_passage AS u WHERE u.number = p.number), p.number)
		WHERE p.kind = 2 AND p.type <> CASE WHEN t.role <> 'user' THEN %d WHEN t.speaker = '' THEN %d ELSE 0 END`,
		passage.SpeechType(store.SpeechAssistant), passage.SpeechType(store.SpeechUser))},
	{"wrong_retirement", "the index takes the fact for current and it is not, or the other way round", `
		SELECT p.number FROM passage AS p JOIN fact AS f ON f.number = p.number
		WHERE p.kind = 1 AND p.retired_at IS NOT f.retired_at`},
	{"passage_without_parent", "the passage belongs to no category, session or document", `
		SELECT number FROM passage AS p
		WHERE NOT EXISTS (SELECT 1 FROM parent WHERE parent.number = p.parent AND parent.kind = p.kind)`},
	{"wrong_category", "the index has the fact in another category than the fact says", `
		SELECT p.number FROM passage AS p JOIN fact AS f ON f.number = p.number JOIN parent ON parent.number = p.parent
		WHERE p.kind = 1 AND parent.name <> f.category`},
	{"passage_without_words", "the passage cannot be found by its words", `
		SELECT number FROM passage
		WHERE number NOT IN (SELECT id FROM term_index_content) AND number NOT IN (SELECT number FROM pending WHERE terms IS NOT NULL)
			OR number NOT IN (SELECT id FROM trigram_index_content) AND number NOT IN (SELECT number FROM pending)`},
	{"stray_words", "words are indexed of a passage that is not there", `
		SELECT id FROM term_index_content WHERE id NOT IN (SELECT number FROM passage)
		UNION SELECT id FROM trigram_index_content WHERE id NOT IN (SELECT number FROM passage)
		UNION SELECT number FROM pending WHERE number NOT IN (SELECT number FROM passage)`},
	{"repeated_words", "the text waits to be indexed, by its words or parts, and was indexed already", `
		SELECT number FROM pending WHERE number IN (SELECT id FROM trigram_index_content)
			OR terms IS NOT NULL AND number IN (SELECT id FROM term_index_content)`},
	{"stray_keys", "keys of near-duplicates are stored of a fact that is not there or not current", `
		SELECT DISTINCT number FROM sketch AS s WHERE NOT EXISTS (
			SELECT 1 FROM passage AS p WHERE p.number = s.number AND p.kind = 1 AND p.retired_at IS NULL)`},
	{"passage_without_vector", "the passage has no vector of a model that is wanted and does not wait for one", `
		SELECT p.number FROM (
			SELECT e.serving AS model, coalesce(m.queue, 0) AS queue, 0x7fffffffffffffff AS backfilled_through
			FROM embedding AS e LEFT JOIN model AS m ON m.number = e.serving
			UNION ALL
			SELECT e.target, m.queue, e.backfilled_through FROM embedding AS e JOIN model AS m ON m.number = e.target
			UNION ALL
			SELECT e.base, m.queue, 0x7fffffffffffffff FROM embedding AS e JOIN model AS m ON m.number = e.base) AS w
		CROSS JOIN passage AS p
		WHERE p.number <= w.backfilled_through
			AND NOT EXISTS (SELECT 1 FROM vector AS v WHERE v.place = p.number + (w.model << 34))
			AND NOT EXISTS (SELECT 1 FROM embedding_queue AS q WHERE q.number = p.number AND q.model = w.queue)`},
	{"missing_model", "the embedding model that serves, is to serve or is the base is not there", `
		SELECT 0 FROM embedding AS e
		WHERE e.serving <> 0 AND NOT EXISTS (SELECT 1 FROM model AS m WHERE m.number = e.serving AND NOT m.stale)
			OR e.target <> 0 AND (e.target = e.serving
				OR NOT EXISTS (SELECT 1 FROM model AS m WHERE m.number = e.target AND NOT m.stale))
			OR e.base <> 0 AND NOT EXISTS (SELECT 1 FROM model AS m WHERE m.number = e.base AND NOT m.stale)`},
	{"stray_vector", "a vector is stored of a passage or model that is not there", `
		SELECT place FROM vector AS v WHERE NOT EXISTS (
			SELECT 1 FROM model AS m CROSS JOIN passage AS p ON p.number = v.place - (m.number << 34)
			WHERE m.number = v.place >> 34 & 63)`},
	{"wrong_vector", "a vector has another length than its model's", `
		SELECT place FROM vector AS v JOIN model AS m ON m.number = v.place >> 34 & 63
		WHERE length(v.embedding) NOT IN (m.dim, 4 + 2 * m.dim)`},
	{"damaged_vector", "a vector is not what was written", `
		SELECT place FROM vector WHERE sum IS NOT checksum(embedding)`},
	{"wrong_parent_vector", "the mean vector of the category, session or document is not what was written", `
		SELECT place FROM parent_vector WHERE crc IS NOT checksum(sum)`},
	{"wrong_code", "what the codes of a scope are relative to is not what was written", `
		SELECT scope_no << 40 FROM code_head WHERE center_crc IS NOT iif(center IS NULL, NULL, checksum(center))`},
	{"stray_queue_entry", "a passage waits for a vector and is not there", `
		SELECT number FROM embedding_queue WHERE number NOT IN (SELECT number FROM passage)`},
	{"wrong_parent_count", "the category, session or document counts its passages wrongly", `
		SELECT a.number FROM parent AS a LEFT JOIN (
			SELECT parent, count(*) AS passages, sum(words) AS words FROM passage WHERE retired_at IS NULL GROUP BY parent
		) AS p ON p.parent = a.number
		WHERE (a.passages, a.words) IS NOT (coalesce(p.passages, 0), coalesce(p.words, 0))`},
	{"empty_parent", "the category, session or document has no passage", `
		SELECT number FROM parent WHERE number NOT IN (SELECT parent FROM passage)`},
	{"wrong_scope_count", "the scope counts its passages wrongly", `
		SELECT scope_no << 40 FROM (
			SELECT scope_no, kind, passages, words FROM scope_stat WHERE passages <> 0 OR words <> 0
			EXCEPT
			SELECT number >> 40, kind, count(*), sum(words) FROM passage WHERE retired_at IS NULL GROUP BY 1, 2)
		UNION
		SELECT scope_no << 40 FROM (
			SELECT number >> 40 AS scope_no, kind, count(*), sum(words) FROM passage WHERE retired_at IS NULL GROUP BY 1, 2
			EXCEPT
			SELECT scope_no, kind, passages, words FROM scope_stat)`},
	{"change_behind", "the next change number is taken already", `
		SELECT number FROM passage WHERE change > (SELECT value FROM counter WHERE name = 'change')`},
	{"wrong_code_count", "the scope counts its codes wrongly", `
		SELECT scope_no << 40 FROM code_head AS h
		WHERE EXISTS (SELECT 1 FROM model AS m WHERE m.number = h.model AND NOT m.stale) AND (
			h.pending <> (SELECT count(*) FROM pending_code AS u WHERE u.head = h.id)
			OR h.coded <> (SELECT coalesce(sum(live), 0) FROM code_block AS b WHERE b.head = h.id))`},
}
