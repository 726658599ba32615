import { describe } from 'bun:test';
import { describeAccounts } from './conformance/accounts.ts';
import { describeAlerts } from './conformance/alerts.ts';
import { describeAudit } from './conformance/audit.ts';
import { describeBatchCharges, describeBatches } from './conformance/batches.ts';
import { describeConcurrency } from './conformance/concurrency.ts';
import { describeHealth } from './conformance/health.ts';
import { describeIdempotency } from './conformance/idempotency.ts';
import { describeKeyUses } from './conformance/key-uses.ts';
import { describeKeys } from './conformance/keys.ts';
import { describeLedger } from './conformance/ledger.ts';
import { describeLedgerModel } from './conformance/ledger-model.ts';
import { describePayloads } from './conformance/payloads.ts';
import { describePeople } from './conformance/people.ts';
import { describeRequests } from './conformance/requests.ts';
import { describeResponses } from './conformance/responses.ts';
import type { OpenStore } from './conformance/store-test.ts';
import { describeBatchBytes, describeStoredBytes } from './conformance/stored-bytes.ts';
import { describeTokens } from './conformance/tokens.ts';
import { describeUsage } from './conformance/usage.ts';

/** The tests that every implementation of the store must pass. */
export function describeAccountStore(name: string, open: OpenStore): void {
  describe(`account store: ${name}`, () => {
    describeAccounts(open);
    describeKeys(open);
    describeKeyUses(open);
    describeTokens(open);
    describeAudit(open);
    describeConcurrency(open);
    describeResponses(open);
    describeRequests(open);
    describeUsage(open);
    describePayloads(open);
    describeAlerts(open);
    describePeople(open);
    describeLedger(open);
    describeLedgerModel(open, { runs: 60, seed: 20_261_121 });
    describeBatches(open);
    describeBatchCharges(open);
    describeIdempotency(open);
    describeStoredBytes(open);
    describeBatchBytes(open);
    describeHealth(open);
  });
}
