import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { ChangeNotices } from './change-notices.ts';
import { linkRequestOf, type Memberships } from './memberships.ts';
import type { PeopleStore } from './people-store.ts';
import { auditOf, findPerson } from './person.ts';

export type JoiningParts = {
  store: PeopleStore;
  accounts: Accounts;
  memberships: Memberships;
  notices: ChangeNotices;
  /** Returns the name of a provider of sign-ins, for people. */
  nameOf(provider: string): string;
  settings(): Config['dashboard'];
};

type Verified = { id: string; email: string; name: string };

/** The steps after a new person has shown that the address is theirs. */
export class Joining {
  readonly #parts: JoiningParts;

  constructor(parts: JoiningParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#parts.settings().sign_up === 'open';
  }

  /** Anybody's provider can claim any address, so the address must be verified there. */
  async mayJoin({ email, isVerified }: { email: string; isVerified: boolean }): Promise<boolean> {
    if (!isVerified) return false;
    return this.isOpen || (await this.#parts.memberships.invitationsTo(email)).length > 0;
  }

  /** Somebody who signed up without an invitation gets an account. */
  async verified({ id, email, name }: Verified): Promise<void> {
    const { store, accounts, memberships, settings } = this.#parts;
    await store.changePeople({
      writes: [{ kind: 'delete', table: 'link_request', where: linkRequestOf('verification', email) }],
      audit: [auditOf({ actor: email, action: 'person-verify', target: id, after: { email } })],
    });
    const own = await store.findPeople('membership', { where: [{ column: 'person_id', value: id }] });
    for (const { account_id } of own) await memberships.syncEmail(account_id as string, email);
    if (own.length > 0 || !this.isOpen) return;
    if ((await memberships.invitationsTo(email)).length > 0) return;
    const person = await findPerson(store, id);
    const account = await accounts.create(
      { name: name || email, email, plan: settings().sign_up_plan },
      email,
    );
    await memberships.add(account.id, person!, 'owner', email);
  }

  async linked({ userId, provider }: { userId: string; provider: string }): Promise<void> {
    const { store, notices, nameOf } = this.#parts;
    const person = await findPerson(store, userId);
    const actor = person?.email ?? userId;
    const signIns = await store.countPeople('sign_in', [{ column: 'person_id', value: userId }]);
    // The first sign-in is that of a new person.
    if (person && signIns > 1)
      notices.report([person.email], 'sign-in-added', { provider: nameOf(provider) });
    await store.changePeople({
      writes: [],
      audit: [auditOf({ actor, action: 'sign-in-link', target: userId, after: { provider } })],
    });
  }
}
