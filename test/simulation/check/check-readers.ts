import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import { type Asked, hasEnd, isAnswered, replayedIdOf, requestIdOf } from '../clients/asked.ts';
import type { CallRecord } from '../network/call.ts';
import type { World } from '../world.ts';

/** A call that gets the answer of an earlier request, from the frame after a number of them. */
type Reader = { name: string; one: Asked; requestId: string; after: number; record: CallRecord };

const FRAME_END = '\n\n';

/** Checks that every reader of an answer gets the same frames, and the end if there is one. */
export function checkReaders(world: World): void {
  const { clients, counts } = world;
  const byId = Map.groupBy(clients.asked, (one) => requestIdOf(one) ?? '');
  for (const reader of readersOf(world)) {
    countUp(counts, 'readers');
    const first = byId.get(reader.requestId)?.[0];
    if (first && reader.record.status === 200) checkReader(world, reader, first);
  }
}

function readersOf({ clients: { asked, resumed } }: World): Reader[] {
  const joined = asked.flatMap((one): Reader[] => {
    const requestId = replayedIdOf(one);
    const { marker: name, record } = one;
    return requestId === undefined ? [] : [{ name, one, requestId, after: 0, record }];
  });
  const further = resumed.map(
    ({ one, after, record }): Reader => ({
      name: `a reader of ${one.marker}`,
      one,
      requestId: requestIdOf(one)!,
      after,
      record,
    }),
  );
  return [...joined, ...further];
}

function checkReader(
  { simulation }: World,
  { name, one, requestId, after, record }: Reader,
  first: Asked,
): void {
  const frames = partsOf(one, first.record.handed);
  const expected = frames.slice(after);
  const got = partsOf(one, record.handed);
  const differs = got.findIndex((part, index) => part !== (expected[index] ?? part));
  // The log of a process that has died ends with an error, and so does an answer that failed.
  if (differs >= 0 && !isError(got[differs]!) && !isError(expected[differs]!))
    simulation.fail(`${name} of ${requestId} got ${got[differs]} instead of ${expected[differs]}`);
  const isEnded = !one.isStream || hasEnd(one, record.handed);
  if (isEnded && record.handedWholeAt !== undefined && isAnswered(first) && got.length !== expected.length)
    simulation.fail(`${name} got ${got.length} parts of ${requestId} instead of ${expected.length}`);
  // A client that has seen the error can resume behind it.
  const hasSeenError = frames.slice(0, after).some(isError);
  if (!isEnded && record.handedWholeAt !== undefined && !hasSeenError && !got.some(isError))
    simulation.fail(`${name} got no end of ${requestId}`);
}

/** Splits a stream into its complete frames. A whole answer is one part. */
function partsOf({ isStream }: Asked, text: string): string[] {
  if (!isStream) return [text];
  // Comments keep a silent stream open, and are for one reader alone.
  return text
    .replace(/^:[^\n]*\n\n/gm, '')
    .split(FRAME_END)
    .slice(0, -1);
}

const isError = (frame: string): boolean => /"error"|response\.failed/.test(frame);
