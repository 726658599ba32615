import { expect, test } from 'bun:test';
import { formatTable } from './format-table.ts';

test('control characters of names are shown and do not reach the terminal', () => {
  const columns = [{ title: 'name', cell: (row: { name: string }) => row.name }];
  expect(formatTable(columns, [{ name: 'evil\u001b[31m\u009b\u202e\nb' }])).toBe(
    'NAME\nevil\\u{001b}[31m\\u{009b}\\u{202e} b',
  );
});
