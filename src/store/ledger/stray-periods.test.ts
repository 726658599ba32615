import { expect, test } from 'bun:test';
import { sampleEntry } from '../testing/conformance/sample-ledger.ts';
import { ExpectedRows } from './expected-rows.ts';
import { strayPeriods } from './stray-periods.ts';

function rowsAfterRenewals(periods: readonly string[]): ExpectedRows {
  const rows = new ExpectedRows([{ name: 'bucket', key: ['period'], values: ['granted', 'used'] }]);
  for (const period of periods)
    rows.take({ ...sampleEntry({ kind: 'renewal', period }), sequence: 1, hash: '' });
  return rows;
}

test.each<[string, string[], string[], string[]]>([
  ['the first cycle', ['cycle-9'], [], []],
  ['periods without cycles', ['free', 'none'], [], []],
  ['a first cycle behind cycles with renewals', ['cycle-8', 'cycle-9'], ['cycle-8'], []],
  ['a first cycle before cycles with renewals', ['cycle-8', 'cycle-10'], ['cycle-10'], []],
  ['a second cycle', ['cycle-10', 'cycle-9'], [], ['cycle-10']],
  ['purchased credit', ['purchased'], [], ['purchased']],
  ['an unknown period', ['cycle-', 'x'], [], ['cycle-', 'x']],
])('a balance of zero without an entry, of %s', (_what, periods, renewed, strays) => {
  expect(strayPeriods(periods, rowsAfterRenewals(renewed))).toEqual(strays);
});

test('a renewal that cannot be read explains its cycle', () => {
  const rows = rowsAfterRenewals([]);
  rows.takeUnreadable('ent_renewal_acct_1_10');
  expect(strayPeriods(['cycle-9', 'cycle-10', 'cycle-11'], rows)).toEqual(['cycle-11']);
});
