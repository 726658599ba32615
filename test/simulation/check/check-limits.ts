import type { Asked } from '../clients/asked.ts';
import { LIMITS } from '../gateway/configuration.ts';
import type { World } from '../world.ts';

/** The windows, each with the member of its limit. A bin is a sixtieth of a window. */
const windows = [
  { lengthMs: 60_000, limit: 'requestsPerMinute' },
  { lengthMs: 300_000, limit: 'requestsPer5Minutes' },
] as const;
/** A request is counted a while after it arrives. */
const MAX_LATE_MS = 3_000;
/** Other nodes close one that has died within this time. */
const MAX_CLOSED_MS = 25_000;
/** A node that ends this soon after the database is back may not have restored what it had admitted. */
const MAX_RESTORE_MS = 8_000;
/** The time for which a request whose client has left can still be under way. */
const MAX_LINGER_MS = 70_000;

type Limited = keyof typeof LIMITS;

/**
 * Checks that limits are never exceeded, and that no request is refused without reason. A process counts its
 * own, and nodes count together.
 */
export function checkLimits({ clients, ...world }: World): void {
  const { asked } = clients;
  const groups = world.database
    ? [asked.filter(({ record }) => record.host)]
    : [...Map.groupBy(asked, ({ record }) => record.host).values()];
  for (const account of Object.keys(LIMITS) as Limited[])
    for (const group of groups) if (group[0]?.record.host) checkAccount(world, account, group);
}

const codeOf = ({ record }: Asked): string | undefined =>
  record.status === 429
    ? (/"code": ?"([a-z_]+)"/.exec(record.handed)?.[1] ?? /"type": ?"([a-z_]+)"/g.exec(record.handed)?.[1])
    : undefined;

function checkAccount(
  { watch, simulation, database }: Pick<World, 'watch' | 'simulation' | 'database'>,
  account: Limited,
  group: readonly Asked[],
): void {
  const { concurrent } = LIMITS[account];
  const asked = group.filter((one) => one.account === account);
  const served = asked.flatMap((one) => {
    const first = watch.callsOf(one.marker)[0];
    return first ? [{ from: one.record.startedAt, until: first.at, diedAt: one.record.host!.diedAt }] : [];
  });
  const crashes = database?.crashes ?? [];
  // A node and the database that are lost together forget what the node had admitted.
  const isForgotten = ({ from, diedAt }: (typeof served)[number], at: number): boolean =>
    crashes.some((crash) => from < crash.at && crash.at < at && diedAt < crash.until + MAX_RESTORE_MS);
  for (const { lengthMs, limit } of windows)
    for (const last of served) {
      const inside = served.filter(
        (other) =>
          other.from > last.until - lengthMs && other.until <= last.until && !isForgotten(other, last.until),
      );
      if (inside.length > LIMITS[account][limit])
        simulation.fail(
          `${inside.length} requests of ${account} in ${lengthMs} ms, of ${LIMITS[account][limit]}`,
        );
    }
  for (const refused of asked.filter((one) => one.record.status === 429)) {
    const { startedAt, endedAt = simulation.now } = refused.record;
    const others = asked.filter(
      (one) => one !== refused && one.record.status !== 429 && one.record.startedAt <= endedAt,
    );
    const code = codeOf(refused);
    const isFull = windows.some(({ lengthMs, limit }) => {
      const earliest = startedAt - lengthMs - lengthMs / 60 - MAX_LATE_MS;
      return others.filter(({ record }) => record.startedAt > earliest).length >= LIMITS[account][limit];
    });
    if (code === 'rate_limit_exceeded' && !isFull)
      simulation.fail(`${account} was refused (${refused.marker}) although its windows have room`);
    const running = others.filter(({ record }) => lasted(record) >= startedAt);
    if (code === 'concurrency_limit_exceeded' && running.length < concurrent)
      simulation.fail(
        `${account} was refused (${refused.marker}) with ${running.length} of ${concurrent} concurrent`,
      );
  }
}

/**
 * The latest time at which the request takes a place.
 * The places of a node that has died are free once others close it.
 */
function lasted({ endedAt = Number.POSITIVE_INFINITY, ending, host }: Asked['record']): number {
  const until = endedAt + (ending === 'left' ? MAX_LINGER_MS : MAX_LATE_MS);
  return host && host.diedAt < until ? host.diedAt + MAX_CLOSED_MS : until;
}
