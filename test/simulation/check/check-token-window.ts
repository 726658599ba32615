import { type Asked, refusalCodeOf, requestIdOf } from '../clients/asked.ts';
import { LIMITS, type LimitedAccount } from '../gateway/configuration.ts';
import type { CallRecord } from '../network/call.ts';
import type { World } from '../world.ts';
import type { Charge } from './ledger-reader.ts';

const WINDOW_MS = 60_000;
/** A request is counted a while after it arrives. */
export const MAX_LATE_MS = 3_000;
/** The time for which a request whose client has left can still be under way. */
const MAX_LINGER_MS = 70_000;
/** Other nodes close one that has died within this time. */
const MAX_CLOSED_MS = 25_000;
/** The estimate of a prompt. */
const PROMPT_TOKENS = { usual: { least: 10, most: 60 }, long: { least: 400, most: 900 } };

/**
 * Returns the latest time at which the request takes a place.
 * The places of a node that has died are free once others close it.
 */
export function lasted({ endedAt = Number.POSITIVE_INFINITY, ending, host }: CallRecord): number {
  const until = endedAt + (ending === 'left' ? MAX_LINGER_MS : MAX_LATE_MS);
  return host && host.diedAt < until ? host.diedAt + MAX_CLOSED_MS : until;
}

type Window = { account: LimitedAccount; asked: readonly Asked[]; charges: ReadonlyMap<string, Charge> };

/**
 * Checks the window of tokens. A request counts with its estimated prompt while it is under way, and then
 * with the tokens of its charge.
 */
export function checkTokenWindow({ watch, simulation }: Parts, { account, asked, charges }: Window): void {
  const limit = LIMITS[account].tokensPerMinute;
  if (limit === null) return;
  const charged = (one: Asked) => tokensOf(charges.get(requestIdOf(one) ?? ''));
  const callOf = ({ marker }: Asked) => watch.callsOf(marker)[0];
  /** The least that a request counts while it is served. */
  const least = (one: Asked, { record, at }: { record: CallRecord; at: number }) => {
    const call = callOf(one);
    if (!call) return 0;
    const isOpen =
      call.at < record.startedAt && (call.endedAt ?? at) >= at && (one.record.endedAt ?? at) >= at;
    const isCounted = one.record.startedAt > at - WINDOW_MS + MAX_LATE_MS;
    if (!isCounted) return 0;
    // The end of a request whose client has left is unknown.
    if (isOpen) return one.record.ending === 'left' ? 0 : promptOf(one).least;
    return lasted(one.record) < record.startedAt ? charged(one) : 0;
  };
  const most = (one: Asked, at: number) =>
    requestIdOf(one) !== undefined && lasted(one.record) < at
      ? charged(one)
      : Math.max(promptOf(one).most, charged(one));
  for (const one of asked) {
    const { startedAt, endedAt = simulation.now, answeredAt = startedAt } = one.record;
    // The gateway may answer a client that has left.
    const until = Math.max(endedAt, answeredAt);
    const others = asked.filter((other) => other !== one);
    const call = callOf(one);
    if (call) {
      const taken = sum(others.map((other) => least(other, { record: one.record, at: call.at })));
      if (taken > 0 && taken + promptOf(one).least > limit)
        simulation.fail(`${one.marker} of ${account} was served with ${taken} of ${limit} tokens taken`);
    }
    const inside = others.filter(
      ({ record }) => record.startedAt <= until && lasted(record) > startedAt - WINDOW_MS - MAX_LATE_MS,
    );
    const taken = sum(inside.map((other) => most(other, startedAt)));
    if (refusalCodeOf(one) === 'tokens_per_minute_exceeded' && taken + promptOf(one).most <= limit)
      simulation.fail(`${one.marker} of ${account} was refused with ${taken} of ${limit} tokens taken`);
    const remaining = remainingOf(one);
    const own = Math.max(promptOf(one).most, charged(one));
    if (remaining !== undefined && remaining < limit - taken - own)
      simulation.fail(
        `${one.marker} of ${account} was answered with ${remaining} of ${limit} tokens left: ${taken + own} are taken`,
      );
  }
}

/** Returns the tokens that are left in the window, as an answer says. */
function remainingOf({ record }: Asked): number | undefined {
  const remaining = record.status === 200 ? record.headers?.get('x-ratelimit-remaining-tokens') : null;
  return remaining === null || remaining === undefined ? undefined : Number(remaining);
}

type Parts = Pick<World, 'watch' | 'simulation'>;

const promptOf = ({ isLong }: Asked) => PROMPT_TOKENS[isLong ? 'long' : 'usual'];

const tokensOf = (charge: Charge | undefined): number => (charge ? charge.input + charge.output : 0);

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
