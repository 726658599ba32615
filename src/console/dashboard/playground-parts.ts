import type { Spoken } from '../../api/quote/read-any-dialect.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Gateway } from '../../inference/gateway/gateway.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Authenticator } from '../../money/auth/authenticate.ts';

/** What the playground uses to send requests as a client does. */
export type PlaygroundParts = {
  accounts: Pick<Accounts, 'find' | 'listKeys' | 'createKey' | 'revokeKey'>;
  authenticator: Pick<Authenticator, 'withKey'>;
  gateway: Gateway;
  dialects: readonly Spoken[];
  clock: Clock;
  /** Called for each request, so that batches give way to it. */
  live(): void;
};
