import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../../base/lib/units.ts';
import { firstBin } from '../../../money/budgets/budget-window.ts';
import { rowOfBudget } from '../../budget-rows.ts';
import { SqlStatement } from '../../sql-statement.ts';
import { sampleBudget } from '../../testing/conformance/sample-budget.ts';
import { sampleTime } from '../../testing/conformance/sample-ledger.ts';
import { type CareForTest, faultsIn, fillLedger, holdCredit, openCare } from './testing/care-for-test.ts';

let place: CareForTest;
beforeEach(async () => {
  place = await openCare();
});
afterEach(() => place.close());

test('the removal of a damaged hold frees what it reserved', async () => {
  await fillLedger(place);
  await place.database.run('UPDATE open_hold SET microcredits = 900');
  expect((await faultsIn(place)).map(({ what }) => what)).toContain('seal of open_hold req_open');
  expect(await place.care.repairStore()).toEqual({ removedHolds: 1 });
  expect(await faultsIn(place)).toEqual([]);
  await holdCredit(place.database);
  await place.database.run(`UPDATE open_hold SET checkpoint = '{"tokens":9}', seal = DEFAULT`);
  expect(await faultsIn(place)).toEqual([]);
});

test('a damaged hold that is removed reserves nothing of a budget', async () => {
  await fillLedger(place);
  const later = firstBin(sampleBudget(), sampleTime + 40 * DAY_MS);
  const statement = new SqlStatement();
  const row = rowOfBudget(sampleBudget({ countsFrom: later }));
  await place.database.run(statement.insert('budget', row), statement.values);
  await place.database.script(
    `SELECT count_budgets('acct_1');
     UPDATE open_hold SET budgets = '[["cnt_organization", "", ${later}]]', seal = DEFAULT;
     INSERT INTO budget_spend (account_id, counter, target, bin, held)
     VALUES ('acct_1', 'cnt_organization', '', ${later}, 50)`,
  );
  expect(await faultsIn(place)).toEqual([]);
  await place.database.run('UPDATE open_hold SET microcredits = 900');
  expect(await place.care.repairStore()).toEqual({ removedHolds: 1 });
  expect(await faultsIn(place)).toEqual([]);
});

test('damaged positions and quarantines are accepted by a repair of the store', async () => {
  await fillLedger(place);
  await place.database.script(
    `UPDATE quarantine SET reason = 'x'; UPDATE unconfirmed SET entry_id = 'ent_6'`,
  );
  expect((await faultsIn(place)).map(({ what }) => what)).toEqual([
    'seal of quarantine acct_9',
    'seal of unconfirmed ent_6',
  ]);
  expect(await place.care.repairStore()).toEqual({ removedHolds: 0 });
  expect(await faultsIn(place)).toEqual([]);
});
