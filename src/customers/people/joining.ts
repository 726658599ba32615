import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import { auditOf } from './audit-of.ts';
import type { ChangeNotices } from './change-notices.ts';
import type { Invitations } from './invitations.ts';
import type { Memberships } from './memberships.ts';
import type { PeopleStore } from './people-store.ts';
import { matching } from './people-tests.ts';
import { findPerson } from './person.ts';
import { withoutLinkRequest } from './person-writes.ts';

export type JoiningParts = {
  store: PeopleStore;
  accounts: Accounts;
  memberships: Memberships;
  invitations: Invitations;
  notices: ChangeNotices;
  /** Returns the name of a provider of sign-ins, for people. */
  nameOf(provider: string): string;
  settings(): Config['dashboard'];
  now(): number;
};

type VerifiedPerson = { id: string; email: string; name: string };

/** The steps after a new person has shown that the address is theirs. */
export class Joining {
  readonly #parts: JoiningParts;

  constructor(parts: JoiningParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#parts.settings().sign_up === 'open';
  }

  /**
   * Reports whether a person of another provider may get an account here. Anybody's provider can claim any
   * address, so the address must be verified there.
   */
  async mayJoin({ email, isVerified }: { email: string; isVerified: boolean }): Promise<boolean> {
    return isVerified && (this.isOpen || (await this.#isInvited(email)));
  }

  /** Notes a verified address. Somebody who signed up without an invitation gets an account. */
  async onVerified({ id, email, name }: VerifiedPerson): Promise<void> {
    const { store, memberships, now } = this.#parts;
    await store.changePeople({
      writes: [withoutLinkRequest('verification', email)],
      audit: [auditOf({ at: now(), actor: email, action: 'person-verify', target: id, after: { email } })],
    });
    const existing = await store.findPeople('membership', { where: matching({ person_id: id }) });
    for (const { account_id } of existing) await memberships.syncEmail(account_id, email);
    if (existing.length > 0 || !this.isOpen || (await this.#isInvited(email))) return;
    await this.#createAccount({ id, email, name });
  }

  /** Notes a new way to sign in. A person's first way belongs to the sign-up. */
  async onLinked({ userId, provider }: { userId: string; provider: string }): Promise<void> {
    const { store, notices, nameOf, now } = this.#parts;
    const person = await findPerson(store, userId);
    const signIns = await store.countPeople('sign_in', matching({ person_id: userId }));
    if (person && signIns > 1)
      notices.report([person.email], 'sign-in-added', { provider: nameOf(provider) });
    const actor = person?.email ?? userId;
    await store.changePeople({
      writes: [],
      audit: [auditOf({ at: now(), actor, action: 'sign-in-link', target: userId, after: { provider } })],
    });
  }

  async #isInvited(email: string): Promise<boolean> {
    return (await this.#parts.invitations.listTo(email)).length > 0;
  }

  async #createAccount({ id, email, name }: VerifiedPerson): Promise<void> {
    const { store, accounts, memberships, settings } = this.#parts;
    const person = await findPerson(store, id);
    if (!person) return;
    const plan = settings().sign_up_plan;
    const account = await accounts.create({ name: name || email, email, plan }, email);
    await memberships.add(account.id, person, 'owner', email);
  }
}
