import type { PageRequest } from '../../money/accounts/account-store.ts';
import type { AuditEntry, AuditFilter, AuditRecord } from '../../money/accounts/audit.ts';
import { auditIdOf, auditSequenceOf } from '../audit-id.ts';
import type { Row, SqliteConnection } from './connection.ts';

/** Appends `entry` to the log. No statement changes or removes entries. */
export function insertAudit(connection: SqliteConnection, entry: AuditEntry): void {
  const { at, actor, action, target } = entry;
  connection.run(insert, { at, actor, action, target, before: json(entry.before), after: json(entry.after) });
}

/** Returns up to `limit` fitting records older than the record `after`, newest first; none if `after` is not a record id. */
export function selectAudit(
  connection: SqliteConnection,
  { limit, after, ...filter }: PageRequest & AuditFilter,
): AuditRecord[] {
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : auditSequenceOf(after);
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  const conditions = [
    filter.until === undefined ? 'sequence < $before' : beforeUntil,
    ...wanted.map(([part]) => fits[part as keyof AuditFilter]),
  ];
  const text = `SELECT * FROM audit WHERE ${conditions.join(' AND ')} ORDER BY sequence DESC LIMIT $limit`;
  return connection.all(text, { before, limit, ...Object.fromEntries(wanted) }).map(recordOf);
}

/**
 * The text has only the conditions that are asked for, so that the planner can use their indexes. The order of the times is almost that of
 * the sequence, so a bound of the sequence from the index of times spares the scan of the other records. The plus signs keep the planner
 * from sorting by that index.
 */
const fits: Readonly<Record<keyof AuditFilter, string>> = {
  actor: 'actor = $actor',
  action: 'action = $action',
  target: 'target = $target',
  since: `+at >= $since AND sequence >=
    (SELECT min(+sequence) FROM audit INDEXED BY audit_by_time WHERE at >= $since)`,
  until: '+at <= $until',
};

const beforeUntil = `sequence < min($before,
  (SELECT 1 + coalesce(max(+sequence), 0) FROM audit INDEXED BY audit_by_time WHERE at <= $until))`;

/** Returns the record, or undefined if the id is unknown. */
export function selectAuditRecord(connection: SqliteConnection, id: string): AuditRecord | undefined {
  const row = connection.first('SELECT * FROM audit WHERE sequence = $sequence', {
    sequence: auditSequenceOf(id),
  });
  return row && recordOf(row);
}

const insert = `
  INSERT INTO audit (at, actor, action, target, before, after)
  VALUES ($at, $actor, $action, $target, $before, $after)`;

/** Undefined is stored as null. */
function json(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

function recordOf(row: Row): AuditRecord {
  return {
    id: auditIdOf(row.sequence as number),
    at: row.at as number,
    actor: row.actor as string,
    action: row.action as string,
    target: row.target as string,
    before: JSON.parse(row.before as string),
    after: JSON.parse(row.after as string),
  };
}
