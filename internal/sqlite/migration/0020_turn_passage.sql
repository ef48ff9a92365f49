-- The parts of a long turn's text that are passages of their own. The first has the
-- number of its turn. A turn without rows is one passage.
CREATE TABLE turn_passage (
	number INTEGER PRIMARY KEY,
	turn   INTEGER NOT NULL, -- its number
	start  INTEGER NOT NULL, -- bytes of the text before the passage
	stop   INTEGER NOT NULL  -- and up to its end
) STRICT;
CREATE INDEX turn_passage_turn ON turn_passage (turn);

-- Turns of earlier versions that may be long, and are still to be divided.
CREATE TABLE undivided (number INTEGER PRIMARY KEY) STRICT;
INSERT INTO undivided (number) SELECT number FROM turn WHERE length(text) > 300 AND NOT forgotten;
