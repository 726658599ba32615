import type { NativeBatch, NativeRequest } from '../vendors/native-batch.ts';
import type { World } from '../world.ts';

/** The gateway notices the end of a batch within this time. */
const MAX_LATE_MS = 100;
/** The id of a batch is in the store within this time. */
const MAX_ANSWER_MS = 6_000;

type NativeItem = { batch: NativeBatch; request: NativeRequest };

/**
 * Checks that a vendor with a batch API gets an item again only after the item has failed there, or after the
 * gateway has canceled the batch. A normal call follows the same rule.
 */
export function checkNative(world: World): void {
  const { watch, simulation, counts } = world;
  const sent = watch.batches.flatMap((batch) => batch.requests.map((request) => ({ batch, request })));
  counts['native batches'] = watch.batches.length;
  for (const [marker, all] of Map.groupBy(sent, ({ request }) => request.marker)) {
    const inOrder = all.toSorted((one, other) => one.batch.createdAt - other.batch.createdAt);
    const later = [
      ...inOrder.map(({ batch }) => ({ at: batch.createdAt, where: batch.id })),
      ...watch.callsOf(marker).map(({ at, vendor }) => ({ at, where: `a call to ${vendor}` })),
    ];
    for (const one of inOrder)
      for (const { at, where } of later)
        if (at > one.batch.createdAt && !isOver(one, at) && isKept(world, one))
          simulation.fail(`the item ${marker} is in ${one.batch.id}, and was sent again in ${where}`);
  }
}

/** Reports whether the store took the id of the batch. Without it the gateway cancels the batch. */
const isKept = ({ nodes, database }: World, { batch: { createdAt } }: NativeItem): boolean =>
  !database &&
  nodes[0]!.disk.longestWellMs(createdAt - MAX_ANSWER_MS, createdAt + MAX_ANSWER_MS) >= 2 * MAX_ANSWER_MS;

/** Reports whether the gateway can have known at a time that the item has no answer in the batch. */
const isOver = ({ batch, request }: NativeItem, at: number): boolean =>
  (batch.canceledAt !== undefined && batch.canceledAt < at + MAX_LATE_MS) ||
  (request.outcome !== 'answered' && batch.endsAt < at);
