import type { Exchange } from '../../edge/http/exchange.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { AdminRole } from '../operators/admin-token.ts';
import { sessionCookieOf } from './auth-caller.ts';
import type { PeopleRow, PeopleStore } from './people-store.ts';
import type { MemberRole, PersonMembership, Visitor, Visitors } from './visitor.ts';

/**
 * Finds the person of a session in the store. It is read for every request, so the end of a session and a
 * change of a role are in force at once on every node.
 */
export class StoredVisitors implements Visitors {
  readonly #store: PeopleStore;

  constructor(store: PeopleStore) {
    this.#store = store;
  }

  async identify(exchange: Exchange): Promise<Visitor | undefined> {
    const token = sessionCookieOf(exchange)?.token;
    if (token === undefined) return undefined;
    const now = Date.now();
    const { session_max_s: oldest, two_factor: required } = exchange.snapshot.config.dashboard;
    const [session] = await this.#store.findPeople('person_session', {
      where: [
        { column: 'token', value: hashKey(token) },
        { column: 'expires_at', is: 'gt', value: now },
        { column: 'created_at', is: 'gt', value: now - oldest * 1_000 },
      ],
    });
    if (!session) return undefined;
    const ofPerson = [{ column: 'person_id', value: session.person_id! }];
    const [[person], memberships, [operator]] = await Promise.all([
      this.#store.findPeople('person', { where: [{ column: 'id', value: session.person_id! }] }),
      this.#store.findPeople('membership', { where: ofPerson, sort: { column: 'created_at' } }),
      this.#store.findPeople('operator_role', { where: ofPerson }),
    ]);
    if (!person) return undefined;
    const isAsked = required === 'everyone' || (required === 'operators' && operator !== undefined);
    const mustSetTwoFactor =
      isAsked && !person.two_factor_enabled && (await this.#hasPassword(person.id as string));
    return {
      userId: person.id as string,
      sessionId: session.id as string,
      sessionBegan: session.created_at as number,
      email: person.email as string,
      name: person.name as string,
      emailVerified: person.email_verified as boolean,
      mustSetTwoFactor,
      operator:
        mustSetTwoFactor || exchange.listener === 'public'
          ? null
          : ((operator?.role as AdminRole | undefined) ?? null),
      memberships: mustSetTwoFactor ? [] : memberships.map(membershipOf),
    };
  }

  async #hasPassword(personId: string): Promise<boolean> {
    const where = [
      { column: 'person_id', value: personId },
      { column: 'provider', value: 'credential' },
    ];
    return (await this.#store.countPeople('sign_in', where)) > 0;
  }
}

const membershipOf = ({ account_id, role }: PeopleRow): PersonMembership => ({
  accountId: account_id as string,
  role: role as MemberRole,
});
