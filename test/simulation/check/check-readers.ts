import { hasEnd, isAnswered, replayedIdOf, requestIdOf } from '../clients/asked.ts';
import type { World } from '../world.ts';

/** A reader of an answer: one that joined it, or that reads its stream again. */
export type Reader = { name: string; requestId: string; after: number; text: string };

/** Removes the comments that keep a silent stream open, which are for one reader alone. */
const withoutComments = (text: string): string => text.replace(/^:[^\n]*\n\n/gm, '');

const FRAME_END = '\n\n';

/** Checks that every reader of an answer gets the same bytes, as far as it reads. */
export function checkReaders({ clients, simulation, counts }: World): void {
  const byId = Map.groupBy(clients.asked, (one) => requestIdOf(one) ?? '');
  const readers = [
    ...clients.asked.flatMap((one) => {
      const requestId = replayedIdOf(one);
      return requestId === undefined
        ? []
        : [{ one, requestId, after: 0, isStream: one.isStream, record: one.record, name: one.marker }];
    }),
    ...clients.resumed.flatMap(({ one, after, record }) =>
      record.status === 200
        ? [
            {
              one,
              requestId: requestIdOf(one)!,
              after,
              isStream: true,
              record,
              name: `a reader of ${one.marker}`,
            },
          ]
        : [],
    ),
  ];
  for (const { name, requestId, after, one, record, isStream } of readers) {
    counts['readers'] = (counts['readers'] ?? 0) + 1;
    const first = byId.get(requestId)?.[0];
    if (!first || record.status !== 200) continue;
    const frames = framesOf(first.record.handed, isStream);
    const expected = frames.slice(after);
    const got = framesOf(record.handed, isStream);
    const isEnded = hasEnd(one, record.handed);
    const common = Math.min(expected.length, got.length);
    const differs = got.slice(0, common).findIndex((frame, index) => frame !== expected[index]);
    // The log of a process that has died ends with an error, and so does an answer that failed.
    if (differs >= 0 && !(isError(got[differs]!) || isError(expected[differs]!)))
      simulation.fail(
        `${name} got ${JSON.stringify(got[differs])} instead of ${JSON.stringify(expected[differs])}`,
      );
    if (isEnded && isAnswered(first) && got.length !== expected.length)
      simulation.fail(`${name} got ${got.length} parts of ${requestId} instead of ${expected.length}`);
  }
}

function framesOf(text: string, isStream: boolean): string[] {
  if (!isStream) return [text];
  const all = withoutComments(text).split(FRAME_END);
  all.pop(); // what is not complete yet
  return all;
}

const isError = (frame: string): boolean => /"error"/.test(frame);

/** Checks that an answer is charged when a reader gets its end. */
export async function checkEnd(world: World, requestId: string, name: string): Promise<void> {
  const { reader, hasStoreTrouble, simulation, counts } = world;
  if (hasStoreTrouble) return;
  counts['ends seen'] = (counts['ends seen'] ?? 0) + 1;
  if (!(await reader.isCharged(requestId)))
    simulation.fail(`${name} got the end of ${requestId} before its charge`);
}
