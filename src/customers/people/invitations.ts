import { Refusal } from '../../base/errors/refusal.ts';
import { randomText } from '../../base/lib/ids.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { limitReached } from '../../money/accounts/limit-reached.ts';
import { auditOf } from './audit-of.ts';
import { changeToInvite, changeToJoin, type Invitation, newInvitation } from './invitation-changes.ts';
import type { LinkPost } from './link-post.ts';
import type { Memberships } from './memberships.ts';
import type { PeopleStore } from './people-store.ts';
import { isLiveAt, matching } from './people-tests.ts';
import type { Person } from './person.ts';
import { withoutLinkRequest } from './person-writes.ts';
import type { MemberRole } from './visitor.ts';

/** The most rows that an organization may have of each kind. */
export type OrganizationLimits = { members: number; invitations: number };

export type InvitationsParts = {
  store: PeopleStore;
  accounts: Accounts;
  memberships: Memberships;
  post: LinkPost;
  limits(): OrganizationLimits;
  now(): number;
};

/** The order of an invitation. With `showsLink`, the inviting person sees a link that cannot be mailed. */
export type InvitationOrder = { email: string; role: MemberRole; showsLink?: boolean };

/**
 * A new invitation. Its token is known only now. `isMailed` is true if the token is on its way to the
 * address.
 */
export type NewInvitation = { invitation: Invitation; token: string; isMailed: boolean };

const TOKEN_LENGTH = 43;

/** Invitations to organizations. They are open until they are accepted, withdrawn or expired. */
export class Invitations {
  readonly #parts: InvitationsParts;

  constructor(parts: InvitationsParts) {
    this.#parts = parts;
  }

  /** Lists the open invitations of an organization, the earliest first. */
  list(accountId: string): Promise<Invitation[]> {
    return this.#findOpen({ account_id: accountId });
  }

  /** Lists the open invitations to an address, the earliest first. */
  listTo(email: string): Promise<Invitation[]> {
    return this.#findOpen({ email: email.toLowerCase() });
  }

  /** Finds the open invitation that a link carries. */
  async findByToken(token: string): Promise<Invitation | undefined> {
    return (await this.#findOpen({ token_hash: hashKey(token) }))[0];
  }

  /** Invites an address. An earlier invitation of the same address ends. */
  async invite(accountId: string, order: InvitationOrder, actor: string): Promise<NewInvitation | Refusal> {
    const { store, accounts, memberships, limits, now } = this.#parts;
    const account = await accounts.find(accountId);
    if (account instanceof Refusal) return account;
    const email = order.email.toLowerCase();
    if ((await memberships.list(accountId)).some((member) => member.email === email)) return isMember(email);
    const token = randomText(TOKEN_LENGTH);
    const { role, showsLink = false } = order;
    const invitation = newInvitation({ accountId: account.id, email, role, token, actor, now: now() });
    const limit = limits().invitations;
    if ((await store.changePeople(changeToInvite(invitation, limit))) === 'conflict')
      return limitReached('open invitations', limit);
    const letter = { email, token, invitedBy: actor, organization: account.name };
    const isMailed = await this.#send(letter, invitation, { showsLink });
    return { invitation, token, isMailed };
  }

  async withdraw(accountId: string, id: string, actor: string): Promise<Refusal | undefined> {
    const { store, now } = this.#parts;
    const [invitation] = await this.#findOpen({ account_id: accountId, id });
    if (!invitation) return invitationGone();
    const before = { email: invitation.email, role: invitation.role };
    await store.changePeople({
      writes: [{ kind: 'delete', table: 'invitation', where: matching({ id }) }],
      audit: [auditOf({ at: now(), actor, action: 'invitation-withdraw', target: accountId, before })],
    });
    return undefined;
  }

  /**
   * Makes a person a member, and returns the organization's id. The link shows that the person has the
   * address, or that an operator knows the person.
   */
  async accept(token: string, person: Person): Promise<string | Refusal> {
    const { store, memberships, limits, now } = this.#parts;
    const invitation = await this.findByToken(token);
    if (!invitation) return invitationGone();
    if (invitation.email !== person.email) return otherAddress(invitation.email);
    const { account_id: accountId } = invitation;
    const limit = limits().members;
    const joined = await store.changePeople(changeToJoin(invitation, person, { limit, now: now() }));
    if (joined === 'conflict') {
      const members = await store.countPeople('membership', matching({ account_id: accountId }));
      return members >= limit ? limitReached('members', limit) : invitationGone();
    }
    await this.#endRequest(invitation);
    await memberships.syncEmail(accountId, person.email);
    return accountId;
  }

  #findOpen(values: Readonly<Record<string, string>>): Promise<Invitation[]> {
    const { store, now } = this.#parts;
    const where = [...matching(values), isLiveAt(now())];
    return store.findPeople('invitation', { where, sort: { column: 'created_at' } });
  }

  /** Mails the link. If it is neither mailed nor shown, operators see a request for a link. */
  async #send(
    letter: { email: string; token: string; invitedBy: string; organization: string },
    invitation: Invitation,
    { showsLink }: { showsLink: boolean },
  ): Promise<boolean> {
    const { post } = this.#parts;
    if (post.mail({ kind: 'invitation', ...letter })) return true;
    if (showsLink) await this.#endRequest(invitation);
    else await post.request('invitation', invitation.email);
    return false;
  }

  /**
   * Ends the request for a link to an invitation. All organizations share the request of an address, so it
   * stays while another organization's invitation is open.
   */
  async #endRequest({ account_id: accountId, email }: Invitation): Promise<void> {
    const open = await this.listTo(email);
    if (open.some(({ account_id }) => account_id !== accountId)) return;
    await this.#parts.store.changePeople({ writes: [withoutLinkRequest('invitation', email)] });
  }
}

/** Refuses an invitation that is no longer open. */
export const invitationGone = (): Refusal =>
  new Refusal('not_found', { message: 'This invitation has expired, or was used or withdrawn.' });

const isMember = (email: string): Refusal =>
  new Refusal('conflict', { message: `${email} is in the organization already.`, param: 'email' });

const otherAddress = (email: string): Refusal =>
  new Refusal('permission_denied', {
    message: `The invitation is for ${email}. Sign in with this address to accept it.`,
  });
