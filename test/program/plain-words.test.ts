import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { readDocuments } from '../support/documented-commands.ts';

const root = join(import.meta.dir, '..', '..');

/** Words that readers stumble over, and what to write instead. */
const WORDS: readonly [word: RegExp, instead: string][] = [
  [/\bso many (?!of\b)|\bthe so many-th\b/i, 'this many'],
  [/\b(?:tells?|told|telling)\b/i, 'report, say, show, notify'],
  [/\bdear(?:er|est)\b/i, 'more expensive, highest'],
  [/\bafresh\b/i, 'again'],
  [/, also (?:after|before|if|when|where|while)\b/, 'even after, even if'],
  [/\b(?:Undefined|Null): /, 'Undefined if …, `null` means …'],
];

/** Texts of clients and of vendors. */
const QUOTED: Readonly<Record<string, RegExp>> = {
  'src/base/schema/type.ts': /Null: schemaOf/,
  'src/translation/protocols/chat-completions/chat-codecs.test.ts': /Tell me about the sea\./,
  'test/api/described-bodies.test.ts': /name: 'tell'/,
  'test/inference/count-tokens.test.ts': /Tells how the weather|a tool can tell/,
};

const sources = [...new Glob('{src,test,bench,dashboard,scripts}/**/*.{ts,tsx,mjs,css,html}').scanSync(root)]
  .filter((path) => !path.includes('/fixtures/') && !path.endsWith('/plain-words.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

test('documents, comments, messages and names of tests use plain words', () => {
  const texts = [...readDocuments(root).filter(({ path }) => path !== 'CHANGELOG.md'), ...sources];
  expect(texts.length).toBeGreaterThan(1_500);
  const found = texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      if (QUOTED[path]?.test(line)) return [];
      const fault = WORDS.find(([word]) => word.test(line));
      return fault ? [`${path}:${index + 1}: write "${fault[1]}": ${line.trim()}`] : [];
    }),
  );
  expect(found).toEqual([]);
});
