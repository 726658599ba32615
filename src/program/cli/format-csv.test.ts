import { expect, test } from 'bun:test';
import { formatCsv } from './format-csv.ts';

test('only a text that a spreadsheet would run as a formula is disarmed', () => {
  const rows = [
    { name: '=HYPERLINK("http://x")', amount: -12.5 },
    { name: ' +1+cmd', amount: 1e-7 },
    { name: '@SUM(A1)', amount: 3 },
    { name: '-2+3', amount: -0 },
    { name: 'a=b', amount: 4 },
  ];
  expect(formatCsv(rows).split('\n')).toEqual([
    'name,amount',
    `"'=HYPERLINK(""http://x"")",-12.5`,
    "' +1+cmd,1e-7",
    "'@SUM(A1),3",
    "'-2+3,0",
    'a=b,4',
  ]);
});
