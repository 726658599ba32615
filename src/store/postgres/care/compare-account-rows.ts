import { nextTurn } from '../../../base/lib/next-turn.ts';
import type { LedgerFault } from '../../../money/ledger/ledger-fault.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import type { DerivedTable } from '../../ledger/derived-table.ts';
import { type ExpectedRows, keyName, type Value } from '../../ledger/expected-rows.ts';
import { rowFaults } from '../../ledger/row-faults.ts';
import type { PostgresRow } from '../database.ts';
import type { Queries } from '../queries.ts';
import { postgresDerivedTables } from './postgres-derived-tables.ts';
import { selectStrays } from './select-strays.ts';

/** About 5 ms of work. */
const ROWS_AT_A_TIME = 500;
/** At most this many differences are reported for one table. */
const MAX_DIFFERENCES = 200;

const selectBudgetedSql = `
  SELECT x ->> 0 AS counter, x ->> 1 AS target, (x ->> 2)::bigint AS bin, sum(microcredits)::bigint AS microcredits
  FROM open_hold CROSS JOIN LATERAL jsonb_array_elements(open_hold.budgets) AS x
  WHERE account_id = $1 GROUP BY 1, 2, 3`;

const selectHeldSql = `
  SELECT pays, key_id, month, is_capped, sum(microcredits)::bigint AS microcredits FROM open_hold
  WHERE account_id = $1 AND microcredits <> 0 GROUP BY 1, 2, 3, 4`;

/** Adds the amounts that the account's open holds reserve. */
export async function takeHolds(queries: Queries, accountId: string, rows: ExpectedRows): Promise<void> {
  const held = await queries.all(selectHeldSql, [accountId]);
  for (const { pays, key_id, month, is_capped, microcredits } of held) {
    if (pays === PURCHASED) rows.holdBalance(PURCHASED, Number(microcredits));
    if (is_capped === true) rows.holdCap(String(key_id), String(month), Number(microcredits));
  }
  for (const { counter, target, bin, microcredits } of await queries.all(selectBudgetedSql, [accountId]))
    rows.holdBudget([String(counter), String(target), Number(bin)], Number(microcredits));
}

const selectWrongMarkSql = `
  SELECT has_budgets FROM account_head h
  WHERE account_id = $1 AND has_budgets <> EXISTS (SELECT 1 FROM budget b WHERE b.account_id = h.account_id)`;

/** Compares all derived rows of an account with their expected values, in one snapshot. */
export async function compareAccountRows(
  queries: Queries,
  accountId: string,
  expected: ExpectedRows,
): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  const strays = new Set(await selectStrays(queries, accountId, expected));
  const marked = await queries.first(selectWrongMarkSql, [accountId]);
  if (marked)
    faults.push({
      accountId,
      what: 'has_budgets of account_head',
      recorded: String(marked.has_budgets),
      recomputed: String(!marked.has_budgets),
    });
  for (const table of postgresDerivedTables)
    faults.push(...(await tableFaults(queries, { accountId, table, expected, strays })));
  return faults;
}

type TableQuestion = {
  accountId: string;
  table: DerivedTable;
  expected: ExpectedRows;
  strays: ReadonlySet<string>;
};

async function tableFaults(queries: Queries, question: TableQuestion): Promise<LedgerFault[]> {
  const { table, expected, ...account } = question;
  const faults: LedgerFault[] = [];
  const rowNames = new Set<string>();
  for (let after: Value[] | undefined; ; ) {
    const rows = await selectRows(queries, question, after);
    for (const row of rows) {
      const key = table.key.map((column) => row[column] as Value);
      rowNames.add(keyName(key));
      faults.push(...rowFaults({ ...account, table, key, row }, expected));
    }
    if (rows.length < ROWS_AT_A_TIME || faults.length >= MAX_DIFFERENCES) break;
    after = table.key.map((column) => rows.at(-1)![column] as Value);
    await nextTurn();
  }
  if (faults.length < MAX_DIFFERENCES)
    for (const [name, { key }] of expected.of(table.name))
      if (!rowNames.has(name))
        faults.push(...rowFaults({ ...account, table, key, row: undefined }, expected));
  return faults.slice(0, MAX_DIFFERENCES);
}

/** Selects rows after a row, in the order of the key. */
function selectRows(
  queries: Queries,
  { accountId, table }: TableQuestion,
  after: Value[] | undefined,
): Promise<PostgresRow[]> {
  const { name, key, values } = table;
  const columns = [...key, ...values].join(', ');
  const behind = after
    ? `AND (${key.join(', ')}) > (${after.map((_, index) => `$${index + 2}`).join(', ')})`
    : '';
  const order = key.length > 0 ? `ORDER BY ${key.join(', ')}` : '';
  const sql = `SELECT ${columns} FROM ${name} WHERE account_id = $1 ${behind} ${order} LIMIT ${ROWS_AT_A_TIME}`;
  return queries.all(sql, [accountId, ...(after ?? [])]);
}
