import type { AccountName } from '../gateway/accounts.ts';
import type { VendorName } from '../gateway/configuration.ts';
import type { Host } from '../kernel/host.ts';
import type { World } from '../world.ts';
import { ON_THE_WAY_MS, type Stay } from './queue-stays.ts';
import { endOf, holdingOf } from './slot-spans.ts';

/** A request that reached its vendor at this time. */
export type Served = Stay & { at: number };

/** The requests of one process for one vendor. */
export type Line = {
  world: World;
  vendor: VendorName;
  host: Host;
  stays: readonly Stay[];
  served: readonly Served[];
};

/** A number that is not known exactly. */
export type Range = { least: number; most: number };

/** Counts the slots that an account had as a request got its own. */
export function slotsHeld({ world, vendor, host }: Line, served: Served, account: AccountName): Range {
  const { at } = served;
  const held = world.watch.calls.filter(
    (call) =>
      call.vendor === vendor &&
      call.host === host &&
      call !== served.call &&
      world.clients.accountOf(call.request.marker) === account,
  );
  // The vendor notices a little later that the gateway has closed a connection.
  const certain = held.filter((call) => call.at < at - ON_THE_WAY_MS && endOf(call) > at + ON_THE_WAY_MS);
  const possible = held.filter((call) => {
    const { from, until } = holdingOf(world, call);
    return from < at && until > at - ON_THE_WAY_MS;
  });
  return { least: certain.length, most: possible.length };
}

/** Counts the accounts that had a slot or waited for one as a request got its own. */
export function activeAccounts(line: Line, served: Served): Range {
  const { at } = served;
  const waits = (account: AccountName, fits: (stay: Stay) => boolean) =>
    line.stays.some((stay) => stay.one.account === account && fits(stay));
  const active: Range = { least: 0, most: 0 };
  for (const account of new Set(line.stays.map(({ one }) => one.account))) {
    const { least, most } = slotsHeld(line, served, account);
    const isServed = account === served.one.account;
    const waitsFor = ({ queuedFrom, until }: Stay) =>
      queuedFrom < at - ON_THE_WAY_MS && until > at + ON_THE_WAY_MS;
    const mayWait = ({ from, until }: Stay) => from < at && until > at - ON_THE_WAY_MS;
    if (isServed || least > 0 || waits(account, waitsFor)) active.least++;
    if (isServed || most > 0 || waits(account, mayWait)) active.most++;
  }
  return active;
}
