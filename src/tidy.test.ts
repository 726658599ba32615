import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Glob } from 'bun';

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = [...new Glob('{src,bench}/**/*.ts').scanSync(root)].sort();
const programs = sources.filter((path) => !/\.test\.ts$|\/testing\/|\/conformance\//.test(path));

/** Tables and schemas are as long as what they list. */
const TABLES = new Set<string>(['src/program/cli/commands.ts']);

const MAX_FILE_LINES = 400;
const MAX_LINE_LENGTH = 140;
const MAX_FUNCTION_LINES = 70;

/** Which folder may import which, from the table in docs/architecture.md. */
function allowedImports(): Map<string, Set<string>> {
  const rows = read('docs/architecture.md').matchAll(/^\| `([a-z-]+)` \|[^|]*\| ([^|]*) \|$/gm);
  return new Map(
    [...rows].map(([, folder, imports]) => [folder!, new Set(imports!.match(/[a-z-]+/g) ?? [])]),
  );
}

const folderOf = (path: string): string => /^src\/([a-z-]+)\//.exec(path)?.[1] ?? '';

function importsOf(path: string): string[] {
  const found = read(path).matchAll(/(?:from|import) ?\(?'(\.{1,2}\/[^']+)'/g);
  return [...found].map(([, target]) => normalize(join(dirname(path), target!)));
}

test('imports run along the edges of the table in docs/architecture.md and no others', () => {
  const allowed = allowedImports();
  expect(allowed.size).toBeGreaterThan(15);
  const strangers = programs.flatMap((path) => {
    const from = folderOf(path);
    if (from === '') return []; // the files directly in src/ put the folders together
    return importsOf(path)
      .map(folderOf)
      .filter((to) => to !== '' && to !== from && !allowed.get(from)?.has(to))
      .map((to) => `${path}: ${from} → ${to}`);
  });
  expect([...new Set(strangers)]).toEqual([]);
});

test('no edge of the table is without an import', () => {
  const used = new Set(
    programs.flatMap((path) => importsOf(path).map((target) => `${folderOf(path)} → ${folderOf(target)}`)),
  );
  const unused = [...allowedImports()].flatMap(([from, targets]) =>
    [...targets].map((to) => `${from} → ${to}`).filter((edge) => !used.has(edge)),
  );
  expect(unused).toEqual([]);
});

test('folders that need storage declare ports, and only the assembly and the commands know the store', () => {
  const outside = programs.filter(
    (path) => folderOf(path) !== 'store' && importsOf(path).some((to) => folderOf(to) === 'store'),
  );
  expect(outside.filter((path) => !/^src\/(assemble\.ts|server\/|cli\/)/.test(path))).toEqual([]);
});

test('files, lines and functions stay within their sizes', () => {
  const faults = sources.flatMap((path) => {
    const lines = read(path).split('\n');
    const long = lines.findIndex(
      (line) => line.length > MAX_LINE_LENGTH && !/https?:\/\/|['"`].{100}/.test(line),
    );
    return [
      ...(lines.length > MAX_FILE_LINES && !TABLES.has(path) ? [`${path}: ${lines.length} lines`] : []),
      ...(long >= 0 ? [`${path}:${long + 1}: ${lines[long]!.length} characters`] : []),
      ...(path.endsWith('.test.ts') ? [] : longFunctions(path, lines)),
    ];
  });
  expect(faults).toEqual([]);
});

/** A function of ours begins at a line that opens a block and ends at the brace with the same indentation: the formatter sees to that. */
function longFunctions(path: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, start) => {
    const opens =
      /^( *)(?:export )?(?:default )?(?:async )?(?:function\b|(?:static |readonly )?#?[\w]+\(.*\).*\{$)/.exec(
        line,
      );
    if (!opens || !line.endsWith('{') || /^ *(if|for|while|switch|describe|test)\b/.test(line)) return [];
    const end = lines.indexOf(`${opens[1]}}`, start);
    return end - start > MAX_FUNCTION_LINES
      ? [`${path}:${start + 1}: a function of ${end - start} lines`]
      : [];
  });
}

test('there are no barrels, and no word of what the project is not about', () => {
  expect(sources.filter((path) => /\/index\.ts$/.test(path))).toEqual([]);
  const marks = programs.filter((path) => /\b(TODO|FIXME|XXX|HACK)\b/.test(read(path)));
  expect(marks).toEqual([]);
});

test('names of files are kebab-case', () => {
  expect(sources.filter((path) => !/^[a-z0-9/-]+(\.test)?\.ts$/.test(path))).toEqual([]);
});
