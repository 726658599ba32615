import { test } from 'bun:test';
import type { NativeStore } from '../../../batches/native/native-store.ts';
import type { BatchStore } from '../../../batches/stored/batch-store.ts';
import type { IdempotencyStore } from '../../../batches/stored/idempotency-store.ts';
import type { BillingStore } from '../../../customers/billing/billing-store.ts';
import type { ShortfallStore } from '../../../customers/billing/shortfall-store.ts';
import type { StoredSettingStore } from '../../../customers/operators/stored-setting-store.ts';
import type { TokenStore } from '../../../customers/operators/token-store.ts';
import type { PeopleStore } from '../../../customers/people/people-store.ts';
import type { PromptStore } from '../../../customers/prompts/prompt-store.ts';
import type { ConversationStore } from '../../../inference/conversation/conversation-store.ts';
import type { RecordingStore } from '../../../inference/recording/recording-store.ts';
import type { ResponseStore } from '../../../inference/responses/response-store.ts';
import type { AccountStore, StoreHealth } from '../../../money/accounts/account-store.ts';
import type { AuditSweep } from '../../../money/accounts/audit-sweep.ts';
import type { KeyUseStore } from '../../../money/accounts/key-use-store.ts';
import type { BudgetStore } from '../../../money/budgets/budget-store.ts';
import type { LedgerStore } from '../../../money/ledger/ledger-store.ts';
import type { StoredBytes } from '../../../money/limits/stored-bytes.ts';
import type { DrainStore } from '../../../upstream/routing/drain-store.ts';
import type { AlertStore } from '../../../watch/alerts/alert-store.ts';
import type { FaultStore } from '../../../watch/faults/fault-store.ts';
import type { RefusalStore } from '../../../watch/refusals/refusal-store.ts';
import type { PayloadStore } from '../../../watch/requests/payload-store.ts';
import type { RequestStore } from '../../../watch/requests/request-store.ts';
import type { UsageStore } from '../../../watch/requests/usage-store.ts';
import type { CountedRequestStore } from '../../../watch/traffic/counted-request-store.ts';
import type { MilestoneStore } from '../../../watch/traffic/milestone-store.ts';
import type { TrafficStore } from '../../../watch/traffic/traffic-store.ts';

export type TestedStore = AccountStore &
  AuditSweep &
  KeyUseStore &
  TokenStore &
  ResponseStore &
  RequestStore &
  AlertStore &
  StoredBytes &
  StoreHealth & {
    ledger: LedgerStore;
    budgets: BudgetStore;
    people: PeopleStore;
    billing: BillingStore;
    shortfalls: ShortfallStore;
    prompts: PromptStore;
    recordings: RecordingStore;
    settings: StoredSettingStore;
    traffic: TrafficStore;
    countedRequests: CountedRequestStore;
    milestones: MilestoneStore;
    refusals: RefusalStore;
    faults: FaultStore;
    drains: DrainStore;
    batches: BatchStore & IdempotencyStore & NativeStore;
    usage: UsageStore;
    payloads: PayloadStore;
    conversations: ConversationStore;
  };

export type OpenedStore = {
  store: TestedStore;
  /** Closes the store and opens it again. */
  reopen(): Promise<TestedStore>;
  /** Closes the store and removes its files. */
  dispose(): Promise<void>;
};

/** Opens an empty store. */
export type OpenStore = () => Promise<OpenedStore>;

export type StoreTest = (
  title: string,
  body: (opened: OpenedStore) => Promise<void>,
  /** The time limit of a test that takes longer than usual. */
  timeoutMs?: number,
) => void;

/** Returns a function that declares tests, each with an empty store of its own. */
export function storeTest(open: OpenStore): StoreTest {
  return (title, body, timeoutMs) => {
    const run = async () => {
      const opened = await open();
      try {
        await body(opened);
      } finally {
        await opened.dispose();
      }
    };
    test(title, run, timeoutMs);
  };
}
