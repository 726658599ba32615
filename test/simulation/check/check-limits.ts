import { type Asked, refusalCodeOf } from '../clients/asked.ts';
import type { DatabaseServer } from '../database/database-server.ts';
import { LIMITS, type LimitedAccount } from '../gateway/configuration.ts';
import type { World } from '../world.ts';
import { checkDayTokens } from './check-day-tokens.ts';
import { checkNetworks } from './check-networks.ts';
import { checkTokenWindow, lasted, MAX_LATE_MS } from './check-token-window.ts';
import { checkUnderWay } from './check-under-way.ts';

/** The windows, each with the member of its limit. A bin is a sixtieth of a window. */
const windows = [
  { lengthMs: 60_000, limit: 'requestsPerMinute' },
  { lengthMs: 300_000, limit: 'requestsPer5Minutes' },
] as const;
/** A node that ends this soon after the database is back may not have restored what it had admitted. */
const MAX_RESTORE_MS = 8_000;

/**
 * Checks that limits are never exceeded, and that no request is refused without reason. A process counts its
 * own, and nodes count together.
 */
export async function checkLimits(world: World): Promise<void> {
  const { asked } = world.clients;
  const all = await world.reader.charges();
  const charges = new Map(all.map((charge) => [charge.requestId, charge]));
  const groups = world.database
    ? [asked.filter(({ record }) => record.host)]
    : [...Map.groupBy(asked, ({ record }) => record.host).values()];
  checkDayTokens(world, all);
  checkUnderWay(world);
  for (const group of groups) if (group[0]?.record.host) checkNetworks(world, group);
  for (const account of Object.keys(LIMITS) as LimitedAccount[])
    for (const group of groups) {
      if (!group[0]?.record.host) continue;
      checkAccount(world, account, group);
      checkTokenWindow(world, { account, asked: group.filter((one) => one.account === account), charges });
    }
}

function checkAccount(
  { watch, simulation, database }: Pick<World, 'watch' | 'simulation' | 'database'>,
  account: LimitedAccount,
  group: readonly Asked[],
): void {
  const { concurrent } = LIMITS[account];
  const asked = group.filter((one) => one.account === account);
  const served = asked.flatMap((one) => {
    const first = watch.callsOf(one.marker)[0];
    return first ? [{ from: one.record.startedAt, until: first.at, host: one.record.host! }] : [];
  });
  const isForgotten = ({ from, host }: (typeof served)[number], at: number): boolean =>
    database !== undefined && forgets(database, { from, at, host });
  for (const { lengthMs, limit } of windows)
    for (const last of served) {
      const inside = served.filter(
        (other) =>
          other.from > last.until - lengthMs && other.until <= last.until && !isForgotten(other, last.until),
      );
      const most = LIMITS[account][limit] ?? Number.POSITIVE_INFINITY;
      if (inside.length > most)
        simulation.fail(`${inside.length} requests of ${account} in ${lengthMs} ms, of ${most}`);
    }
  for (const refused of asked.filter((one) => one.record.status === 429)) {
    const { startedAt, endedAt = simulation.now } = refused.record;
    const others = asked.filter(
      (one) => one !== refused && one.record.status !== 429 && one.record.startedAt <= endedAt,
    );
    const code = refusalCodeOf(refused);
    const isFull = windows.some(({ lengthMs, limit }) => {
      const earliest = startedAt - lengthMs - lengthMs / 60 - MAX_LATE_MS;
      const most = LIMITS[account][limit] ?? Number.POSITIVE_INFINITY;
      return others.filter(({ record }) => record.startedAt > earliest).length >= most;
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

type CountedRequest = { from: number; at: number; host: NonNullable<Asked['record']['host']> };

/**
 * Reports whether the database may have forgotten what a node had admitted. The node is lost together with
 * the database if it dies before it has written its windows back, or cannot reach the database then.
 */
const forgets = ({ crashes, cuts }: DatabaseServer, { from, at, host }: CountedRequest): boolean =>
  crashes.some(
    (crash) =>
      from < crash.at &&
      crash.at < at &&
      (host.diedAt < crash.until + MAX_RESTORE_MS ||
        cuts.some(
          (cut) =>
            host.name.startsWith(`${cut.node}/`) &&
            cut.at < crash.until + MAX_RESTORE_MS &&
            cut.until > crash.at,
        )),
  );
