-- The type of a turn says who speaks: 7 a person to an assistant, 8 an assistant, a
-- tool or the system. Turns among people, whose speakers are named, have none.
UPDATE passage SET type = (
	SELECT CASE WHEN t.role <> 'user' THEN 8 WHEN t.speaker = '' THEN 7 ELSE 0 END
	FROM turn AS t WHERE t.number = passage.number)
WHERE kind = 2 AND EXISTS (SELECT 1 FROM turn AS t WHERE t.number = passage.number);

-- Blocks hold the types. They are written again in the background.
DELETE FROM passage_block;
