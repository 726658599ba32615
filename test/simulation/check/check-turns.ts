import { accountSpecs } from '../gateway/accounts.ts';
import { QUEUED_AT } from '../gateway/configuration.ts';
import type { World } from '../world.ts';
import { findShareFault, waitsEverywhere } from './find-share-fault.ts';
import { nameOf, type Stay } from './queue-stays.ts';
import { certainlyIncludes } from './span.ts';
import type { Served, VendorQueue } from './vendor-queue.ts';

/**
 * Checks that no Free request gets a slot while a paid one waits. Within a class, slots go to accounts below
 * their share, and otherwise to the accounts in turn. An account's requests go in their order of arrival.
 */
export function checkTurns(world: World, stays: readonly Stay[]): void {
  for (const [host, here] of Map.groupBy(stays, (stay) => stay.host))
    for (const [model, same] of Map.groupBy(here, ({ request }) => request.model))
      for (const vendor of QUEUED_AT[model] ?? []) {
        const served = same.flatMap((stay) =>
          stay.call?.vendor === vendor ? [{ ...stay, at: stay.call.at }] : [],
        );
        checkVendorQueue({ world, vendor, host, stays: same, served });
      }
}

function checkVendorQueue(queue: VendorQueue): void {
  const { world, vendor, stays, served } = queue;
  for (const winner of served)
    for (const other of stays) {
      if (other.request === winner.request || !isPassedOver(other, winner)) continue;
      if (!waitsEverywhere(queue, winner.at)) continue;
      // Each node on a database has separate shares.
      const why =
        findOrderFault(winner, other) ?? (world.database ? undefined : findShareFault(queue, winner, other));
      if (why !== undefined)
        world.simulation.fail(`${nameOf(winner)} got a slot of ${vendor} before ${nameOf(other)}: ${why}`);
    }
}

/** Reports whether the other request was in the queue before, and still is a while later. */
const isPassedOver = ({ queuedFrom, until, host }: Stay, { at }: Served): boolean =>
  certainlyIncludes({ from: queuedFrom, until: Math.min(until, host.diedAt) }, at);

const isPaid = ({ request }: Stay): boolean => accountSpecs[request.account].isPaid;

function findOrderFault(served: Served, other: Stay): string | undefined {
  if (isPaid(other) && !isPaid(served)) return 'it is paid';
  const isEarlier = other.request.account === served.request.account && other.queuedFrom < served.from;
  return isEarlier ? 'it is earlier' : undefined;
}
