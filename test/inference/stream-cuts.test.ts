import { describe, expect, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { clientDialects } from '../support/recordings/client-dialects.ts';
import { createCutReader } from '../support/recordings/create-cut-reader.ts';
import { type SseStyle, streamBytes } from '../support/recordings/frame-recording.ts';
import { recordings } from '../support/recordings/recording.ts';
import { shareOf } from '../support/share-of.ts';

const styles: SseStyle[] = ['\n', '\r\n', '\r'].flatMap((lineEnd) => [
  { lineEnd, comments: false, space: ' ' },
  { lineEnd, comments: true, space: '' },
]);
/** Up to here each byte is a chunk of its own. */
const SMALL_BYTES = 6_000;

/** Cuts at places that a seed chooses: mostly in pieces of a few dozen bytes, inside of characters too. */
function randomCuts(length: number, random: () => number): number[] {
  const cuts: number[] = [];
  const most = 1 + random() * 200;
  for (let at = 0; at < length; at += 1 + Math.floor(random() * most)) if (at > 0) cuts.push(at);
  return cuts;
}

const everyByte = (length: number): number[] => Array.from({ length: length - 1 }, (_, at) => at + 1);

const streams = recordings.filter(({ stream }) => stream);

for (const [number, dialect] of clientDialects.entries()) {
  describe(`a stream reads the same in ${dialect.name}, at any cut`, () => {
    test.each(shareOf(streams, { turn: number, of: 4 }))('$name', (recording) => {
      const random = seededRandom(recording.lines.length);
      const read = createCutReader(dialect, recording);
      const whole = read(streamBytes(recording), []);
      expect(whole.length).toBeGreaterThan(0);
      const isSse = recording.wire !== 'bedrock-converse';
      for (const style of isSse ? styles : styles.slice(0, 1)) {
        const bytes = streamBytes(recording, style);
        const cuts = bytes.length <= SMALL_BYTES ? everyByte(bytes.length) : randomCuts(bytes.length, random);
        expect(read(bytes, cuts) === whole).toBe(true);
      }
    });
  });
}
