import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = new URL('../../../src/', import.meta.url).pathname;
/** The rooms whose sources read and write the vendors' protocols. */
const ROOMS = ['translation', 'inference', 'api/models', 'upstream/calling'];
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Returns every word in the gateway's own code. */
export function wordsOfSources(): ReadonlySet<string> {
  const words = new Set<string>();
  for (const room of ROOMS)
    for (const file of readdirSync(join(SOURCES, room), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.includes('testing')) continue;
      const text = readFileSync(join(SOURCES, room, file), 'utf8').replaceAll(COMMENTS, '');
      for (const word of text.match(/[A-Za-z_][\w/-]*/g) ?? []) words.add(word);
      for (const [, word] of text.matchAll(/'([\w./-]+)'/g)) words.add(word!);
    }
  return words;
}
