import { expect, test } from 'bun:test';
import { read, sources, statements, tests } from '../test/support/source-files.ts';

const MAX_FILE_LINES = 400;
const MAX_LINE_LENGTH = 140;
const MAX_FUNCTION_LINES = 70;

/** Functions in SQL that take less CPU time in one piece, as docs/architecture.md says. */
const LONG_SQL_FUNCTIONS = ['gate', 'post_entries'];

test('files, lines and functions stay within their sizes', () => {
  const faults = [...sources, ...tests].flatMap((path) => {
    const lines = read(path).trimEnd().split('\n');
    const long = lines.findIndex(
      (line) => line.length > MAX_LINE_LENGTH && !/https?:\/\/|['"`].{100}/.test(line),
    );
    return [
      ...(lines.length > MAX_FILE_LINES ? [`${path}: ${lines.length} lines`] : []),
      ...(long >= 0 && !path.startsWith('test/')
        ? [`${path}:${long + 1}: ${lines[long]!.length} characters`]
        : []),
      ...(/\.test\.tsx?$/.test(path) || path.startsWith('test/') ? [] : longFunctions(path, lines)),
    ];
  });
  expect(faults).toEqual([]);
});

/** A function of ours begins at a line that opens a block or a list of parameters. */
const FUNCTION_HEAD =
  /^( *)(?:export )?(?:default )?(?:(?:async|static|readonly|get|set) )*(?:function\b|#?\w+(?:<.*>)?\().*[{(]$/;

/**
 * A function ends at the brace with the indentation of its head, and so do its
 * parameters: the formatter sees to that.
 */
function longFunctions(path: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, start) => {
    const head = FUNCTION_HEAD.exec(line);
    if (!head || /^ *(if|for|while|switch|describe|test)\b/.test(line)) return [];
    const indent = head[1]!;
    const opening = line.endsWith('(')
      ? lines.findIndex((later, index) => index > start && later.startsWith(`${indent})`))
      : start;
    if (!/\).*\{$/.test(lines[opening] ?? '')) return [];
    const end = lines.findIndex((later, index) => index > opening && later.startsWith(`${indent}}`));
    return end - start > MAX_FUNCTION_LINES
      ? [`${path}:${start + 1}: a function of ${end - start} lines`]
      : [];
  });
}

test('the size of a function counts from its head, even if its parameters have lines of their own', () => {
  const body = Array<string>(MAX_FUNCTION_LINES).fill('  work();');
  const short = ['function work() {', ...body.slice(2), '}'];
  expect(longFunctions('a.ts', short)).toEqual([]);
  expect(
    longFunctions('a.ts', ['async function work(', '  one: One,', '): Promise<void> {', ...body, '}']),
  ).toEqual(['a.ts:1: a function of 73 lines']);
});

test('lines and functions in SQL stay within their sizes, and each function has a comment', () => {
  const faults = statements.flatMap((path) => {
    const lines = read(path).split('\n');
    const long = lines.filter((line) => line.length > MAX_LINE_LENGTH);
    return [...long.map((line) => `${path}: ${line}`), ...sqlFunctionFaults(path, lines)];
  });
  expect(faults).toEqual([]);
});

/** A function in SQL ends at the first line `$$;`. */
function sqlFunctionFaults(path: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, start) => {
    const name = /^CREATE (?:OR REPLACE )?FUNCTION (\w+)/.exec(line)?.[1];
    if (name === undefined) return [];
    const length = lines.indexOf('$$;', start) - start + 1;
    const isLong = length > MAX_FUNCTION_LINES && !LONG_SQL_FUNCTIONS.includes(name);
    return [
      ...(isLong ? [`${path}: the function ${name} has ${length} lines`] : []),
      ...(lines[start - 1]?.startsWith('-- ') ? [] : [`${path}: the function ${name} has no comment`]),
    ];
  });
}
