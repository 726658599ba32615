import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { estimateText } from '../../src/translation/tokens/estimate-text.ts';
import { generatedTexts } from '../../src/translation/tokens/testing/generated-texts.ts';
import { writtenTexts } from '../../src/translation/tokens/testing/written-texts.ts';

const LENGTHS = [4_000, 64_000];
const WARM_UP_CHARACTERS = 20_000_000;
const ROUNDS = 50;
const CALLS = 10;

function textOf(next: () => string, length: number): string {
  let text = '';
  while (text.length < length) text += next();
  return Buffer.from(text.slice(0, length)).toString();
}

/** Returns the shortest time for a character, because other work on the machine only makes it longer. */
function nanosecondsPerCharacter(text: string, read: (text: string) => number): string {
  for (let characters = 0; characters < WARM_UP_CHARACTERS; characters += text.length) read(text);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    for (let call = 0; call < CALLS; call++) read(text);
    least = Math.min(least, performance.now() - begun);
  }
  return ((least * 1e6) / CALLS / text.length).toFixed(2);
}

function plainLoop(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
  return sum;
}

const random = seededRandom(1);
const kinds: Record<string, () => string> = {
  English: () => writtenTexts['technical English']!,
  Russian: () => writtenTexts['Russian']!,
  Chinese: () => writtenTexts['Chinese']!,
  TypeScript: () => writtenTexts['TypeScript']!,
  JSON: () => generatedTexts['JSON']!(random),
  base64: () => generatedTexts['base64']!(random),
};

const rows = Object.entries(kinds).flatMap(([kind, next]) =>
  LENGTHS.map((length) => {
    const text = textOf(next, length);
    return {
      kind,
      characters: length,
      'plain loop, ns': nanosecondsPerCharacter(text, plainLoop),
      'estimate, ns': nanosecondsPerCharacter(text, (given) => estimateText(given, 'o200k', { random })),
    };
  }),
);
console.table(rows);
