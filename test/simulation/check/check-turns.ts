import { accountSpecs } from '../gateway/accounts.ts';
import { QUEUED_AT } from '../gateway/configuration.ts';
import type { World } from '../world.ts';
import { findShareFault, waitsEverywhere } from './find-share-fault.ts';
import { nameOf, ON_THE_WAY_MS, type Stay } from './queue-stays.ts';
import type { Line, Served } from './queued-line.ts';

/**
 * Checks that no Free request gets a slot while a paid one waits. Within a class, slots go to accounts below
 * their share, and otherwise to the accounts in turn. An account's requests go in their order of arrival.
 */
export function checkTurns(world: World, stays: readonly Stay[]): void {
  for (const [host, here] of Map.groupBy(stays, (stay) => stay.host))
    for (const [model, same] of Map.groupBy(here, ({ one }) => one.model))
      for (const vendor of QUEUED_AT[model] ?? []) {
        const served = same.flatMap((stay) =>
          stay.call?.vendor === vendor ? [{ ...stay, at: stay.call.at }] : [],
        );
        checkLine({ world, vendor, host, stays: same, served });
      }
}

function checkLine(line: Line): void {
  const { world, vendor, stays, served } = line;
  for (const one of served)
    for (const other of stays) {
      if (other.one === one.one || !isPassedOver(other, one) || !waitsEverywhere(line, one.at)) continue;
      // The shares of nodes on a database are those of each node.
      const why =
        findOrderFault(one, other) ?? (world.database ? undefined : findShareFault(line, one, other));
      if (why !== undefined)
        world.simulation.fail(`${nameOf(one)} got a slot of ${vendor} before ${nameOf(other)}: ${why}`);
    }
}

/** Reports whether the other request was in the queue before, and still is a while later. */
const isPassedOver = ({ queuedFrom, until, host }: Stay, { at }: Served): boolean =>
  queuedFrom < at - ON_THE_WAY_MS && until > at + ON_THE_WAY_MS && host.diedAt > at + ON_THE_WAY_MS;

const isPaid = ({ one }: Stay): boolean => accountSpecs[one.account].isPaid;

function findOrderFault(served: Served, other: Stay): string | undefined {
  if (isPaid(other) && !isPaid(served)) return 'it is paid';
  const isEarlier = other.one.account === served.one.account && other.queuedFrom < served.from;
  return isEarlier ? 'it is earlier' : undefined;
}
