import { afterAll, expect, test } from 'bun:test';
import { verifyLedger } from '../../../ledger/verify-ledger.ts';
import { heldBy, sampleEntry, samplePosting, sampleTime } from '../../conformance/sample-ledger.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

// Rows that somebody has changed behind the program's back: each has to be found.

const { directory, remove } = temporaryDirectory();
const store = await openSqliteStore({ directory });
afterAll(async () => {
  await store.close();
  remove();
});

const change = (sql: string) => store.read((connection) => connection.run(sql));
/** `path`: of a value in an entry's text. */
const entryWith = (sequence: number, path: string, value: string | number) =>
  `UPDATE entry SET text = json_set(text, '$${path}', ${value}) WHERE number = ${sequence}`;

const tampered: Record<string, { sql: string; tells: RegExp }> = {
  'a charge': {
    sql: entryWith(3, '[5]', 9999),
    tells: /hash of entry ent_3.*charge of entry ent_3/s,
  },
  'a number of tokens': { sql: entryWith(3, '[7][4][3]', 1), tells: /hash of entry ent_3/ },
  'a rate': { sql: entryWith(3, '[7][5][2]', 0), tells: /hash of entry ent_3/ },
  'whose key it was': { sql: entryWith(3, '[7][0]', "'key_9'"), tells: /spent of key_9/ },
  'how it ended': { sql: entryWith(3, '[7][9]', "'left'"), tells: /hash of entry ent_3/ },
  'when it was': { sql: entryWith(3, '[2]', sampleTime + 1), tells: /hash of entry ent_3/ },
  'its period': { sql: entryWith(3, '[4]', "'free'"), tells: /used of free/ },
  'an id': { sql: `UPDATE entry SET id = 'ent_x' WHERE number = 3`, tells: /hash of entry ent_x/ },
  'an empty place': {
    sql: `UPDATE entry SET text = replace(text, ',', ', ') WHERE number = 3`,
    tells: /hash of entry ent_3/,
  },
  'a grant': {
    sql: entryWith(1, '[5]', 9000),
    tells: /granted of purchased/,
  },
  'an entry removed from the middle': {
    sql: 'DELETE FROM entry WHERE number = 3',
    tells: /hash of entry ent_4/,
  },
  'the last entry removed': { sql: 'DELETE FROM entry WHERE number = 6', tells: /used of cycle-1/ },
  'all entries removed': { sql: 'DELETE FROM entry', tells: /granted of purchased.*spent of key_1/s },
  'two entries exchanged': {
    sql: `UPDATE entry SET number = CASE number WHEN 3 THEN 104 ELSE 103 END WHERE number IN (3, 4);
          UPDATE entry SET number = number - 100 WHERE number > 100`,
    tells: /hash of entry ent_5/,
  },
  'an entry added': {
    sql: `INSERT INTO entry
          SELECT number + 1, 'ent_7', number, json_set(text, '$[1]', 7), hash FROM entry WHERE number = 6;
          UPDATE account_head SET number = number + 1, sequence = 7`,
    tells: /hash of entry ent_7.*used of cycle-1/s,
  },
  'an entry passed over': {
    sql: 'UPDATE entry SET previous = previous - 1 WHERE number = 5',
    tells: /hash of entry ent_5.*used of cycle-1/s,
  },
  'where its entries end': { sql: 'UPDATE account_head SET number = number - 1', tells: /used of cycle-1/ },
  'what is used': { sql: 'UPDATE bucket SET used = used - 1', tells: /used of cycle-1/ },
  'what was granted': { sql: 'UPDATE bucket SET granted = granted + 1', tells: /granted of purchased/ },
  'all balances removed': { sql: 'DELETE FROM bucket', tells: /used of cycle-1/ },
  'a sum of an hour': { sql: 'UPDATE usage_hour SET microcredits = 0', tells: /spent of key_1/ },
  'a sum of a day': { sql: 'UPDATE usage_day SET microcredits = 0', tells: /spent by day of key_1/ },
  'what was beyond a cap': {
    sql: 'UPDATE key_excess SET microcredits = microcredits + 1',
    tells: /beyond the cap of key_1 in the month from \d+/,
  },
  'the key that passed its cap': {
    sql: `UPDATE key_excess SET key_id = 'key_9'`,
    tells: /beyond the cap of key_9.*beyond the cap of key_1/s,
  },
  'the month in which a cap was passed': {
    sql: 'UPDATE key_excess SET month = 0',
    tells: /the month from 0/,
  },
  'what was beyond a cap removed': { sql: 'DELETE FROM key_excess', tells: /beyond the cap of key_1/ },
  'everything but the sums removed': {
    sql: 'DELETE FROM entry; DELETE FROM bucket',
    tells: /spent of key_1/,
  },
};

for (const id of ['ent_1', 'ent_2']) await store.ledger.give(sampleEntry({ id, microcredits: 500 }));
for (let number = 3; number <= 6; number++) {
  const hold = await heldBy(store.ledger, { requestId: `req_${number}`, keyCapMicrocredits: 350 });
  await store.ledger.post(samplePosting(hold, 100));
}

await store.ledger.verifyAccount('acct_1'); // sums are in their tables

test('a ledger that nobody has touched agrees with itself', async () => {
  expect(await verifyLedger(store.ledger)).toEqual({ accounts: 1, entries: 6, faults: [] });
});

for (const [what, { sql, tells }] of Object.entries(tampered)) {
  test(`finds in the ledger that somebody changed: ${what}`, async () => {
    await change('BEGIN');
    try {
      for (const statement of sql.split(';')) await change(statement);
      const { faults } = await verifyLedger(store.ledger);
      expect(faults.map((fault) => fault.what).join('\n')).toMatch(tells);
    } finally {
      await change('ROLLBACK');
    }
  });
}
