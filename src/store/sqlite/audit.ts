import type { PageRequest } from '../../money/accounts/account-store.ts';
import {
  type AuditEntry,
  type AuditFilter,
  type AuditRecord,
  entryOfEvent,
  JOINED_MS,
  type RepeatedEvent,
} from '../../money/accounts/audit.ts';
import { auditSequenceOf } from '../audit-id.ts';
import { recordOfRow, rowOfAudit } from '../audit-rows.ts';
import type { SqliteConnection } from './connection.ts';
import { changedField, joinChanges } from './join-audit.ts';
import { insertRow } from './write-row.ts';

/** Appends `entry` to the log, or joins it to an entry for an earlier change of the same field. */
export function insertAudit(connection: SqliteConnection, raw: AuditEntry): void {
  const entry = asStored(raw);
  const field = changedField(entry);
  if (field !== undefined && joinToEarlier(connection, entry, field)) return;
  insertRow(connection, 'audit', rowOfAudit(entry));
}

/** Raises the count of an entry for the same event, or appends an entry. */
export function insertRepeated(connection: SqliteConnection, event: RepeatedEvent): void {
  const { at, actor, action, target, times } = event;
  const since = at - JOINED_MS;
  const details = JSON.stringify(event.details);
  const raised = connection.first(raise, { at, since, actor, action, target, details, times });
  if (!raised) insertAudit(connection, entryOfEvent(event));
}

/** The plus signs keep the planner from the indexes of long lists. */
const raise = `
  UPDATE audit
  SET after = json_set(after, '$.times', json_extract(after, '$.times') + $times, '$.lastAt', $at)
  WHERE sequence = (
    SELECT sequence FROM audit
    WHERE target = $target AND +at > $since AND +action = $action AND +actor = $actor
      AND json_remove(after, '$.times', '$.lastAt') = $details
    ORDER BY sequence DESC LIMIT 1)
  RETURNING sequence`;

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
  return connection.all(text, { before, limit, ...Object.fromEntries(wanted) }).map(recordOfRow);
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
  return row && recordOfRow(row);
}

/** The entry as a reader gets it: without members that JSON lacks. */
function asStored(entry: AuditEntry): AuditEntry {
  const { before, after } = rowOfAudit(entry);
  return { ...entry, before: JSON.parse(before), after: JSON.parse(after) };
}

function joinToEarlier(connection: SqliteConnection, entry: AuditEntry, field: string): boolean {
  const { at, actor, action, target } = entry;
  const since = at - JOINED_MS;
  for (const row of connection.all(selectEarlier, { since, actor, action, target })) {
    const joined = joinChanges(recordOfRow(row), entry, field);
    if (!joined) continue;
    connection.run('UPDATE audit SET after = $after, changes = changes + 1 WHERE sequence = $sequence', {
      after: JSON.stringify(joined),
      sequence: row.sequence as number,
    });
    return true;
  }
  return false;
}

/** Removes the oldest entries. */
export function sweepAudit(
  connection: SqliteConnection,
  { recordedBefore, limit }: { recordedBefore: number; limit: number },
): number {
  const removed = connection.all(removeOld, { recordedBefore, limit });
  return removed.length;
}

const removeOld = `
  DELETE FROM audit WHERE sequence IN (SELECT sequence FROM audit WHERE at < $recordedBefore ORDER BY at LIMIT $limit)
  RETURNING sequence`;

/** The plus signs keep the planner from the indexes of long lists. */
const selectEarlier = `
  SELECT * FROM audit
  WHERE target = $target AND +action = $action AND +actor = $actor AND at > $since
  ORDER BY sequence DESC LIMIT 20`;
