import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { hashEntry } from '../../../src/money/ledger/hash-entry.ts';

type Last = { id: string; number: number; text: string; hash: string };

const COUNTER_DIGITS = 8;

/**
 * Adds entries to the ledger of a data directory, as its release has written them: copies of the latest
 * charge of an account, each with an id, a place and a hash of its own.
 * The sums do not have them yet, as after a kill.
 */
export function addEntries(
  directory: string,
  { accountId, count }: { accountId: string; count: number },
): void {
  using database = new Database(join(directory, 'tollgate.db'));
  database.run('PRAGMA synchronous = OFF');
  const sample = database
    .query<Last, [string]>(`SELECT * FROM entry WHERE text LIKE ? ORDER BY number DESC LIMIT 1`)
    .get(`["${accountId}",%,"usage",%`)!;
  const last = database
    .query<Last, [string]>(`SELECT * FROM entry WHERE text LIKE ? ORDER BY number DESC LIMIT 1`)
    .get(`["${accountId}",%`)!;
  let { number } = database.query<{ number: number }, []>('SELECT MAX(number) AS number FROM entry').get()!;
  const insert = database.query(
    'INSERT INTO entry (number, id, previous, text, hash) VALUES (?, ?, ?, ?, ?)',
  );
  let sequence = JSON.parse(last.text)[1] as number;
  let { number: previous, hash } = last;
  const requestId = sample.id.replace('ent_', '');
  const own = requestId.slice(0, -COUNTER_DIGITS);
  database.transaction(() => {
    for (let index = 0; index < count; index++) {
      number++;
      sequence++;
      const id = own + String(index).padStart(COUNTER_DIGITS, '0');
      const text = sample.text
        .replace(/^(\["[^"]+"),\d+,/, `$1,${sequence},`)
        .replace(`"req_${requestId}"`, `"req_${id}"`);
      hash = hashEntry(hash, `ent_${id}`, text);
      insert.run(number, `ent_${id}`, previous, text, hash);
      previous = number;
    }
  })();
}
