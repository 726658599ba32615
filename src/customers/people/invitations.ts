import { Refusal } from '../../base/errors/refusal.ts';
import { newId, randomText } from '../../base/lib/ids.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { limitReached } from '../../money/accounts/limit-reached.ts';
import type { LinkPost } from './link-post.ts';
import { membersLock } from './members-lock.ts';
import type { Memberships } from './memberships.ts';
import type { PeopleStore } from './people-store.ts';
import type { RowOf } from './people-tables.ts';
import { isLiveAt, matching } from './people-tests.ts';
import { auditOf, type Person } from './person.ts';
import { withoutLinkRequest } from './person-writes.ts';
import type { MemberRole } from './visitor.ts';

export type Invitation = RowOf<'invitation'>;

/** The most rows that an organization may have of each kind. */
export type OrganizationLimits = { members: number; invitations: number };

export type InvitationsParts = {
  store: PeopleStore;
  accounts: Pick<Accounts, 'find'>;
  memberships: Pick<Memberships, 'list' | 'syncEmail'>;
  post: Pick<LinkPost, 'deliver'>;
  limits(): OrganizationLimits;
  now(): number;
};

/** `isShown`: the caller hands the link over if no mail brings it. */
export type InvitationOrder = { email: string; role: MemberRole; isShown?: boolean };

/** The token is known only now. `isMailed`: it is on its way to the address. */
export type NewInvitation = { invitation: Invitation; token: string; isMailed: boolean };

const VALID_MS = 7 * DAY_MS;
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
    const { store, accounts, memberships, post } = this.#parts;
    const account = await accounts.find(accountId);
    if (account instanceof Refusal) return account;
    const email = order.email.toLowerCase();
    if ((await memberships.list(accountId)).some((member) => member.email === email)) return isMember(email);
    const token = randomText(TOKEN_LENGTH);
    const invitation = this.#newInvitation(account.id, { email, role: order.role, token, actor });
    const refusal = await this.#save(invitation);
    if (refusal) return refusal;
    const link = { kind: 'invitation', email, token, invitedBy: actor } as const;
    const isMailed = await post.deliver({ ...link, organization: account.name });
    if (order.isShown && !isMailed)
      await store.changePeople({ writes: [withoutLinkRequest('invitation', email)] });
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
   * Makes a person a member, and returns the organization's id.
   * The link shows that the person has the address, or that an operator knows the person.
   */
  async accept(token: string, person: Person): Promise<string | Refusal> {
    const { store, memberships, limits } = this.#parts;
    const invitation = await this.findByToken(token);
    if (!invitation) return invitationGone();
    if (invitation.email !== person.email) return otherAddress(invitation.email);
    const { account_id: accountId } = invitation;
    const limit = limits().members;
    if (!(await this.#join(invitation, person, limit))) {
      const members = await store.countPeople('membership', matching({ account_id: accountId }));
      return members >= limit ? limitReached('members', limit) : invitationGone();
    }
    await memberships.syncEmail(accountId, person.email);
    return accountId;
  }

  #findOpen(values: Readonly<Record<string, string>>): Promise<Invitation[]> {
    const { store, now } = this.#parts;
    const where = [...matching(values), isLiveAt(now())];
    return store.findPeople('invitation', { where, sort: { column: 'created_at' } });
  }

  #newInvitation(
    accountId: string,
    { email, role, token, actor }: { email: string; role: MemberRole; token: string; actor: string },
  ): Invitation {
    const now = this.#parts.now();
    return {
      id: newId('inv_'),
      account_id: accountId,
      email,
      role,
      token_hash: hashKey(token),
      invited_by: actor,
      created_at: now,
      expires_at: now + VALID_MS,
    };
  }

  async #save(invitation: Invitation): Promise<Refusal | undefined> {
    const { store, limits } = this.#parts;
    const { account_id: accountId, email, role, invited_by: actor, created_at: at } = invitation;
    const limit = limits().invitations;
    const open = [...matching({ account_id: accountId }), isLiveAt(at)];
    const outcome = await store.changePeople({
      writes: [
        { kind: 'delete', table: 'invitation', where: matching({ account_id: accountId, email }) },
        { kind: 'insert', table: 'invitation', row: invitation },
        { kind: 'expect', table: 'invitation', where: open, limit },
      ],
      audit: [auditOf({ at, actor, action: 'member-invite', target: accountId, after: { email, role } })],
      lock: membersLock(accountId),
    });
    return outcome === 'conflict' ? limitReached('open invitations', limit) : undefined;
  }

  /** Returns false if the invitation has ended meanwhile, or the organization is full. */
  async #join(invitation: Invitation, person: Person, limit: number): Promise<boolean> {
    const { id, account_id: accountId, role, invited_by: invitedBy } = invitation;
    const { id: personId, email } = person;
    const at = this.#parts.now();
    const row = { account_id: accountId, person_id: personId, role, created_at: at };
    const after = { email, role, invitedBy };
    const outcome = await this.#parts.store.changePeople({
      writes: [
        { kind: 'delete', table: 'invitation', where: matching({ id }), rows: 1 },
        { kind: 'insert', table: 'membership', row },
        { kind: 'expect', table: 'membership', where: matching({ account_id: accountId }), limit },
        withoutLinkRequest('invitation', email),
      ],
      audit: [auditOf({ at, actor: email, action: 'member-add', target: accountId, after })],
      lock: membersLock(accountId),
    });
    return outcome !== 'conflict';
  }
}

export const invitationGone = (): Refusal =>
  new Refusal('not_found', { message: 'This invitation has expired, or was used or withdrawn.' });

const isMember = (email: string): Refusal =>
  new Refusal('conflict', { message: `${email} is in the organization already.`, param: 'email' });

const otherAddress = (email: string): Refusal =>
  new Refusal('permission_denied', {
    message: `The invitation is for ${email}. Sign in with this address to accept it.`,
  });
