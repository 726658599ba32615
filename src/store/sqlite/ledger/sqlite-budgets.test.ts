import { afterEach, beforeEach, expect, test } from 'bun:test';
import { verifyLedger } from '../../../money/ledger/verify-ledger.ts';
import { budgetAudit, sampleBudget } from '../../testing/conformance/sample-budget.ts';
import { heldBy, samplePosting, sampleTime } from '../../testing/conformance/sample-ledger.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import type { SqliteStore } from '../sqlite-store.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../testing/temporary-directory.ts';

let place: TemporaryDirectory;
let store: SqliteStore;
beforeEach(async () => {
  place = temporaryDirectory();
  store = await openSqliteStore({ directory: place.directory });
});
afterEach(async () => {
  await store.close();
  place.remove();
});

const script = (sql: string) => store.writer.write((connection) => connection.script(sql));
const budget = sampleBudget();
const create = () => store.ledger.budgets.createBudget(budget, budgetAudit, 10);
const spent = async () => {
  const { items } = await store.ledger.budgets.listSpending(budget, { now: sampleTime, limit: 10 });
  return items.map(({ usedMicrocredits }) => usedMicrocredits);
};
const spend = async (cost: number) =>
  store.ledger.post(samplePosting(await heldBy(store.ledger, { requestId: `req_${cost}` }), cost));

/** Lets each change that has an audit entry fail. */
const REFUSE = `CREATE TRIGGER refuse BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END`;

test('a change of a budget that cannot be written leaves its latest charges counted', async () => {
  await create();
  await spend(30);
  await script(REFUSE);
  await expect(store.ledger.budgets.removeBudget(budget, budgetAudit)).rejects.toThrow('no');
  const moved = { ...budget, counter: 'cnt_other' };
  await expect(store.ledger.budgets.saveBudget(moved, budgetAudit)).rejects.toThrow('no');
  expect(await spent()).toEqual([30]);
  expect((await verifyLedger(store.ledger)).faults).toEqual([]);
});

test('a change that fails does not take back a later change of the same account', async () => {
  await create();
  const doubled = sampleBudget({ id: 'bud_organization', counter: 'cnt_double' });
  const other = sampleBudget({ scope: 'key' });
  const [failed, created] = await Promise.allSettled([
    store.ledger.budgets.createBudget(doubled, budgetAudit, 10),
    store.ledger.budgets.createBudget(other, budgetAudit, 10),
  ]);
  expect({ failed: failed?.status, created: created?.status }).toEqual({
    failed: 'rejected',
    created: 'fulfilled',
  });
  await spend(40);
  const { items } = await store.ledger.budgets.listSpending(other, { now: sampleTime, limit: 10 });
  expect(items.map(({ usedMicrocredits }) => usedMicrocredits)).toEqual([40]);
});
