import { randomText } from '../../../src/base/lib/ids.ts';
import { randomHex } from '../../../src/base/tracing/random-hex.ts';

const MAX_DRAWS = 64;

/**
 * Consumes the random characters that an earlier run of the process has drawn ahead, so that every run begins
 * alike.
 */
export function drainRandomText(countDraws: () => number): void {
  for (const use of [() => randomText(512), () => randomHex(256)]) {
    const before = countDraws();
    for (let uses = 0; countDraws() === before && uses < MAX_DRAWS; uses++) use();
  }
}
