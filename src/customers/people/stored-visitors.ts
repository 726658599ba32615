import { msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { sessionCookieOf } from './auth-caller.ts';
import type { PeopleStore, PeopleTest } from './people-store.ts';
import type { RowOf } from './people-tables.ts';
import { isLiveAt, matching } from './people-tests.ts';
import type { Visitor, Visitors } from './visitor.ts';

export type StoredVisitorsParts = { store: PeopleStore; now(): number };

/**
 * Finds the person of a session in the store. It is read for every request, so the end of a session and a
 * change of a role are in force at once on every node.
 */
export class StoredVisitors implements Visitors {
  readonly #store: PeopleStore;
  readonly #now: () => number;

  constructor({ store, now }: StoredVisitorsParts) {
    this.#store = store;
    this.#now = now;
  }

  async identify(exchange: Exchange): Promise<Visitor | undefined> {
    const session = await this.#sessionOf(exchange);
    if (!session) return undefined;
    const ofPerson = matching({ person_id: session.person_id });
    const [[person], memberships, [operator]] = await Promise.all([
      this.#store.findPeople('person', { where: matching({ id: session.person_id }) }),
      this.#store.findPeople('membership', { where: ofPerson, sort: { column: 'created_at' } }),
      this.#store.findPeople('operator_role', { where: ofPerson }),
    ]);
    if (!person) return undefined;
    const { two_factor: required } = exchange.snapshot.config.dashboard;
    const needsTwoFactor = required === 'everyone' || (required === 'operators' && operator !== undefined);
    const mustSetTwoFactor =
      needsTwoFactor && !person.two_factor_enabled && (await this.#hasPassword(person.id));
    const isOperator = !mustSetTwoFactor && exchange.listener !== 'public';
    return {
      userId: person.id,
      sessionId: session.id,
      sessionBegan: session.created_at,
      email: person.email,
      name: person.name,
      emailVerified: person.email_verified,
      hasTwoFactor: person.two_factor_enabled,
      mustSetTwoFactor,
      operator: isOperator ? (operator?.role ?? null) : null,
      memberships: mustSetTwoFactor
        ? []
        : memberships.map(({ account_id: accountId, role }) => ({ accountId, role })),
    };
  }

  async #sessionOf(exchange: Exchange): Promise<RowOf<'person_session'> | undefined> {
    const token = sessionCookieOf(exchange)?.token;
    if (token === undefined) return undefined;
    const now = this.#now();
    const oldest = now - msOf(exchange.snapshot.config.dashboard.session_max_s);
    const where: PeopleTest[] = [
      ...matching({ token: hashKey(token) }),
      isLiveAt(now),
      { column: 'created_at', is: 'gt', value: oldest },
    ];
    return (await this.#store.findPeople('person_session', { where }))[0];
  }

  async #hasPassword(personId: string): Promise<boolean> {
    const where = matching({ person_id: personId, provider: 'credential' });
    return (await this.#store.countPeople('sign_in', where)) > 0;
  }
}
