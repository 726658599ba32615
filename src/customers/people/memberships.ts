import { Refusal } from '../../base/errors/refusal.ts';
import { newId, randomText } from '../../base/lib/ids.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { limitReached } from '../../money/accounts/limit-reached.ts';
import type { LinkPost } from './link-post.ts';
import type { KeyRevocation, PeopleStore, PeopleWrite } from './people-store.ts';
import { auditOf, findPersonByEmail, type Person } from './person.ts';
import type { MemberRole } from './visitor.ts';

export type Member = Pick<Person, 'id' | 'email' | 'name'> & { role: MemberRole; joinedAt: number };

/** A row of the table `invitation`. */
export type Invitation = {
  id: string;
  account_id: string;
  email: string;
  role: MemberRole;
  token_hash: string;
  invited_by: string;
  created_at: number;
  expires_at: number;
};

/** The most rows that an organization may have of each kind. */
export type OrganizationLimits = { members: number; invitations: number };

export type MembershipsParts = {
  store: PeopleStore;
  accounts: Accounts;
  post: LinkPost;
  limits(): OrganizationLimits;
  /** Is called after keys of the organization may have been revoked. */
  forgetKeys(accountId: string): void;
};

type MemberEntry = { actor: string; action: string; before: unknown; after?: unknown };

/** The token is known only now. `isMailed`: it is on its way to the address. */
export type NewInvitation = { invitation: Invitation; token: string; isMailed: boolean };

const VALID_MS = 7 * DAY_MS;
const TOKEN_LENGTH = 43;

/** The members of organizations, and invitations to them. Every change is in the audit log. */
export class Memberships {
  readonly #parts: MembershipsParts;

  constructor(parts: MembershipsParts) {
    this.#parts = parts;
  }

  async list(accountId: string): Promise<Member[]> {
    const { store } = this.#parts;
    const rows = await store.findPeople('membership', {
      where: [{ column: 'account_id', value: accountId }],
      sort: { column: 'created_at' },
    });
    const ids = rows.map(({ person_id }) => person_id!);
    const people = await store.findPeople('person', { where: [{ column: 'id', is: 'in', value: ids }] });
    const byId = new Map(people.map((person) => [person.id, person as Person]));
    return rows.flatMap(({ person_id, role, created_at }) => {
      const person = byId.get(person_id!);
      if (!person) return [];
      const { id, email, name } = person;
      return { id, email, name, role: role as MemberRole, joinedAt: created_at as number };
    });
  }

  /** An organization always keeps an owner. */
  async changeRole(
    accountId: string,
    personId: string,
    role: MemberRole,
    actor: string,
  ): Promise<Refusal | undefined> {
    const before = (await this.list(accountId)).find(({ id }) => id === personId);
    if (!before) return noMember();
    if (before.role === role) return undefined;
    const write = {
      kind: 'update',
      table: 'membership',
      where: memberOf(accountId, before),
      set: { role },
      rows: 1,
    } as const;
    const audit = { before: facts(before), after: { ...facts(before), role } };
    return this.#change(accountId, write, { actor, action: 'member-change', ...audit });
  }

  async remove(accountId: string, personId: string, actor: string): Promise<Refusal | undefined> {
    const before = (await this.list(accountId)).find(({ id }) => id === personId);
    if (!before) return noMember();
    const write = {
      kind: 'delete',
      table: 'membership',
      where: memberOf(accountId, before),
      rows: 1,
    } as const;
    // The keys of signed-in clients are the person's own.
    const where = memberOf(accountId, before).filter(({ column }) => column !== 'role');
    const entry = { actor, action: 'member-remove', before: facts(before) };
    const refusal = await this.#change(accountId, write, entry, { where, at: Date.now(), actor });
    this.#parts.forgetKeys(accountId);
    return refusal;
  }

