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
  { limit, after, actor = null, action = null, target = null, since = null }: PageRequest & NullableFilter,
): AuditRecord[] {
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : auditSequenceOf(after);
  return connection.all(selectPage, { before, limit, actor, action, target, since }).map(recordOf);
}

type NullableFilter = { [Part in keyof AuditFilter]: AuditFilter[Part] | null };

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

/** A filter that is null fits every record. */
const selectPage = `
  SELECT * FROM audit
  WHERE sequence < $before
    AND ($actor IS NULL OR actor = $actor)
    AND ($action IS NULL OR action = $action)
    AND ($target IS NULL OR target = $target)
    AND ($since IS NULL OR at >= $since)
  ORDER BY sequence DESC LIMIT $limit`;

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
