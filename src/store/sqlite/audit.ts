import type { PageRequest } from '../../money/accounts/account-store.ts';
import type { AuditEntry, AuditFilter, AuditRecord } from '../../money/accounts/audit.ts';
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
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : sequenceOf(after);
  return connection.all(selectPage, { before, limit, actor, action, target, since }).map(recordOf);
}

type NullableFilter = { [Part in keyof AuditFilter]: AuditFilter[Part] | null };

/** Returns the record, or undefined if the id is unknown. */
export function selectAuditRecord(connection: SqliteConnection, id: string): AuditRecord | undefined {
  const row = connection.first('SELECT * FROM audit WHERE sequence = $sequence', {
    sequence: sequenceOf(id),
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

const PREFIX = 'aud_';
/** As many digits as the largest safe integer, so that ids sort as text. */
const ID_DIGITS = 16;

function idOf(sequence: number): string {
  return PREFIX + String(sequence).padStart(ID_DIGITS, '0');
}

function sequenceOf(id: string): number {
  const sequence = Number(id.slice(PREFIX.length));
  return Number.isSafeInteger(sequence) && idOf(sequence) === id ? sequence : 0;
}

function recordOf(row: Row): AuditRecord {
  return {
    id: idOf(row.sequence as number),
    at: row.at as number,
    actor: row.actor as string,
    action: row.action as string,
    target: row.target as string,
    before: JSON.parse(row.before as string),
    after: JSON.parse(row.after as string),
  };
}
