/** A request as the upstream saw it. Times are of one monotonic clock, in milliseconds. */
export type LimitedCall = {
  /** The time at which the client sent it, which is before its admission. */
  sentAt: number;
  /** The time at which it came to the upstream, which is after its admission. */
  arrivedAt: number;
  /** The number of the node's process. */
  run: number;
};

/** A time in which a node could not write back what it had admitted. */
export type Silence = { run: number; from: number; to: number };

type WindowQuestion = {
  calls: readonly LimitedCall[];
  perMinute: number;
  silences: readonly Silence[];
  /** The kills of Postgres, with the time until which nodes write back what they admitted. */
  losses: readonly { at: number; restoredAt: number }[];
};

const MINUTE_MS = 60_000;

/**
 * Counts, for each span of 60 s that begins with a request, the requests that were certainly admitted in it.
 * A request does not count in a span in which Postgres was killed after it, if its node was lost before it
 * could write the request back.
 */
export function findPassedWindows({ calls, perMinute, silences, losses }: WindowQuestion) {
  const isSilent = (run: number, { at, restoredAt }: WindowQuestion['losses'][number]) =>
    silences.some((silence) => silence.run === run && silence.from < restoredAt && silence.to > at);
  /** The first kill of Postgres that made the windows forget a request. */
  const forgottenAt = ({ run, sentAt }: LimitedCall) =>
    losses.find((loss) => sentAt < loss.at && isSilent(run, loss))?.at ?? Number.POSITIVE_INFINITY;
  const known = calls.map((call) => ({ ...call, forgottenAt: forgottenAt(call) }));
  const exempt = new Set<LimitedCall>();
  let most = 0;
  for (const { sentAt: from } of known) {
    const until = from + MINUTE_MS;
    const within = known.filter(({ sentAt, arrivedAt }) => sentAt >= from && arrivedAt <= until);
    const counted = within.filter((call) => call.forgottenAt > until);
    for (const call of within) if (call.forgottenAt <= until) exempt.add(call);
    most = Math.max(most, counted.length);
  }
  const passed = most > perMinute ? [`${most} requests in 60 s pass the limit of ${perMinute}`] : [];
  return { passed, most, exempt: exempt.size };
}
