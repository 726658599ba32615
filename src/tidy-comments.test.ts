import { expect, test } from 'bun:test';
import { filesOf, read, sources, tests } from '../test/support/source-files.ts';

/** All code, with the scripts that run without the runtime. */
const code = [...sources, ...tests, ...filesOf('{scripts,bench,test}/**/*.mjs')];

/** The formatter breaks code at this width, but neither comments nor prose. */
const MAX_PROSE_LENGTH = 110;

/** A line of a comment. Directives to tools and lines of examples cannot be wrapped. */
const COMMENT_LINE = /^ *(?:\/\/ (?!biome-ignore|@ts-)|\/\*\*? |\* (?!.*\/\/ → )|-- )/;

/** The functions of Postgres. Released migrations keep their lines. */
const sqlFunctions = filesOf('src/store/postgres/functions/*.sql');

test('no line of a comment is longer than a line of code', () => {
  const faults = [...code, ...sqlFunctions].flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) =>
        line.length > MAX_PROSE_LENGTH && COMMENT_LINE.test(line) ? [`${path}:${index + 1}`] : [],
      ),
  );
  expect(faults).toEqual([]);
});

/** A line of a document that is a table, a heading, or a link alone keeps its length. */
const UNBROKEN_LINE = /^ *(?:[|#<>]|\[[^\]]+\]\([^)]+\)\.?$)/;

/** Pages that a test makes of tables. `UPDATE=1 npm test` rewrites them. */
const GENERATED = ['configuration', 'errors', 'prices', 'providers'].map((name) => `docs/${name}.md`);

test('no line of prose in a document is longer than a line of code', () => {
  const documents = filesOf('*.md', '{docs,bench,test}/**/*.md').filter((path) => !GENERATED.includes(path));
  expect(documents.length).toBeGreaterThan(80);
  const faults = documents.flatMap((path) =>
    read(path)
      // Blocks of code keep their lines, and their numbers.
      .replace(/^ *(```+)[^\n]*\n[\s\S]*?^ *\1$/gm, (block) => block.replace(/[^\n]/g, ''))
      .split('\n')
      .flatMap((line, index) =>
        line.length > MAX_PROSE_LENGTH && !UNBROKEN_LINE.test(line) ? [`${path}:${index + 1}`] : [],
      ),
  );
  expect(faults).toEqual([]);
});

/**
 * Forms of doc comments that have one form in the house: `Reports whether …`, `True if …`,
 * `Undefined if …`, "`null` means …".
 */
const REPLACED_COMMENT =
  /\/\*\* *(?:\n *\* )?Whether |\bReturns whether |^ *(?:\/\*\*|\*|\/\/).*[ ;(]`?(?:null|undefined)`?: /im;

test('doc comments say "Reports whether", "True if", and what null and undefined mean, in one form each', () => {
  expect([...sources, ...tests].filter((path) => REPLACED_COMMENT.test(read(path)))).toEqual([]);
});

/** A clause without a verb of its own, such as "What a request may cost" or "In place of the table". */
const CLAUSE = /\/\*\*\s+(?:\* )?(?:What|How|Why|Where|Of|In place of)\b/g;

test('no doc comment begins with a clause: it names the thing, or says what the function does', () => {
  const faults = code.flatMap((path) =>
    [...read(path).matchAll(CLAUSE)].map(([start]) => `${path}: ${start}`),
  );
  expect(faults).toEqual([]);
});
