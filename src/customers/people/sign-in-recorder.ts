import { Refusal } from '../../base/errors/refusal.ts';
import { clientNetwork } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { sessionCookieOf } from './auth-caller.ts';
import { sessionCookieName } from './auth-cookies.ts';
import type { AuthLibrary } from './auth-library.ts';
import { withoutSignature } from './cookies.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import { originOf } from './origin-of.ts';
import type { PeopleStore } from './people-store.ts';
import { matching } from './people-tests.ts';
import { findPerson, type Person } from './person.ts';
import { personOfFirstStep } from './person-of-first-step.ts';
import type { Visitor } from './visitor.ts';

export type SignInRecorderParts = {
  store: PeopleStore;
  library: AuthLibrary;
  accounts: Accounts;
  failures: FailedSignIns;
};

/** The second step of a sign-in, as its method. */
export const SECOND_STEP = 'two-factor';

/** The method of a sign-in, and the address that was entered. */
export type SignInAttempt = { by: string; email?: string | undefined };

/** A refusal, or the cookies of the answer. A new session is in them once the person has signed in. */
export type SignInOutcome = { cookies: readonly string[] } | Refusal;

/**
 * Writes sign-ins, failed sign-ins and sign-outs to the audit log. A sign-in ends the session that the
 * browser had before.
 */
export class SignInRecorder {
  readonly #parts: SignInRecorderParts;

  constructor(parts: SignInRecorderParts) {
    this.#parts = parts;
  }

  /** Records the outcome of an attempt. An answer without a new session is the first of two steps. */
  async record(exchange: Exchange, { by, email }: SignInAttempt, outcome: SignInOutcome): Promise<void> {
    if (!(outcome instanceof Refusal)) return this.#recordSignIn(exchange, by, outcome.cookies);
    if (!wasChecked(outcome)) return;
    // A wrong code follows the right password, so the person is known.
    const personId = by === SECOND_STEP ? await personOfFirstStep(exchange, this.#parts.library) : undefined;
    const network = clientNetwork(exchange);
    this.#parts.failures.add({ by, network, email, ...(personId && { personId }) });
  }

  async recordSignOut(exchange: Exchange, { email, userId }: Visitor): Promise<void> {
    const after = { network: clientNetwork(exchange) };
    await this.#parts.accounts.record('sign-out', userId, { before: null, after, actor: email });
  }

  async #recordSignIn(exchange: Exchange, by: string, cookies: readonly string[]): Promise<void> {
    const token = tokenIn(cookies, sessionCookieName(originOf(exchange).isSecure));
    const earlierToken = sessionCookieOf(exchange)?.token;
    // An answer can also renew the cookie of the session that the browser has.
    if (token === undefined || token === earlierToken) return;
    const person = await this.#personOf(token);
    if (!person) return;
    if (earlierToken !== undefined) await this.#endSession(earlierToken);
    const after = { by, network: clientNetwork(exchange) };
    await this.#parts.accounts.record('sign-in', person.id, { before: null, after, actor: person.email });
  }

  async #endSession(token: string): Promise<void> {
    const where = matching({ token: hashKey(token) });
    await this.#parts.store.changePeople({ writes: [{ kind: 'delete', table: 'person_session', where }] });
  }

  async #personOf(token: string): Promise<Person | undefined> {
    const [session] = await this.#parts.store.findPeople('person_session', {
      where: matching({ token: hashKey(token) }),
    });
    return session && findPerson(this.#parts.store, session.person_id);
  }
}

/** Reports whether the attempt was checked. A refusal of too many attempts has checked nothing. */
const wasChecked = ({ code }: Refusal): boolean => code !== 'rate_limit_exceeded';

/** Returns the session's token in the cookies of an answer. The sign-in library encodes and signs it. */
function tokenIn(cookies: readonly string[], name: string): string | undefined {
  const cookie = cookies.find((candidate) => candidate.startsWith(`${name}=`))?.slice(name.length + 1);
  const value = decodeURIComponent(cookie?.split(';')[0] ?? '');
  return withoutSignature(value) || undefined;
}
