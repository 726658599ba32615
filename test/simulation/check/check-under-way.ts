import type { AccountName } from '../gateway/accounts.ts';
import { LIMITS, type LimitedAccount } from '../gateway/configuration.ts';
import type { Host } from '../kernel/host.ts';
import type { World } from '../world.ts';
import { staysOf } from './queue-stays.ts';
import { endOf } from './slot-spans.ts';
import { ON_THE_WAY_MS, type Span } from './span.ts';

/** The certain part of the time in which a request takes a place of its account. */
type UnderWay = Span & { account: AccountName; host: Host };

/** Checks that an account has no more requests at once than its limit, in the queue and at vendors. */
export function checkUnderWay(world: World): void {
  const { database, simulation } = world;
  // A database that crashes forgets what its nodes do not restore.
  if ((database?.crashes.length ?? 0) > 0) return;
  const spans = underWay(world);
  const byHost = database ? [spans] : [...Map.groupBy(spans, ({ host }) => host).values()];
  for (const here of byHost)
    for (const account of Object.keys(LIMITS) as LimitedAccount[]) {
      const own = here.filter((span) => span.account === account);
      for (const { from } of own) {
        const count = own.filter((other) => other.from <= from && other.until > from).length;
        if (count > LIMITS[account].concurrent)
          simulation.fail(`${account} has ${count} requests under way of ${LIMITS[account].concurrent}`);
      }
    }
}

function underWay(world: World): UnderWay[] {
  const { clients, watch, simulation } = world;
  const stays = new Map(staysOf(world).map((stay) => [stay.request.marker, stay]));
  return clients.asked.flatMap(({ marker, account, record }): UnderWay[] => {
    const { host, ending, endedAt = simulation.now } = record;
    const calls = watch.callsOf(marker);
    const stay = stays.get(marker);
    const from = Math.min(stay?.queuedFrom ?? endedAt, calls[0]?.at ?? endedAt);
    const last = calls.at(-1);
    // The vendor notices a little later that the gateway has closed a connection.
    const end = last ? endOf(last) : (stay?.until ?? 0);
    const until = last?.endedAt === undefined ? end - ON_THE_WAY_MS : end;
    // A request whose client has left takes a place for an unknown time.
    const certain = ending === 'left' ? Math.min(until, endedAt) : until;
    return host && certain > from ? [{ account, host, from, until: certain }] : [];
  });
}
