import type { Accounts } from '../accounts/accounts.ts';
import type { BatchDirectory } from '../batches/batch-directory.ts';
import type { Capacity } from '../capacity/capacity.ts';
import type { BodyReader } from '../http/read-body.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { Clock, MovableClock } from '../lib/clock.ts';
import type { StoredBytes } from '../limits/stored-bytes.ts';
import type { ProviderActivity } from '../providers/provider-activity.ts';
import type { Provider } from '../providers/providers.ts';

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