  async #change(
    accountId: string,
    write: PeopleWrite,
    entry: MemberEntry,
    revokes?: KeyRevocation,
  ): Promise<Refusal | undefined> {
    const changed = await this.#parts.store.changePeople({
      writes: [write, { kind: 'expect', table: 'membership', where: ownersOf(accountId) }],
      audit: [auditOf({ ...entry, target: accountId })],
      lock: `members ${accountId}`,
      ...(revokes && { revokes }),
    });
    if (changed === 'conflict') return lastOwner();
    await this.syncEmail(accountId, entry.actor);
    return undefined;
  }

  /** Makes a person a member. Returns false if the person is one already. */
  async add(accountId: string, person: Person, role: MemberRole, actor: string): Promise<boolean> {
    const row = { account_id: accountId, person_id: person.id, role, created_at: Date.now() };
    const after = { email: person.email, role };
    const added = await this.#parts.store.changePeople({
      writes: [{ kind: 'insert', table: 'membership', row }],
      audit: [auditOf({ actor, action: 'member-add', target: accountId, after })],
      lock: `members ${accountId}`,
    });
    if (added !== 'conflict') await this.syncEmail(accountId, actor);
    return added !== 'conflict';
  }

  /** Copies the address of the first owner to the account. The address is verified when that person's is. */
  async syncEmail(accountId: string, actor: string): Promise<void> {
    const { store, accounts } = this.#parts;
    const [owner] = (await this.list(accountId)).filter(({ role }) => role === 'owner');
    const account = await accounts.find(accountId);
    if (!owner || account instanceof Refusal) return;
    const person = await findPersonByEmail(store, owner.email);
    const { email, email_verified: emailVerified } = person!;
    if (account.email === email && account.emailVerified === emailVerified) return;
    await accounts.change(accountId, { email, emailVerified }, actor);
  }

  invitations(accountId: string): Promise<Invitation[]> {
    return this.#find([{ column: 'account_id', value: accountId }]);
  }

  async findInvitation(accountId: string, id: string): Promise<Invitation | undefined> {
    const where = [
      { column: 'account_id', value: accountId },
      { column: 'id', value: id },
    ];
    return (await this.#find(where))[0];
  }

  /** Returns the open invitation that a link carries. */
  async invitationOf(token: string): Promise<Invitation | undefined> {
    return (await this.#find([{ column: 'token_hash', value: hashKey(token) }]))[0];
  }

  /** Returns the open invitations to an address. */
  invitationsTo(email: string): Promise<Invitation[]> {
    return this.#find([{ column: 'email', value: email.toLowerCase() }]);
  }

  async #find(where: readonly { column: string; value: string }[]): Promise<Invitation[]> {
    const open = { column: 'expires_at', is: 'gt', value: Date.now() } as const;
    const query = { where: [...where, open], sort: { column: 'created_at' } };
    return (await this.#parts.store.findPeople('invitation', query)) as Invitation[];
  }

  /**
   * Invites an address. An earlier invitation of the same address ends.
   * `isShown`: the caller hands the link over if no mail brings it.
   */
  async invite(
    accountId: string,
    { email, role, isShown = false }: { email: string; role: MemberRole; isShown?: boolean },
    actor: string,
  ): Promise<NewInvitation | Refusal> {
    const { store, accounts } = this.#parts;
    const account = await accounts.find(accountId);
    if (account instanceof Refusal) return account;
    const address = email.toLowerCase();
    if ((await this.list(accountId)).some((member) => member.email === address)) return isMember(address);
    const token = randomText(TOKEN_LENGTH);
    const invitation: Invitation = {
      id: newId('inv_'),
      account_id: accountId,
      email: address,
      role,
      token_hash: hashKey(token),
      invited_by: actor,
      created_at: Date.now(),
      expires_at: Date.now() + VALID_MS,
    };
    const where = [
      { column: 'account_id', value: accountId },
      { column: 'email', value: address },
    ];
    const limit = this.#parts.limits().invitations;
    const invited = await store.changePeople({
      writes: [
        { kind: 'delete', table: 'invitation', where },
        { kind: 'insert', table: 'invitation', row: invitation },
        { kind: 'expect', table: 'invitation', where: openOf(accountId), limit },
      ],
      audit: [
        auditOf({ actor, action: 'member-invite', target: accountId, after: { email: address, role } }),
      ],
      lock: `members ${accountId}`,
    });
    if (invited === 'conflict') return limitReached('open invitations', limit);
    const link = { kind: 'invitation', email: address, token, invitedBy: actor } as const;
    const isMailed = await this.#parts.post.deliver({ ...link, organization: account.name });
    if (isShown && !isMailed) {
      const where = linkRequestOf('invitation', address);
      await store.changePeople({ writes: [{ kind: 'delete', table: 'link_request', where }] });
    }
    return { invitation, token, isMailed };
  }

  async withdraw(accountId: string, id: string, actor: string): Promise<Refusal | undefined> {
    const invitation = await this.findInvitation(accountId, id);
    if (!invitation) return noInvitation();
    const { email, role } = invitation;
    await this.#parts.store.changePeople({
      writes: [{ kind: 'delete', table: 'invitation', where: [{ column: 'id', value: id }] }],
      audit: [auditOf({ actor, action: 'invitation-withdraw', target: accountId, before: { email, role } })],
    });
    return undefined;
  }

  /** The link shows that the person has the address, or that an operator knows the person. */
  async accept(token: string, person: Person): Promise<string | Refusal> {
    const invitation = await this.invitationOf(token);
    if (!invitation) return noInvitation();
    if (invitation.email !== person.email) return otherAddress(invitation.email);
    const { account_id: accountId, role } = invitation;
    const row = { account_id: accountId, person_id: person.id, role, created_at: Date.now() };
    const limit = this.#parts.limits().members;
    const all = [{ column: 'account_id', value: accountId }];
    const accepted = await this.#parts.store.changePeople({
      writes: [
        { kind: 'delete', table: 'invitation', where: [{ column: 'id', value: invitation.id }], rows: 1 },
        { kind: 'insert', table: 'membership', row },
        { kind: 'expect', table: 'membership', where: all, limit },
        { kind: 'delete', table: 'link_request', where: linkRequestOf('invitation', person.email) },
      ],
      lock: `members ${accountId}`,
      audit: [
        auditOf({
          actor: person.email,
          action: 'member-add',
          target: accountId,
          after: { email: person.email, role, invitedBy: invitation.invited_by },
        }),
      ],
    });
    if (accepted === 'conflict') {
      const isFull = (await this.#parts.store.countPeople('membership', all)) >= limit;
      return isFull ? limitReached('members', limit) : noInvitation();
    }
    await this.syncEmail(accountId, person.email);
    return accountId;
  }
}

