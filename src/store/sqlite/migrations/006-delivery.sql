-- Answers of entries up to `confirmed` were sent. Those entries were written well before their process ended, or the
-- process ended in good order. `unconfirmed` has ranges of entry numbers whose delivery is unknown.

CREATE TABLE confirmed (number INTEGER NOT NULL) STRICT;

INSERT INTO confirmed SELECT COALESCE(MAX(number), 0) FROM entry;

CREATE TABLE unconfirmed (first INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
