import { describe } from 'bun:test';
import { describeEntries, describeHolds, describeOnce, describeReports } from '../../conformance/ledger.ts';
import { describeAmounts } from '../../conformance/ledger-amounts.ts';
import { describeBounds } from '../../conformance/ledger-bounds.ts';
import { describeDays } from '../../conformance/ledger-days.ts';
import { describeLedgerModel } from '../../conformance/ledger-model.ts';
import { describeRestarts } from '../../conformance/ledger-restarts.ts';
import { type OpenedStore, storeTest, type TestedStore } from '../../conformance/store-test.ts';
import { Database } from '../database.ts';
import { nodeForTest, prepareForNodes } from '../testing/ledger-for-test.ts';
import { postgresForTest } from '../testing/postgres-for-test.ts';

/** Opens the ledger alone. A node that opens again ends the holds of the one before. */
async function open(): Promise<OpenedStore> {
  const server = await postgresForTest();
  const url = await server.create();
  const first = new Database({ url, most: 1 });
  await prepareForNodes(first);
  await first.close();
  let node = await nodeForTest({ url });
  const store = () => ({ ledger: node.ledger }) as unknown as TestedStore;
  return {
    store: store(),
    async reopen() {
      const previousNode = node.identity.current;
      await node.close();
      node = await nodeForTest({ url, previousNode });
      return store();
    },
    async dispose() {
      await node.close();
      await server.drop(url);
    },
  };
}

describe('the ledger in Postgres', () => {
  const test = storeTest(open);
  describeHolds(test);
  describeBounds(test);
  describeDays(test);
  describeEntries(test);
  describeOnce(test);
  describeReports(test);
  describeRestarts(test);
  describeAmounts(test);
  describeLedgerModel(open, { runs: 12, seed: 20261122 });
});
