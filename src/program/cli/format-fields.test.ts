import { expect, test } from 'bun:test';
import { formatFields } from './format-fields.ts';

const name = 'evil\u001b[31m\u001b]0;pwn\u0007\u009b\u202e\nb';
const shown = 'evil\\u{001b}[31m\\u{001b}]0;pwn\\u{0007}\\u{009b}\\u{202e} b';

test('control characters of names are shown and do not reach the terminal', () => {
  expect(formatFields({ name, list: [name], inner: { name } })).toBe(
    `name        ${shown}\nlist        ${shown}\ninner.name  ${shown}`,
  );
});

test('leaves ordinary text of any length unchanged', () => {
  const text = 'Zo\u00eb \u65e5\u672c '.repeat(50).trim();
  expect(formatFields({ text })).toBe(`text  ${text}`);
});

test('shows a dash for each field without a value', () => {
  expect(formatFields({ none: null, list: [], object: {}, inner: { object: {} } })).toBe(
    'none          -\nlist          -\nobject        -\ninner.object  -',
  );
});
