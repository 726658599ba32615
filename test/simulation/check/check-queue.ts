import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import { BRAND, QUEUE_WAIT_MS, QUEUED_AT } from '../gateway/configuration.ts';
import type { World } from '../world.ts';
import { checkTurns } from './check-turns.ts';
import { nameOf, type Stay, staysOf } from './queue-stays.ts';
import { endOf, freeSpans } from './slot-spans.ts';
import { ON_THE_WAY_MS, type Span } from './span.ts';

/** A slot is given away within this time: when it is free, or when the queue chooses again. */
const MAX_IDLE_MS = 150;
/** The arrival, the checks before the queue, and the end of the wait take this long together at most. */
const MAX_LATE_MS = { sqlite: 600, postgres: 8_000 };
/** A request whose wait would be too long is refused at its arrival. */
const FORESEEN_WITHIN_MS = 500;
/** The gateway foresees nothing with fewer ends of calls. */
const MIN_GAPS = 8;
const QUEUE_HEADER = `x-${BRAND}-queue-ms`;

/** Checks that no request waits for a free slot, waits too long, is refused too early, or is passed over. */
export function checkQueue(world: World): void {
  const stays = staysOf(world);
  for (const stay of stays) {
    countStay(world, stay);
    checkTime(world, stay);
    checkRefusal(world, stay, stays);
  }
  // Nodes on a database wait for their share of the slots.
  if (!world.database) checkSlots(world, stays);
  checkTurns(world, stays);
}

function countStay({ counts }: World, { queuedFrom, from, until }: Stay): void {
  if (until > queuedFrom) countUp(counts, 'queued');
  if (until - from >= QUEUE_WAIT_MS) countUp(counts, 'queued to the end');
}

function checkTime({ simulation, database }: World, stay: Stay): void {
  const mostMs = QUEUE_WAIT_MS + MAX_LATE_MS[database ? 'postgres' : 'sqlite'];
  const waitedMs = stay.until - stay.from;
  if (waitedMs > mostMs) simulation.fail(`${nameOf(stay)} waited for ${waitedMs} ms`);
  // The header has the sum of all waits. A request that fails waits again.
  const queuedMs = Number(stay.request.record.headers?.get(QUEUE_HEADER) ?? 0);
  if (queuedMs > mostMs) simulation.fail(`${nameOf(stay)} queued for ${queuedMs} ms`);
}

/** Checks that no wait ends with a refusal before its time. The queue is never full here. */
function checkRefusal(world: World, stay: Stay, stays: readonly Stay[]): void {
  const { status, headers, ending } = stay.request.record;
  const isFromQueue = status === 200 || headers?.has(QUEUE_HEADER);
  const waitedMs = stay.until - stay.from;
  if (
    !stay.call &&
    isFromQueue &&
    ending === 'whole' &&
    waitedMs < QUEUE_WAIT_MS &&
    !isHopeless(world, stay, stays)
  )
    world.simulation.fail(`${nameOf(stay)} was refused after ${waitedMs} ms in the queue`);
}

/** Reports whether the gateway could foresee at the arrival of a request that its wait would be too long. */
function isHopeless({ watch }: World, { request, host, from, until }: Stay, stays: readonly Stay[]): boolean {
  if (until - from > FORESEEN_WITHIN_MS) return false;
  const ahead = stays.filter((stay) => stay.host === host && stay.from < until && stay.until > from);
  return (QUEUED_AT[request.model] ?? []).every((vendor) => {
    const calls = watch.calls.filter((call) => call.vendor === vendor && call.host === host);
    const ends = calls.map(endOf).filter((at) => at < until);
    const gaps = ends.toSorted((a, b) => a - b).map((at, index, all) => at - (all[index - 1] ?? at));
    return gaps.length >= MIN_GAPS && (ahead.length + 1) * Math.max(...gaps) > QUEUE_WAIT_MS;
  });
}

function checkSlots(world: World, stays: readonly Stay[]): void {
  for (const [host, here] of Map.groupBy(stays, (stay) => stay.host))
    for (const [model, same] of Map.groupBy(here, ({ request }) => request.model))
      for (const vendor of QUEUED_AT[model] ?? []) {
        const free = freeSpans(world, vendor, host);
        for (const stay of same)
          if (free.some((span) => overlapMs(span, stay) > MAX_IDLE_MS))
            world.simulation.fail(`${nameOf(stay)} waited while ${vendor} had a free slot`);
      }
}

const overlapMs = (span: Span, { queuedFrom, until }: Stay): number =>
  Math.min(span.until, until - ON_THE_WAY_MS) - Math.max(span.from, queuedFrom);
