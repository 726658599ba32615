import type { Clock, MovableClock } from '../../base/lib/clock.ts';
import type { BodyReader } from '../../edge/http/read-body.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { ProviderActivity } from '../../upstream/calling/provider-activity.ts';
import type { Capacity } from '../../upstream/capacity/capacity.ts';
import type { BatchDirectory } from '../batches/batch-directory.ts';

/** A provider's model as requests find it. */
export type TargetState = {
  /** The provider's own name of it. */
  model: string;
  circuit: 'closed' | 'open' | 'half-open';
  pauseLeftMs: number;
  inFlight: number;
  errorShare: number;
  firstByteMs: { whole: number | null; stream: number | null };
};

export type ReloadOutcome = { reloaded: true; generation: number } | { problems: string[] };

export type AdminDependencies = {
  adminToken: string;
  accounts: Accounts;
  activity: ProviderActivity;
  capacity: Capacity<Provider>;
  routing: {
    /** Those that were called since the start. */
    targetsOf(providerId: string): readonly TargetState[];
    setDrained(providerId: string, isDrained: boolean): void;
  };
  clock: Clock;
  /** Only on a test server: without it there is no `/test/clock`. */
  movableClock?: MovableClock | undefined;
  ledger: LedgerStore;
  stored: StoredBytes;
  batches: BatchDirectory;
  readBody: BodyReader;
  /** Writes its own audit entry, since a signal can cause it too. */
  reload: (actor: string) => Promise<ReloadOutcome>;
};

/** The audit log's name for whoever holds the admin token. */
export const ADMIN = 'admin';
