import type { AdvancingClock, Clock } from '../../base/lib/clock.ts';
import type { NativeStore } from '../../batches/native/native-store.ts';
import type { BatchStore } from '../../batches/stored/batch-store.ts';
import type { IdempotencyStore } from '../../batches/stored/idempotency-store.ts';
import type { BillingStore } from '../../customers/billing/billing-store.ts';
import type { ShortfallStore } from '../../customers/billing/shortfall-store.ts';
import type { InstallationStore } from '../../customers/operators/installation-store.ts';
import type { StoredSettingStore } from '../../customers/operators/stored-setting-store.ts';
import type { TokenStore } from '../../customers/operators/token-store.ts';
import type { PeopleStore } from '../../customers/people/people-store.ts';
import type { PromptStore } from '../../customers/prompts/prompt-store.ts';
import type { BackgroundStore } from '../../inference/background/background-store.ts';
import type { ConversationStore } from '../../inference/conversation/conversation-store.ts';
import type { RecordingStore } from '../../inference/recording/recording-store.ts';
import type { ResponseStore } from '../../inference/responses/response-store.ts';
import type { AccountStore, StoreHealth } from '../../money/accounts/account-store.ts';
import type { AuditSweep } from '../../money/accounts/audit-sweep.ts';
import type { KeyUseStore } from '../../money/accounts/key-use-store.ts';
import type { BudgetStore } from '../../money/budgets/budget-store.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { PostingSpool } from '../../money/ledger/posting-spool.ts';
import type { FreeBytes } from '../../money/limits/free-space.ts';
import type { Gate } from '../../money/limits/gate.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { DrainStore } from '../../upstream/routing/drain-store.ts';
import type { AlertStore } from '../../watch/alerts/alert-store.ts';
import type { FaultStore } from '../../watch/faults/fault-store.ts';
import type { Metric } from '../../watch/observability/metric.ts';
import type { RefusalStore } from '../../watch/refusals/refusal-store.ts';
import type { PayloadStore } from '../../watch/requests/payload-store.ts';
import type { RequestStore } from '../../watch/requests/request-store.ts';
import type { UsageStore } from '../../watch/requests/usage-store.ts';
import type { CountedRequestStore } from '../../watch/traffic/counted-request-store.ts';
import type { MilestoneStore } from '../../watch/traffic/milestone-store.ts';
import type { TrafficStore } from '../../watch/traffic/traffic-store.ts';
import type { NodeHooks } from './node-hooks.ts';

/** The ports of a store, apart from those that `Storage` names. */
export type StorePorts = AccountStore &
  AuditSweep &
  KeyUseStore &
  TokenStore &
  ResponseStore &
  RequestStore &
  AlertStore &
  StoredBytes &
  Pick<StoreHealth, 'problem'>;

/** Everything that keeps state, whichever store it is. */
export type Storage = {
  kind: 'embedded' | 'postgres';
  /** The name of this process among those that share the store. Undefined if no other process does. */
  processName?: string | undefined;
  store: StorePorts;
  ledger: LedgerStore;
  budgets: BudgetStore;
  people: PeopleStore;
  billing: BillingStore;
  shortfalls: ShortfallStore;
  conversations: ConversationStore;
  background: BackgroundStore;
  recordings: RecordingStore;
  prompts: PromptStore;
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
  gate: Gate;
  spool: PostingSpool;
  /** The number of lines of the spool that could not be read at the start. */
  damagedSpoolLines: number;
  clock: Clock;
  /** The same clock on a test server. */
  movableClock: AdvancingClock | undefined;
  metrics: readonly Metric[];
  /** Undefined if the files of the process show what was made. */
  installation?: InstallationStore | undefined;
  /** Undefined if the store serves one process. */
  nodes?: NodeHooks | undefined;
  /** `maxBytes` is the largest size of a database whose disk is not visible. `null` means unknown. */
  freeBytes(bound: { maxBytes: number | null }): Promise<FreeBytes | undefined>;
  /** Writes what is pending and closes the store and the spool. */
  close(): Promise<void>;
};
