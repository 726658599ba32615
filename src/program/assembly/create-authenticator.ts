import type { Clock } from '../../base/lib/clock.ts';
import { writeUsedPercent } from '../../inference/admission/write-used-percent.ts';
import { Authenticator, type CredentialSource } from '../../money/auth/authenticator.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { Limits } from '../../money/limits/limits.ts';

type AuthenticatorParts = {
  store: CredentialSource;
  ledger: LedgerStore;
  clock: Clock;
  limits: Limits;
};

/**
 * Creates the authenticator. Responses to a known principal carry limits and credits, and every read is
 * counted.
 */
export const createAuthenticator = ({ store, ledger, clock, limits }: AuthenticatorParts): Authenticator =>
  new Authenticator(store, clock, {
    greet(exchange, principal) {
      exchange.beforeHead = () => {
        limits.announce(exchange, principal);
        return writeUsedPercent(ledger, exchange, principal);
      };
    },
    countRead: (exchange, principal) => limits.read(exchange, principal),
  });
