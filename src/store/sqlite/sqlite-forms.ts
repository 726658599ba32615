import type { AuditEntry } from '../../money/accounts/audit.ts';
import { JOINED_MS } from '../../money/accounts/joined-changes.ts';
import type { RepeatedEvent } from '../../money/accounts/repeated-event.ts';
import { recordOfRow, rowOfAudit } from '../audit-rows.ts';
import type { CommonRow, CommonStatement, StatementSteps } from '../common-queries.ts';
import { number } from '../row-columns.ts';
import type { AuditForms, SqlForms } from '../sql-forms.ts';
import { SqlStatement } from '../sql-statement.ts';
import { changedField, joinChanges } from './join-audit.ts';

const edge = (end: 'min' | 'max', bound: string): string =>
  `(SELECT ${end}(+sequence) FROM audit INDEXED BY audit_by_time WHERE at ${bound})`;

const raiseSql = `
  UPDATE audit
  SET after = json_set(after, '$.times', json_extract(after, '$.times') + $7, '$.lastAt', $1)
  WHERE sequence = (
    SELECT sequence FROM audit
    WHERE target = $5 AND +at > $2 AND +action = $4 AND +actor = $3
      AND json_remove(after, '$.times', '$.lastAt') = $6
    ORDER BY sequence DESC LIMIT 1)
  RETURNING sequence`;

const audit: AuditForms = {
  *record(raw) {
    const entry = asStored(raw);
    const field = changedField(entry);
    if (field !== undefined && (yield* joinToEarlier(entry, field))) return;
    const statement = new SqlStatement();
    yield { text: statement.insert('audit', rowOfAudit(entry)), values: statement.values };
  },

  /**
   * Times are in almost the same order as the sequence, so a bound of the sequence from the index of times
   * spares the scan of the other records. The plus signs keep the planner from sorting by that index.
   * Nothing fits if the bound is null.
   */
  range: ({ before, since, until }) => [
    until === undefined
      ? `sequence < ${before}`
      : `sequence < min(${before}, 1 + ${edge('max', `<= ${until}`)})`,
    ...(since === undefined ? [] : [`+at >= ${since} AND sequence >= ${edge('min', `>= ${since}`)}`]),
    ...(until === undefined ? [] : [`+at <= ${until}`]),
  ],

  raise: ({ at, actor, action, target, details, times }: RepeatedEvent): CommonStatement => ({
    text: raiseSql,
    values: [at, at - JOINED_MS, actor, action, target, JSON.stringify(details), times],
  }),
};

/**
 * The forms of SQLite. One process has the file, and its changes run one after another, so nothing is locked.
 */
export const sqliteForms: SqlForms = {
  /** Lowers ASCII letters alone. */
  lower: (text) => `lower(${text})`,
  position: 'instr',
  skipLocked: '',
  forUpdate: '',
  lockStored: () => 'TRUE',
  takeLock: 'SELECT $1',
  announceKey: 'SELECT $1',
  rowsOf: (parameter, columns) => {
    const expressions = Object.keys(columns).map((column) => `value ->> '${column}' AS "${column}"`);
    return `(SELECT ${expressions.join(', ')} FROM json_each(${parameter}))`;
  },
  elementsOf: (parameter) => `json_each(${parameter})`,
  isShared: false,
  /** SQLite has no statistics to choose the index by. */
  indexed: (table, index) => `${table} INDEXED BY ${index}`,
  hasSpaceForKey: ({ account, now, limit }) => `(
    SELECT count(*) FROM api_key
    WHERE account_id = ${account} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})) < ${limit}`,
  unlessNameInUse: '',
  audit,
};

/** Returns the entry as a reader gets it: without members that JSON lacks. */
function asStored(entry: AuditEntry): AuditEntry {
  const { before, after } = rowOfAudit(entry);
  return { ...entry, before: JSON.parse(before), after: JSON.parse(after) };
}

/** The plus signs keep the planner from the indexes of long lists. */
const selectEarlierSql = `
  SELECT * FROM audit WHERE target = $1 AND +action = $2 AND +actor = $3 AND at > $4
  ORDER BY sequence DESC LIMIT 20`;

const joinSql = 'UPDATE audit SET after = $1, changes = changes + 1 WHERE sequence = $2';

function* joinToEarlier(entry: AuditEntry, field: string): StatementSteps<boolean> {
  const { at, actor, action, target } = entry;
  const earlier: CommonRow[] = yield {
    text: selectEarlierSql,
    values: [target, action, actor, at - JOINED_MS],
  };
  for (const row of earlier) {
    const joined = joinChanges(recordOfRow(row), entry, field);
    if (!joined) continue;
    yield { text: joinSql, values: [JSON.stringify(joined), number(row, 'sequence')] };
    return true;
  }
  return false;
}
