import { type AccountName, accountSpecs } from '../gateway/accounts.ts';
import { QUEUED_AT, SLOTS, type VendorName } from '../gateway/configuration.ts';
import type { Host } from '../kernel/host.ts';
import type { World } from '../world.ts';
import { nameOf, ON_THE_WAY_MS, type Stay } from './queue-stays.ts';
import { endOf, holdingOf } from './slot-spans.ts';

/** A vendor with fewer calls has no known speed, so that each request waits at all vendors of its model. */
const MIN_KNOWN = 8;

/** A request that has got a slot from the queue. */
type Served = Stay & { at: number; vendor: VendorName };

/** The requests of one process for one vendor. */
type Line = { world: World; vendor: VendorName; host: Host; stays: readonly Stay[] };

/**
 * While a paid request waits for a slot, no Free request gets one. Within a class, slots go to accounts below
 * their share, and otherwise to the accounts in turn. An account's requests go in their order of arrival.
 */
export function checkTurns(world: World, stays: readonly Stay[]): void {
  for (const [host, here] of Map.groupBy(stays, (stay) => stay.host))
    for (const [model, same] of Map.groupBy(here, ({ one }) => one.model))
      for (const vendor of QUEUED_AT[model] ?? []) checkLine({ world, vendor, host, stays: same });
}

function checkLine(line: Line): void {
  const { world, vendor, stays } = line;
  const served = stays.flatMap((stay): Served[] =>
    stay.call?.vendor === vendor ? [{ ...stay, at: stay.call.at, vendor }] : [],
  );
  for (const one of served)
    for (const other of stays) {
      if (other === one || !isPassedOver(other, one)) continue;
      const why = world.database
        ? orderFault(one, other)
        : (orderFault(one, other) ?? shareFault(line, one, other, served));
      if (why)
        world.simulation.fail(`${nameOf(one)} got a slot of ${vendor} before ${nameOf(other)}: ${why}`);
    }
}

/** The other request was in the queue before, and still is when others could have got a slot at the same time. */
const isPassedOver = ({ queuedFrom, until, host }: Stay, { at }: Served): boolean =>
  queuedFrom < at - ON_THE_WAY_MS && until > at + ON_THE_WAY_MS && host.diedAt > at + ON_THE_WAY_MS;

const isPaid = ({ one }: Stay): boolean => accountSpecs[one.account].isPaid;

function orderFault(served: Served, other: Stay): string | undefined {
  if (isPaid(other) && !isPaid(served)) return 'it is paid';
  const isEarlier = other.queuedFrom < served.from;
  return other.one.account === served.one.account && isEarlier ? 'it is earlier' : undefined;
}

/** A request that was not in the queue can take a slot that is free while the queue chooses again. */
function shareFault(line: Line, served: Served, other: Stay, all: readonly Served[]): string | undefined {
  const hasQueued = served.queuedFrom < served.at - ON_THE_WAY_MS;
  if (!hasQueued || isPaid(other) !== isPaid(served) || other.one.account === served.one.account)
    return undefined;
  if (!waitsEverywhere(line, served.at)) return undefined;
  const held = heldBy(line, served);
  const [own, its] = [held(served.one.account), held(other.one.account)];
  const slots = SLOTS[line.vendor]!;
  const active = activeAt(line, served);
  if (own.least >= slots / active.least && its.most < slots / active.most)
    return 'its account is below its share';
  if (own.least < its.most || other.queuedFrom > served.from) return undefined;
  const lastAt = lastServed(all, served, served.one.account);
  if (lastAt === undefined || other.queuedFrom > lastAt - ON_THE_WAY_MS) return undefined;
  const its_ = lastServed(all, served, other.one.account) ?? Number.NEGATIVE_INFINITY;
  return its_ < lastAt - ON_THE_WAY_MS ? 'it is the turn of its account' : undefined;
}

/** A request does not wait at a vendor that is much slower than the wait for another one. */
function waitsEverywhere({ world, host, stays }: Line, at: number): boolean {
  const vendors = QUEUED_AT[stays[0]!.one.model]!;
  const calls = world.watch.calls.filter((call) => call.host === host && call.at < at);
  return (
    vendors.length === 1 ||
    vendors.some((vendor) => calls.filter((call) => call.vendor === vendor).length < MIN_KNOWN)
  );
}

type Range = { least: number; most: number };

/** Counts the slots of an account as a request got its slot: those certainly held, and those possibly held. */
function heldBy({ world, vendor, host }: Line, { at, call: own }: Served): (account: AccountName) => Range {
  const calls = world.watch.calls.filter(
    (call) => call.vendor === vendor && call.host === host && call !== own,
  );
  const accountOf = (marker: string) => world.clients.asked.find((one) => one.marker === marker)?.account;
  return (account) => {
    const held = calls.filter(({ request }) => accountOf(request.marker) === account);
    // The vendor notices a little later that the gateway has closed a connection.
    const certain = held.filter((call) => call.at < at - ON_THE_WAY_MS && endOf(call) > at + ON_THE_WAY_MS);
    const possible = held.filter((call) => {
      const { from, until } = holdingOf(world, call);
      return from < at && until > at - ON_THE_WAY_MS;
    });
    return { least: certain.length, most: possible.length };
  };
}

/** Counts the accounts that held a slot or waited for one. */
function activeAt(line: Line, served: Served): Range {
  const held = heldBy(line, served);
  const { at } = served;
  const accounts = [...new Set(line.world.clients.asked.map(({ account }) => account))];
  const isWaiting = (account: AccountName, fits: (stay: Stay) => boolean) =>
    line.stays.some((stay) => stay.one.account === account && fits(stay));
  const certainly = accounts.filter(
    (account) =>
      account === served.one.account ||
      held(account).least > 0 ||
      isWaiting(
        account,
        ({ queuedFrom, until }) => queuedFrom < at - ON_THE_WAY_MS && until > at + ON_THE_WAY_MS,
      ),
  );
  const possibly = accounts.filter(
    (account) =>
      account === served.one.account ||
      held(account).most > 0 ||
      isWaiting(account, ({ from, until }) => from < at && until > at - ON_THE_WAY_MS),
  );
  return { least: certainly.length, most: possibly.length };
}

/** The latest time before at which an account got a slot from the queue. */
function lastServed(all: readonly Served[], { at }: Served, account: AccountName): number | undefined {
  const times = all.filter((one) => one.one.account === account && one.at < at).map((one) => one.at);
  return times.length > 0 ? Math.max(...times) : undefined;
}
