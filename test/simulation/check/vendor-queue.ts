import type { AccountName } from '../gateway/accounts.ts';
import type { VendorName } from '../gateway/configuration.ts';
import type { Host } from '../kernel/host.ts';
import type { World } from '../world.ts';
import type { Stay } from './queue-stays.ts';
import { endOf, holdingOf } from './slot-spans.ts';
import { certainlyIncludes, possiblyIncludes } from './span.ts';

/** A request that reached its vendor at this time. */
export type Served = Stay & { at: number };

/** The requests of one process for one vendor. */
export type VendorQueue = {
  world: World;
  vendor: VendorName;
  host: Host;
  stays: readonly Stay[];
  served: readonly Served[];
};

/** The bounds of a number that the check cannot know exactly. */
export type Range = { least: number; most: number };

/** Counts the other slots that an account had when a request got its slot. */
export function slotsHeld({ world, vendor, host }: VendorQueue, served: Served, account: AccountName): Range {
  const { at } = served;
  const held = world.watch.calls.filter(
    (call) =>
      call.vendor === vendor &&
      call.host === host &&
      call !== served.call &&
      world.clients.accountOf(call.request.marker) === account,
  );
  // The vendor notices a little later that the gateway has closed a connection.
  const certain = held.filter((call) => certainlyIncludes({ from: call.at, until: endOf(call) }, at));
  const possible = held.filter((call) => possiblyIncludes(holdingOf(world, call), at));
  return { least: certain.length, most: possible.length };
}

/** Counts the accounts that had a slot or waited for one when a request got its slot. */
export function activeAccounts(queue: VendorQueue, served: Served): Range {
  const { at } = served;
  const waits = (account: AccountName, fits: (stay: Stay) => boolean) =>
    queue.stays.some((stay) => stay.request.account === account && fits(stay));
  const active: Range = { least: 0, most: 0 };
  for (const account of new Set(queue.stays.map(({ request }) => request.account))) {
    const { least, most } = slotsHeld(queue, served, account);
    const isServed = account === served.request.account;
    const certainlyWaits = ({ queuedFrom, until }: Stay) =>
      certainlyIncludes({ from: queuedFrom, until }, at);
    const mayWait = (stay: Stay) => possiblyIncludes(stay, at);
    if (isServed || least > 0 || waits(account, certainlyWaits)) active.least++;
    if (isServed || most > 0 || waits(account, mayWait)) active.most++;
  }
  return active;
}
