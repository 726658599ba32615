import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { Type } from '../../src/base/schema/type.ts';

const root = join(import.meta.dir, '..', '..');

/** The comments with an example. The last statements are calls, each with its value behind an arrow. */
const EXAMPLE = /^ \* @example\n((?: \* .*\n)+) \*\/\n/gm;

type Example = { path: string; lines: readonly string[] };

const examples = [...new Glob('src/**/*.ts').scanSync(root)].sort().flatMap((path): Example[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(EXAMPLE)].map(([, block]) => ({
    path,
    lines: block!
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(3)),
  })),
);

test('there are examples', () => expect(examples.length).toBeGreaterThan(8));

for (const { path, lines } of examples)
  test(`the example gives the value that it shows: ${path}: ${lines.at(-1)}`, async () => {
    const known: Record<string, unknown> = { Type, ...(await import(join(root, path))) };
    const code = lines.map((line) => {
      const [, call, value] = /^(.*); \/\/ → (.*)$/.exec(line) ?? [];
      return call === undefined ? line : `check(${call}, ${value});`;
    });
    let checked = 0;
    const check = (value: unknown, shown: unknown) => {
      expect(value).toEqual(shown);
      checked++;
    };
    new Function('check', ...Object.keys(known), code.join('\n'))(check, ...Object.values(known));
    expect(checked).toBeGreaterThan(0);
  });
