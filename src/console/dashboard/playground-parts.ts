import type { DialectEndpoint } from '../../api/quote/read-any-dialect.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Services } from '../../inference/request/services.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';

/** The parts with which the playground sends requests as a client does. */
export type PlaygroundParts = {
  accounts: Accounts;
  authenticator: Authenticator;
  services: Services;
  dialects: readonly DialectEndpoint[];
  clock: Clock;
  /** The playground calls it for each request, so that batches give way to the request. */
  live(): void;
};
