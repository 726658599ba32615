import { describe } from 'bun:test';
import { isFull } from '../../../../test/support/is-full.ts';
import { describeAccounts } from './describe-accounts.ts';
import { describeAlerts } from './describe-alerts.ts';
import { describeAudit } from './describe-audit.ts';
import { describeBatches } from './describe-batches.ts';
import { describeBilling } from './describe-billing.ts';
import { describeBudgets } from './describe-budgets.ts';
import { describeConcurrency } from './describe-concurrency.ts';
import { describeFaults } from './describe-faults.ts';
import { describeHealth } from './describe-health.ts';
import { describeIdempotency } from './describe-idempotency.ts';
import { describeKeyUses } from './describe-key-uses.ts';
import { describeKeys } from './describe-keys.ts';
import { describeLedger } from './describe-ledger.ts';
import { describeLedgerModel } from './describe-ledger-model.ts';
import { describePayloads } from './describe-payloads.ts';
import { describePeople } from './describe-people.ts';
import { describePrompts } from './describe-prompts.ts';
import { describeRecordings } from './describe-recordings.ts';
import { describeRequests } from './describe-requests.ts';
import { describeResponses } from './describe-responses.ts';
import { describeSettings } from './describe-settings.ts';
import { describeStoredBytes } from './describe-stored-bytes.ts';
import { describeTokens } from './describe-tokens.ts';
import { describeTraffic } from './describe-traffic.ts';
import { describeUsage } from './describe-usage.ts';
import type { OpenStore } from './store-test.ts';

/** Describes the tests that every implementation of the store must pass. */
export function describeStore(name: string, open: OpenStore): void {
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
    describeRecordings(open);
    describeSettings(open);
    describeLedger(open);
    describeBudgets(open);
    describeLedgerModel(open, { runs: isFull ? 60 : 25, seed: 20_261_121 });
    describeBatches(open);
    describeIdempotency(open);
    describeStoredBytes(open);
    describeHealth(open);
  });
}
