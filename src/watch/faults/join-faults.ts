import { areFrequent, FAILURES, type FaultRow, type JoinedFault, WELL_FOR_MS, WITHIN_MS } from './fault.ts';

/**
 * Joins what several processes have seen. Rows of one provider and cause are one fault if their times
 * overlap.
 */
export function joinFaults(rows: readonly FaultRow[], now: number): JoinedFault[] {
  const bySubject = Map.groupBy(rows, ({ provider, cause }) => `${provider} ${cause}`);
  return [...bySubject.values()].flatMap((subjectRows) => joinSubject(subjectRows, now));
}

/** Joins the rows of one provider and cause, which can be several faults one after another. */
function joinSubject(rows: readonly FaultRow[], now: number): JoinedFault[] {
  const groups: FaultRow[][] = [];
  for (const row of [...rows].sort((a, b) => a.firstAt - b.firstAt)) {
    const group = groups.at(-1);
    if (group && row.firstAt < spanEnd(group)) group.push(row);
    else groups.push([row]);
  }
  return groups.flatMap((group) => faultOf(group, now) ?? []);
}

/** Returns the time until which a further failure belongs to the fault of these rows. */
function spanEnd(rows: readonly FaultRow[]): number {
  const wellAt = wellAtOf(rows);
  if (wellAt !== null) return wellAt + WELL_FOR_MS;
  return isRaised(rows) ? Number.POSITIVE_INFINITY : lastFailureOf(rows) + WITHIN_MS;
}

/** Joins rows to one fault. Returns undefined if none of the rows has a failure. */
function faultOf(rows: readonly FaultRow[], now: number): JoinedFault | undefined {
  const failing = rows.filter(hasFailed);
  const [first] = failing;
  if (!first) return undefined;
  const last = failing.reduce((latest, row) => (row.lastAt > latest.lastAt ? row : latest));
  const wellAt = wellAtOf(rows);
  const endsAt = wellAt === null ? null : wellAt + WELL_FOR_MS;
  return {
    id: first.id,
    provider: last.provider,
    cause: last.cause,
    model: failing.every(({ model }) => model === last.model) ? last.model : null,
    firstAt: first.firstAt,
    lastAt: last.lastAt,
    wellAt,
    failures: rows.reduce((sum, { failures }) => sum + failures, 0),
    hidden: rows.reduce((sum, { hidden }) => sum + hidden, 0),
    isRaised: isRaised(rows),
    status: last.status,
    message: last.message,
    endedAt: endsAt !== null && endsAt <= now ? endsAt : null,
  };
}

const hasFailed = (row: FaultRow): row is FaultRow & { lastAt: number } => row.lastAt !== null;

/** Returns the time of the latest failure. It is before all times if there is none. */
const lastFailureOf = (rows: readonly FaultRow[]): number =>
  Math.max(...rows.map(({ lastAt }) => lastAt ?? Number.NEGATIVE_INFINITY));

/** Returns the first known success after the latest failure. */
function wellAtOf(rows: readonly FaultRow[]): number | null {
  const lastAt = lastFailureOf(rows);
  const successes = rows.flatMap(({ wellAt, seenAt }) => [wellAt, seenAt]).filter((at) => at !== null);
  const later = successes.filter((at) => at >= lastAt);
  return later.length === 0 ? null : Math.min(...later);
}

/** Few failures of each process can be enough together. */
function isRaised(rows: readonly FaultRow[]): boolean {
  if (rows.some((row) => row.isRaised)) return true;
  const times = rows.flatMap(({ recent }) => recent).sort((a, b) => a - b);
  return times.some((_, index) => areFrequent(times.slice(index, index + FAILURES)));
}