export const linkRequestOf = (kind: string, email: string) => [
  { column: 'kind', value: kind },
  { column: 'email', value: email },
];

const openOf = (accountId: string) => [
  { column: 'account_id', value: accountId },
  { column: 'expires_at', is: 'gt', value: Date.now() } as const,
];

const facts = ({ email, role }: Member) => ({ email, role });

const memberOf = (accountId: string, { id, role }: Member) => [
  { column: 'account_id', value: accountId },
  { column: 'person_id', value: id },
  { column: 'role', value: role },
];

const ownersOf = (accountId: string) => [
  { column: 'account_id', value: accountId },
  { column: 'role', value: 'owner' },
];

const noMember = (): Refusal =>
  new Refusal('not_found', { message: 'This person is not in the organization.' });

const noInvitation = (): Refusal =>
  new Refusal('not_found', { message: 'This invitation has expired, or was used or withdrawn.' });

const lastOwner = (): Refusal =>
  new Refusal('conflict', { message: 'An organization needs an owner. Make somebody else an owner first.' });

const isMember = (email: string): Refusal =>
  new Refusal('conflict', { message: `${email} is in the organization already.`, param: 'email' });

const otherAddress = (email: string): Refusal =>
  new Refusal('permission_denied', {
    message: `The invitation is for ${email}. Sign in with this address to accept it.`,
  });
