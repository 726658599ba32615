import type { Clock } from '../../base/lib/clock.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';

export type UsageEndpointParts = {
  authenticator: Authenticator;
  ledger: LedgerStore;
  stored: StoredBytes;
  clock: Clock;
};
