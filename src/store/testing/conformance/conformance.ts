import { describe } from 'bun:test';
import { describeAccounts } from './accounts.ts';
import { describeAlerts } from './alerts.ts';
import { describeAudit } from './audit.ts';
import { describeBatchCharges, describeBatches } from './batches.ts';
import { describeBilling } from './billing.ts';
import { describeBudgets } from './budgets.ts';
import { describeConcurrency } from './concurrency.ts';
import { describeFaults } from './faults.ts';
import { describeHealth } from './health.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeKeyUses } from './key-uses.ts';
import { describeKeys } from './keys.ts';
import { describeLedger } from './ledger.ts';
import { describeLedgerModel } from './ledger-model.ts';
import { describePayloads } from './payloads.ts';
import { describePeople } from './people.ts';
import { describePrompts } from './prompts.ts';
import { describeRequests } from './requests.ts';
import { describeResponses } from './responses.ts';
import { describeSettings } from './settings.ts';
import type { OpenStore } from './store-test.ts';
import { describeBatchBytes, describeStoredBytes } from './stored-bytes.ts';
import { describeTokens } from './tokens.ts';
import { describeTraffic } from './traffic.ts';
import { describeUsage } from './usage.ts';

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
    describeTraffic(open);
    describeFaults(open);
    describePayloads(open);
    describeAlerts(open);
    describePeople(open);
    describeBilling(open);
    describePrompts(open);
    describeSettings(open);
    describeLedger(open);
    describeBudgets(open);
    describeLedgerModel(open, { runs: 60, seed: 20_261_121 });
    describeBatches(open);
    describeBatchCharges(open);
    describeIdempotency(open);
    describeStoredBytes(open);
    describeBatchBytes(open);
    describeHealth(open);
  });
}
