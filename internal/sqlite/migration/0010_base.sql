-- The model whose vectors are kept whichever model serves: what can be found
-- without a model is then found beside one, too. 0 while none is kept so.
ALTER TABLE embedding ADD COLUMN base INTEGER NOT NULL DEFAULT 0;
