import type { LedgerFault } from '../../../money/ledger/ledger-fault.ts';
import { storeFault } from '../../ledger/store-fault.ts';
import { number } from '../../row-columns.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { accountOfRow } from './account-of-row.ts';
import { selectConfirmed } from './deliveries.ts';
import { selectLastNumber, selectNumbered, selectWritten } from './entries.ts';
import { selectHead } from './heads.ts';
import { holdPages } from './hold-rows.ts';
import type { LedgerArchive } from './ledger-archive.ts';
import { selectQuarantines } from './quarantines.ts';
import { selectSummed } from './summed.ts';

/** The sizes of pages. A page takes about 2 ms of work. */
const ENTRIES_AT_A_TIME = 5_000;
const ROWS_AT_A_TIME = 300;
/** The most faults that are reported. */
const MAX_NAMED = 20;

export type StoreQuestion = {
  connection: SqliteConnection;
  archive: LedgerArchive;
  /** The number up to which `entries` counts the entries of all chains. */
  upTo: number;
  entries: number;
  /** The last number given to an entry. */
  lastNumber: number;
};

/** Checks data that belongs to no account, in pieces. The caller pauses at each yield. */
export function* verifyStore(question: StoreQuestion): Generator<void, LedgerFault[]> {
  const { connection } = question;
  return [
    ...positionFaults(question),
    ...quarantineFaults(connection),
    ...(yield* holdFaults(connection)),
    ...(yield* entryFaults(question)),
  ];
}

function positionFaults({ connection, archive, lastNumber }: StoreQuestion): LedgerFault[] {
  const positions = { summed: selectSummed(connection), confirmed: selectConfirmed(connection) };
  const faults = Object.entries(positions).flatMap(([table, { number, isIntact }]) => {
    if (!isIntact) return [storeFault(`seal of ${table}`, number, 'another value')];
    const isThere = number <= archive.upTo || selectNumbered(connection, number) !== undefined;
    return isThere ? [] : [storeFault(`number of ${table}`, number, 'no such entry')];
  });
  const last = selectLastNumber(connection);
  return last > lastNumber ? [...faults, storeFault('last entry', last, lastNumber)] : faults;
}

const quarantineFaults = (connection: SqliteConnection): LedgerFault[] =>
  selectQuarantines(connection)
    .filter(({ isIntact }) => !isIntact)
    .map(({ quarantine: { accountId, reason } }) => ({
      ...storeFault('seal of quarantine', reason, 'another value'),
      accountId,
    }));

function* holdFaults(connection: SqliteConnection): Generator<void, LedgerFault[]> {
  const faults: LedgerFault[] = [];
  for (const page of holdPages(connection)) {
    for (const { requestId, hold } of page)
      if (!hold) faults.push(storeFault(`seal of open_hold ${requestId}`, 'broken', 'whole'));
    if (faults.length >= MAX_NAMED) break;
    yield;
  }
  return faults.slice(0, MAX_NAMED);
}

const countSomeSql = `
  SELECT COUNT(*) AS count, MAX(number) AS last
  FROM (SELECT number FROM entry WHERE number > $after AND number <= $upTo ORDER BY number LIMIT $limit)`;

/** Every entry belongs to one chain. If the table has more entries than the chains, some are in none. */
function* entryFaults({ connection, archive, upTo, entries }: StoreQuestion): Generator<void, LedgerFault[]> {
  let count = archive.segments.reduce((sum, segment) => sum + segment.entries, 0);
  for (let after: number | undefined = archive.upTo; after !== undefined; yield) {
    const row = connection.first(countSomeSql, { after, upTo, limit: ENTRIES_AT_A_TIME });
    const some = number(row, 'count');
    count += some;
    after = some < ENTRIES_AT_A_TIME ? undefined : number(row, 'last');
  }
  if (count === entries) return [];
  return [
    storeFault('entries in chains', count, entries),
    ...(yield* strayFaults(connection, { archived: archive.upTo, upTo })),
  ];
}

/** Finds entries that the next entry of their account skips, and entries after its head. */
function* strayFaults(
  connection: SqliteConnection,
  { archived, upTo }: { archived: number; upTo: number },
): Generator<void, LedgerFault[]> {
  const faults: LedgerFault[] = [];
  const last = new Map<string, { number: number; id: string }>();
  const report = ({ id, number }: { number: number; id: string }) =>
    faults.push(storeFault(`place of entry ${id}`, number, 'in no chain'));
  for (let after = archived; after < upTo && faults.length < MAX_NAMED; yield) {
    const rows = selectWritten(connection, { after, limit: ROWS_AT_A_TIME });
    for (const row of rows) {
      if (row.number > upTo) break;
      const accountId = accountOfRow(connection, row) ?? '';
      const before = last.get(accountId);
      if (before && row.previous < before.number) report(before);
      last.set(accountId, row);
    }
    after = rows.length < ROWS_AT_A_TIME ? upTo : rows.at(-1)!.number;
  }
  for (const [accountId, row] of last) if (row.number > selectHead(connection, accountId).number) report(row);
  return faults.slice(0, MAX_NAMED);
}
