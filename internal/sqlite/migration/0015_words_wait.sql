-- Terms of package internal/text wait together with the normalized text and go
-- into table word when that goes into piece. Null says that the terms of the
-- passage are in word already, as are those of all texts that waited before; a
-- text without any term has an empty one.
ALTER TABLE uncut ADD COLUMN terms TEXT;
