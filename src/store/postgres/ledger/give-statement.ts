import type { Entry } from '../../../money/ledger/entry.ts';
import { entryPieces } from '../../../money/ledger/entry-pieces.ts';
import type { GiveOptions } from '../../../money/ledger/ledger-store.ts';
import { MAX_LIMIT } from '../../../money/ledger/microcredits.ts';
import { SqlStatement } from '../../sql-statement.ts';
import { auditCall } from '../postgres-forms.ts';

/**
 * Returns the call of `give_entry()`. The audit entry is part of the same statement, and is written only if
 * the ledger entry is new.
 */
export function giveStatement(
  node: string,
  entry: Entry,
  { mayOwe = false, audit }: GiveOptions,
): Pick<SqlStatement, 'values'> & { text: string } {
  const { id, accountId, at, period, microcredits } = entry;
  const [before, middle, end] = entryPieces(entry);
  const behind = `${middle}${microcredits}${end}`;
  const statement = new SqlStatement();
  const values = [node, id, accountId, at, period, microcredits, before, behind, MAX_LIMIT, mayOwe];
  const call = `give_entry(${values.map((value) => statement.bind(value)).join(', ')})`;
  if (!audit) return { text: `SELECT ${call} AS answer`, values: statement.values };
  const text = `WITH given AS MATERIALIZED (SELECT ${call} AS answer)
    SELECT answer, CASE WHEN answer::json ->> 0 = 'given' THEN ${auditCall(statement, audit)} END FROM given`;
  return { text, values: statement.values };
}
