import type { Asked } from '../clients/asked.ts';
import { LIMITS } from '../gateway/configuration.ts';
import type { Host } from '../kernel/host.ts';
import type { World } from '../world.ts';

const WINDOW_MS = 60_000;
/** A bin of the window leaves a second after its first use, and a request is counted a while after it arrives. */
const LATEST_MS = 3_000;
/** The time for which a request whose client has left can still be under way. */
const LINGERS_MS = 70_000;

type Limited = keyof typeof LIMITS;

/** Checks that limits are never exceeded, and that no request is refused without reason. A process counts its own. */
export function checkLimits(world: World): void {
  const hosts = new Set(world.clients.asked.map(({ record }) => record.host));
  for (const account of Object.keys(LIMITS) as Limited[])
    for (const host of hosts) if (host) checkAccount(world, account, host);
}

const codeOf = ({ record }: Asked): string | undefined =>
  record.status === 429
    ? (/"code": ?"([a-z_]+)"/.exec(record.handed)?.[1] ?? /"type": ?"([a-z_]+)"/g.exec(record.handed)?.[1])
    : undefined;

function checkAccount({ clients, watch, simulation }: World, account: Limited, host: Host): void {
  const { requestsPerMinute, concurrent } = LIMITS[account];
  const asked = clients.asked.filter((one) => one.account === account && one.record.host === host);
  const served = asked.flatMap((one) => {
    const first = watch.callsOf(one.marker)[0];
    return first ? [{ from: one.record.startedAt, until: first.at }] : [];
  });
  for (const { from } of served) {
    const inside = served.filter((other) => other.from >= from && other.until < from + WINDOW_MS);
    if (inside.length > requestsPerMinute)
      simulation.fail(`${inside.length} requests of ${account} in 60 s, of ${requestsPerMinute}`);
  }
  for (const refused of asked.filter((one) => one.record.status === 429)) {
    const { startedAt, endedAt = simulation.now } = refused.record;
    const others = asked.filter(
      (one) => one !== refused && one.record.status !== 429 && one.record.startedAt <= endedAt,
    );
    const code = codeOf(refused);
    const counted = others.filter(({ record }) => record.startedAt > startedAt - WINDOW_MS - LATEST_MS);
    if (code === 'rate_limit_exceeded' && counted.length < requestsPerMinute)
      simulation.fail(
        `${account} was refused (${refused.marker}) with ${counted.length} of ${requestsPerMinute} requests`,
      );
    const running = others.filter(({ record }) => lasted(record) >= startedAt);
    if (code === 'concurrency_limit_exceeded' && running.length < concurrent)
      simulation.fail(
        `${account} was refused (${refused.marker}) with ${running.length} of ${concurrent} concurrent`,
      );
  }
}

const lasted = ({ endedAt, ending }: Asked['record']): number =>
  (endedAt ?? Number.POSITIVE_INFINITY) + (ending === 'left' ? LINGERS_MS : LATEST_MS);
