import { areFrequent, FAILURES, type FaultRow, type JoinedFault, WELL_FOR_MS, WITHIN_MS } from './fault.ts';

/**
 * Joins what several processes have seen.
 * Rows of one provider and cause are one fault if their times overlap.
 */
export function joinFaults(rows: readonly FaultRow[], now: number): JoinedFault[] {
  const bySubject = Map.groupBy(rows, ({ provider, cause }) => `${provider} ${cause}`);
  return [...bySubject.values()].flatMap((ofSubject) => joinSubject(ofSubject, now));
}

/** Joins the rows of one provider and cause, which can be several faults one after another. */
function joinSubject(rows: readonly FaultRow[], now: number): JoinedFault[] {
  const groups: FaultRow[][] = [];
  for (const row of [...rows].sort((a, b) => a.firstAt - b.firstAt)) {
    const group = groups.at(-1);
    if (group && row.firstAt < spanEnd(faultOf(group, now))) group.push(row);
    else groups.push([row]);
  }
  return groups
    .filter((group) => group.some(({ failures }) => failures > 0))
    .map((group) => faultOf(group, now));
}

/** Returns the time until which a further failure belongs to the fault. */
function spanEnd({ isRaised, wellAt, lastAt }: JoinedFault): number {
  if (wellAt !== null) return wellAt + WELL_FOR_MS;
  return isRaised ? Number.POSITIVE_INFINITY : lastAt + WITHIN_MS;
}

function faultOf(rows: readonly FaultRow[], now: number): JoinedFault {
  const failing = rows.filter(({ failures }) => failures > 0);
  const last = failing.reduce(
    (latest, row) => (row.lastAt > latest.lastAt ? row : latest),
    failing[0] ?? rows[0]!,
  );
  const first = failing[0] ?? last;
  const successes = rows.flatMap(({ wellAt, seenAt }) => [wellAt, seenAt]).filter((at) => at !== null);
  const after = successes.filter((at) => at >= last.lastAt);
  const wellAt = after.length === 0 ? null : Math.min(...after);
  const end = wellAt === null ? null : wellAt + WELL_FOR_MS;
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
    isRaised: rows.some(({ isRaised }) => isRaised) || isFrequent(rows),
    status: last.status,
    message: last.message,
    endedAt: end !== null && end <= now ? end : null,
  };
}

/** Few failures of each process can be enough together. */
function isFrequent(rows: readonly FaultRow[]): boolean {
  const times = rows.flatMap(({ recent }) => recent).sort((a, b) => a - b);
  return times.some((_, index) => areFrequent(times.slice(index, index + FAILURES)));
}
