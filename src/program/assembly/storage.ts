import type { AlertStore } from '../../api/alerts/alert-store.ts';
import type { BatchStore } from '../../api/batches/batch-store.ts';
import type { IdempotencyStore } from '../../api/batches/idempotency-store.ts';
import type { NativeStore } from '../../api/batches/native/native-store.ts';
import type { Logger } from '../../api/observability/logger.ts';
import type { Metric } from '../../api/observability/metrics.ts';
import type { TokenStore } from '../../api/operators/token-store.ts';
import type { RequestStore } from '../../api/requests/request-store.ts';
import type { AdvancingClock, Clock } from '../../base/lib/clock.ts';
import type { ResponseStore } from '../../inference/responses/response-store.ts';
import type { Tabs } from '../../inference/settlement/tabs.ts';
import type { OpenAnswers } from '../../inference/stream/open-answers.ts';
import type { AccountStore, StoreHealth } from '../../money/accounts/account-store.ts';
import type { Authenticator } from '../../money/auth/authenticate.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { PostingSpool } from '../../money/ledger/posting-spool.ts';
import type { Free } from '../../money/limits/free-space.ts';
import type { Gate } from '../../money/limits/gate.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { Capacity } from '../../upstream/capacity/capacity.ts';
import type { Routing } from '../../upstream/routing/routing.ts';

/** The ports of a store, apart from those that `Storage` names. */
export type StorePorts = AccountStore &
  TokenStore &
  ResponseStore &
  RequestStore &
  AlertStore &
  StoredBytes &
  Pick<StoreHealth, 'problem'>;

/** The parts that follow the changes of other nodes on the same store. */
export type FollowingParts = {
  logger: Logger;
  snapshot: () => Snapshot;
  authenticator: Pick<Authenticator, 'forget'>;
  capacity: Capacity<Provider>;
  routing: Pick<Routing, 'setDrained'>;
  tabs: Pick<Tabs, 'abandonAll'>;
  open: Pick<OpenAnswers, 'interruptOpen'>;
  /** The number of requests that this node has open. */
  inFlight(): number;
  reload(actor: string): Promise<unknown>;
};

/** Everything that keeps state, whichever store it is. */
export type Storage = {
  kind: 'embedded' | 'postgres';
  store: StorePorts;
  ledger: LedgerStore;
  batches: BatchStore & IdempotencyStore & NativeStore;
  gate: Gate;
  spool: PostingSpool;
  /** The number of lines of the spool that could not be read at the start. */
  damagedSpoolLines: number;
  clock: Clock;
  /** The same clock on a test server. */
  movableClock: AdvancingClock | undefined;
  metrics: readonly Metric[];
  freeBytes(): Promise<Free>;
  /** Called once, before the first request. Undefined: no other node uses the store. */
  follow?(parts: FollowingParts): void;
  /** Writes what is pending and closes the store and the spool. */
  close(): Promise<void>;
};
