import { type AccountName, accountSpecs } from '../gateway/accounts.ts';
import { QUEUED_AT, SLOTS, vendorNames } from '../gateway/configuration.ts';
import { ON_THE_WAY_MS, type Span, type Stay } from './queue-stays.ts';
import { activeAccounts, type Line, type Served, slotsHeld } from './queued-line.ts';
import { pausesOf } from './slot-spans.ts';

/** A vendor with fewer calls has no known speed, so that each request waits at all vendors of its model. */
const MIN_KNOWN = 8;

/** Returns why a request of another account should have got the slot before. */
export function findShareFault(line: Line, served: Served, other: Stay): string | undefined {
  const isPaid = ({ one }: Stay) => accountSpecs[one.account].isPaid;
  // A request that was not in the queue can take a slot while the queue chooses again.
  const hasQueued = served.queuedFrom < served.at - ON_THE_WAY_MS;
  const isOther = other.one.account !== served.one.account;
  if (!hasQueued || !isOther || isPaid(other) !== isPaid(served)) return undefined;
  const own = slotsHeld(line, served, served.one.account).least;
  // After a pause, the queue counts the slots of an account at all vendors where its request waits.
  const its = QUEUED_AT[other.one.model]!.reduce(
    (sum, vendor) => sum + slotsHeld({ ...line, vendor }, served, other.one.account).most,
    0,
  );
  const { least, most } = activeAccounts(line, served);
  const slots = SLOTS[line.vendor]!;
  if (own >= slots / least && its < slots / most) return 'its account is below its share';
  return own >= its && isItsTurn(line, served, other) ? 'it is the turn of its account' : undefined;
}

/** Reports whether the served account has had a turn since the other request came, and the other one none. */
function isItsTurn(line: Line, served: Served, other: Stay): boolean {
  const { served: all } = line;
  const lastAt = (account: AccountName) =>
    Math.max(...all.filter(({ one, at }) => one.account === account && at < served.at).map(({ at }) => at));
  const ownAt = lastAt(served.one.account);
  const hasTurn = lastAt(other.one.account) < ownAt - ON_THE_WAY_MS;
  if (!hasTurn || other.queuedFrom > ownAt - ON_THE_WAY_MS) return false;
  return other.queuedFrom < served.from || !mayChooseAgain(line, { from: ownAt, until: served.at });
}

/**
 * Reports whether a pause may have begun or ended, or a provider was drained. The queue chooses again then,
 * and turns begin anew.
 */
const mayChooseAgain = ({ world, host }: Line, { from, until }: Span): boolean =>
  world.operators.flaps.some((flap) => flap.from < until && flap.until > from) ||
  vendorNames.some((vendor) =>
    pausesOf(world.watch.calls.filter((call) => call.host === host && call.vendor === vendor)).some(
      (pause) => pause.from < until && pause.until > from,
    ),
  );

/** Reports whether requests wait at all vendors. None waits at one that is much slower than another one. */
export function waitsEverywhere({ world, host, stays }: Line, at: number): boolean {
  const vendors = QUEUED_AT[stays[0]!.one.model]!;
  const calls = world.watch.calls.filter((call) => call.host === host && call.at < at);
  return (
    vendors.length === 1 ||
    vendors.some((vendor) => calls.filter((call) => call.vendor === vendor).length < MIN_KNOWN)
  );
}
