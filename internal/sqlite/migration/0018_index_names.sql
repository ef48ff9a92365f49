-- Parts of the index are called what the rest of the field calls them.

-- Renaming a full-text table renames the tables that it keeps its index in.
ALTER TABLE word RENAME TO term_index;
ALTER TABLE piece RENAME TO trigram_index;

-- Passages many to a row, as package index/lexical keeps them.
ALTER TABLE posted RENAME TO passage_block;

-- Vectors that are in no block of codes yet, as package index/nearest has them.
ALTER TABLE uncoded RENAME TO pending_code;
ALTER TABLE code_head RENAME COLUMN uncoded TO pending;

-- Passages up to this number were looked through for the target.
ALTER TABLE embedding RENAME COLUMN walked TO backfilled_through;
