import { type AccountName, accountSpecs } from '../gateway/accounts.ts';
import { QUEUED_AT, SLOTS, vendorNames } from '../gateway/configuration.ts';
import type { Stay } from './queue-stays.ts';
import { pausesOf } from './slot-spans.ts';
import { ON_THE_WAY_MS, type Span } from './span.ts';
import { activeAccounts, type Served, slotsHeld, type VendorQueue } from './vendor-queue.ts';

/** A vendor with fewer calls has no known speed, so that each request waits at all vendors of its model. */
const MIN_KNOWN = 8;

/** Returns why a request of another account should have got the slot before. */
export function findShareFault(queue: VendorQueue, served: Served, other: Stay): string | undefined {
  const isPaid = ({ request }: Stay) => accountSpecs[request.account].isPaid;
  // A request that was not in the queue can take a slot while the queue chooses again.
  const hasQueued = served.queuedFrom < served.at - ON_THE_WAY_MS;
  const isOther = other.request.account !== served.request.account;
  if (!hasQueued || !isOther || isPaid(other) !== isPaid(served)) return undefined;
  const own = slotsHeld(queue, served, served.request.account).least;
  // After a pause, the queue counts the slots of an account at all vendors where its request waits.
  const its = QUEUED_AT[other.request.model]!.reduce(
    (sum, vendor) => sum + slotsHeld({ ...queue, vendor }, served, other.request.account).most,
    0,
  );
  const { least, most } = activeAccounts(queue, served);
  const slots = SLOTS[queue.vendor]!;
  if (own >= slots / least && its < slots / most) return 'its account is below its share';
  return own >= its && isItsTurn(queue, served, other) ? 'it is the turn of its account' : undefined;
}

/** Reports whether only the served account has had a turn since the other request came. */
function isItsTurn(queue: VendorQueue, served: Served, other: Stay): boolean {
  const { served: all } = queue;
  const lastAt = (account: AccountName) =>
    Math.max(
      ...all.filter(({ request, at }) => request.account === account && at < served.at).map(({ at }) => at),
    );
  const ownAt = lastAt(served.request.account);
  const hasTurn = lastAt(other.request.account) < ownAt - ON_THE_WAY_MS;
  if (!hasTurn || other.queuedFrom > ownAt - ON_THE_WAY_MS) return false;
  return other.queuedFrom < served.from || !mayChooseAgain(queue, { from: ownAt, until: served.at });
}

/**
 * Reports whether a pause may have begun or ended, or a provider was drained. The queue then chooses again,
 * and turns begin anew.
 */
const mayChooseAgain = ({ world, host }: VendorQueue, { from, until }: Span): boolean =>
  world.operators.flaps.some((flap) => flap.from < until && flap.until > from) ||
  vendorNames.some((vendor) =>
    pausesOf(world.watch.calls.filter((call) => call.host === host && call.vendor === vendor)).some(
      (pause) => pause.from < until && pause.until > from,
    ),
  );

/**
 * Reports whether requests wait at all vendors. They do not wait at a vendor that is much slower than others.
 */
export function waitsEverywhere({ world, host, stays }: VendorQueue, at: number): boolean {
  const vendors = QUEUED_AT[stays[0]!.request.model]!;
  const calls = world.watch.calls.filter((call) => call.host === host && call.at < at);
  return (
    vendors.length === 1 ||
    vendors.some((vendor) => calls.filter((call) => call.vendor === vendor).length < MIN_KNOWN)
  );
}
