-- Traffic of days that have passed is merged, as rows of steps of their own in `traffic`. `merged_to` is the first day of a
-- cut that is not merged.

CREATE TABLE traffic_merge (
  cut INTEGER PRIMARY KEY,
  merged_to INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO traffic_merge (cut, merged_to) VALUES (0, 0), (1, 0);

-- Times at which something happened for the first time, such as an answer of a provider that was not simulated.

CREATE TABLE milestone (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Providers of earlier versions have answered if anything was paid for.
INSERT INTO milestone (name, at)
SELECT 'answer', MIN(at) * 86400000 FROM traffic WHERE step = 2 AND cut = 0 AND spend > 0 HAVING COUNT(*) > 0;
