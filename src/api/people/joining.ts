import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { linkRequestOf, type Memberships } from './memberships.ts';
import type { PeopleStore, PeopleWrite } from './people-store.ts';
import { auditOf, findPerson } from './person.ts';

export type JoiningParts = {
  store: PeopleStore;
  accounts: Accounts;
  memberships: Memberships;
  settings(): Config['dashboard'];
};

type Verified = { id: string; email: string; name: string };

/** What happens when a new person has shown that the address is theirs. */
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
    const { store } = this.#parts;
    const person = await findPerson(store, userId);
    const actor = person?.email ?? userId;
    await store.changePeople({
      writes: [],
      audit: [auditOf({ actor, action: 'sign-in-link', target: userId, after: { provider } })],
    });
  }

  /** A link to the address was used, so the address is the person's. */
  async verifiedByReset({ id }: { id: string }): Promise<void> {
    const { store } = this.#parts;
    const before = await findPerson(store, id);
    if (!before) return;
    const verify: PeopleWrite = {
      ...{ kind: 'update', table: 'person', where: [{ column: 'id', value: id }] },
      set: { email_verified: true, updated_at: Date.now() },
    };
    await store.changePeople({
      writes: [
        ...(before.email_verified ? [] : [verify]),
        { kind: 'delete', table: 'link_request', where: linkRequestOf('reset', before.email) },
      ],
      audit: [auditOf({ actor: before.email, action: 'password-reset', target: id })],
    });
    if (!before.email_verified) await this.verified(before);
  }
}
