import { steadyClock } from '../../base/lib/clock.ts';
import { TokenService, type TokenServiceParts } from '../../customers/operators/token-service.ts';
import { WrongTokens } from '../../customers/operators/wrong-tokens.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';

/** The check of admin tokens, and the delay after wrong ones. */
export type AdminGate = { service: TokenService; wrongTokens: WrongTokens };

export type AdminGateParts = TokenServiceParts & {
  accounts: Accounts;
  /** Waits before the answer to a repeated wrong token. */
  wait(ms: number): Promise<unknown>;
};

export function createAdminGate({ accounts, wait, ...parts }: AdminGateParts): AdminGate {
  const wrongTokens = new WrongTokens({
    clock: steadyClock(parts.clock),
    wait,
    record: (network, count) =>
      accounts.record('token-refused', network, {
        before: null,
        after: { wrongTokens: count },
        actor: 'unknown',
      }),
  });
  return { service: new TokenService(parts), wrongTokens };
}
