/**
 * The places of the values in an entry's text, which is JSON. Tests read entries by them, without code of the
 * ledger.
 */
export const entryPlaces = {
  account_id: [0],
  at: [2],
  kind: [3],
  period: [4],
  microcredits: [5],
  key_id: [7, 0],
  request_id: [7, 1],
  model: [7, 2],
  input: [7, 4, 0],
  cached: [7, 4, 1],
  output: [7, 4, 3],
  outcome: [7, 9],
  is_estimated: [7, 10],
  bound: [7, 14, 1],
  beyond_cap_microcredits: [7, 14, 2],
  key_difference: [8, 2],
} as const;

/** Columns that Postgres converts from text. */
const types: Record<string, string> = {
  at: 'bigint',
  microcredits: 'bigint',
  input: 'bigint',
  cached: 'bigint',
  output: 'bigint',
  is_estimated: 'boolean',
  beyond_cap_microcredits: 'bigint',
  key_difference: 'bigint',
};

const columnsOf = (format: (name: string, place: readonly number[]) => string): string =>
  Object.entries(entryPlaces)
    .map(([name, place]) => `${format(name, place)} AS ${name}`)
    .join(', ');

/** The entries of SQLite, with a column for each value of their texts. */
export const sqliteEntries = `
  (SELECT id, number, ${columnsOf((_, place) => `text ->> '$${place.map((index) => `[${index}]`).join('')}'`)}
   FROM entry)`;

const postgresColumns = columnsOf((name, place) => {
  const text = `t #>> '{${place}}'`;
  return types[name] ? `(${text})::${types[name]}` : text;
});

/** The entries of Postgres, with a column for each value of their texts. */
export const postgresEntries = `
  (SELECT id, number, xid, posted_at, ${postgresColumns}
   FROM (SELECT id, number, xid, posted_at, text::jsonb AS t FROM entry) AS e)`;
