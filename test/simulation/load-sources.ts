import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A change of one place of the program: a text of the file, and the text in its place. */
export type SourceChange = { file: string; before: string; after: string };

const ROOT = join(import.meta.dir, '../..');

/** The modules that the program must not use in a simulation, each with its replacement. */
const replacements: Record<string, string> = {
  'bun:ffi': 'ffi.ts',
  'bun:sqlite': 'sqlite.ts',
  'node:crypto': 'crypto.ts',
  'node:dns/promises': 'dns-promises.ts',
  'node:fs': 'fs.ts',
  'node:fs/promises': 'fs-promises.ts',
  'node:os': 'os.ts',
  'node:timers/promises': 'timers-promises.ts',
  './read-build.ts': 'read-build.ts',
};

const importOf = /(\bfrom |\bimport )'([a-z:./-]+)'/g;
const threadProgram = /\/([a-z-]+-in-thread)\.ts$/;

function rewrite(path: string, text: string): string {
  const named = text.replace(importOf, (whole, word: string, name: string) =>
    replacements[name] ? `${word}'${join(import.meta.dir, 'modules', replacements[name])}'` : whole,
  );
  const thread = threadProgram.exec(path)?.[1];
  if (!thread) return named;
  const worker = join(import.meta.dir, 'modules/simulated-worker.ts');
  return `import { threadScope } from '${worker}';\n${named.replace(
    'declare const self: Worker;',
    `const self = threadScope('${thread}');`,
  )}`;
}

function applyChanges(path: string, text: string, changes: readonly SourceChange[]): string {
  return changes
    .filter(({ file }) => path === join(ROOT, file))
    .reduce((source, { before, after }) => {
      if (source.split(before).length !== 2) throw new Error(`${path} does not have this once: ${before}`);
      return source.replace(before, () => after);
    }, text);
}

/**
 * Loads the program with the replaced modules, and with changes of its sources. Call it before the program is
 * imported.
 */
export function loadSources(changes: readonly SourceChange[] = []): void {
  for (const { file } of changes) readFileSync(join(ROOT, file)); // a misspelt path must not go unnoticed
  Bun.plugin({
    name: 'simulation',
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!path.startsWith(join(ROOT, 'src'))) return { contents: text, loader: 'ts' };
        return { contents: rewrite(path, applyChanges(path, text, changes)), loader: 'ts' };
      });
      const statements = changes
        .filter(({ file }) => file.endsWith('.sql'))
        .map(({ file }) => join(ROOT, file));
      if (statements.length === 0) return;
      // Only changed functions need it.
      build.onLoad({ filter: /\/src\/.*\.sql$/ }, ({ path }) => ({
        exports: { default: applyChanges(path, readFileSync(path, 'utf8'), changes) },
        loader: 'object',
      }));
    },
  });
}
