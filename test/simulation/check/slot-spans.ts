import { SLOTS, type VendorName } from '../gateway/configuration.ts';
import type { Host } from '../kernel/host.ts';
import type { VendorCall } from '../vendors/vendor.ts';
import type { World } from '../world.ts';
import { ON_THE_WAY_MS, type Span } from './span.ts';

/** The gateway has read the end of an answer this long after it was sent. */
const READ_WITHIN_MS = 100;
/** The longest pause for which a vendor asks, and the time until the queue chooses again. */
const MAX_PAUSE_MS = 3_000 + 100;
/** After more bad answers, or more timeouts in a row, the gateway may have paused the vendor. */
const MAX_BAD = 12;
const MAX_TIMEOUTS = 2;

const isTimeout = ({ behaviour }: VendorCall): boolean => behaviour.startsWith('silent');
const isBad = ({ behaviour }: VendorCall): boolean =>
  !['good', 'without usage', 'reset behind', 'error 400'].includes(behaviour);

/** Reports whether the vendor has sent its whole answer. A call that its client has cut is no success. */
const isWhole = ({ endedAt, closedAt }: VendorCall): boolean =>
  endedAt !== undefined && (closedAt === undefined || endedAt <= closedAt);

/** Returns the time at which a call has ended for its vendor. */
export const endOf = ({ endedAt, closedAt, host }: VendorCall): number =>
  Math.min(endedAt ?? Number.POSITIVE_INFINITY, closedAt ?? Number.POSITIVE_INFINITY, host.diedAt);

/** Returns the longest time for which a call can hold its slot. */
export function holdingOf({ clients }: World, call: VendorCall): Span {
  const asked = clients.asked.find(({ marker }) => marker === call.request.marker);
  const { asking, endedAt = Number.POSITIVE_INFINITY } = asked?.record ?? {};
  // A client that reads slowly delays what the gateway reads.
  const readUntil = asking?.readsForMs === undefined ? 0 : endedAt;
  return { from: call.at - ON_THE_WAY_MS, until: Math.max(endOf(call), readUntil) + READ_WITHIN_MS };
}

/** Lists the times in which the gateway may have paused the vendor. */
export function pausesOf(calls: readonly VendorCall[]): Span[] {
  const pauses: Span[] = [];
  let bad = 0;
  let timeouts = 0;
  for (const call of calls.toSorted((one, other) => endOf(one) - endOf(other))) {
    if (isBad(call)) bad++;
    if (isTimeout(call)) timeouts++;
    else if (!isBad(call) && isWhole(call)) timeouts = 0;
    const from = call.at;
    if (call.behaviour === 'error 429') pauses.push({ from, until: endOf(call) + MAX_PAUSE_MS });
    if (bad > MAX_BAD || timeouts > MAX_TIMEOUTS) pauses.push({ from, until: Number.POSITIVE_INFINITY });
  }
  return pauses;
}

/** Lists the times in which a vendor certainly had a slot that a process could give away. */
export function freeSpans(world: World, vendor: VendorName, host: Host): Span[] {
  const slots = SLOTS[vendor] ?? Number.POSITIVE_INFINITY;
  const calls = world.watch.calls.filter((call) => call.vendor === vendor && call.host === host);
  const taken = [
    ...calls.map((call) => ({ ...holdingOf(world, call), slots: 1 })),
    ...pausesOf(calls).map((pause) => ({ ...pause, slots })),
  ];
  const changes = taken
    .flatMap(({ from, until, slots }) => [
      { at: from, by: slots },
      { at: until, by: -slots },
    ])
    .sort((one, other) => one.at - other.at);
  const spans: Span[] = [];
  let inUse = 0;
  let from: number | undefined = 0;
  for (const { at, by } of changes) {
    inUse += by;
    if (inUse >= slots && from !== undefined) spans.push({ from, until: at });
    from = inUse >= slots ? undefined : (from ?? at);
  }
  return from === undefined ? spans : [...spans, { from, until: Number.POSITIVE_INFINITY }];
}
