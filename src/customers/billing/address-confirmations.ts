import { randomBytes } from 'node:crypto';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { Mailer } from '../../watch/alerts/mailer.ts';
import type { PeopleStore } from '../people/people-store.ts';
import { isOneOf, matching } from '../people/people-tests.ts';
import type { ReceiverBody } from './billing-record.ts';
import type { BillingStore } from './billing-store.ts';
import { changeRecord } from './change-record.ts';
import { confirmedAddresses, includesAddress, isSameAddress } from './confirmed-addresses.ts';

const VALID_MS = 24 * HOUR_MS;
/** A link is sent again at most once in this time. */
const BETWEEN_LINKS_MS = 60_000;
/** The links of an organization in an hour. */
const MAX_OF_ORGANIZATION = 20;
/** The links that an address gets in a day. */
const MAX_TO_ADDRESS = 5;

export type ConfirmationParts = {
  store: BillingStore;
  people: PeopleStore;
  mailer: Mailer;
  /** The address of this gateway in mails. */
  publicUrl(): string | null;
  clock: Clock;
  report(level: 'warn', event: string, fields: Record<string, unknown>): void;
};

/** A mail with the token of its link, which is sent after the record is saved. */
export type Letter = { address: string; token: string };

/** Sends nothing to an organization's mail address until a link that was sent there confirms it. */
export class AddressConfirmations {
  readonly #parts: ConfirmationParts;

  constructor(parts: ConfirmationParts) {
    this.#parts = parts;
  }

  /** True if links can be mailed. */
  get hasMail(): boolean {
    return this.#parts.mailer.isReady() && this.#parts.publicUrl() !== null;
  }

  /** Returns the addresses that need no link, since owners have verified them. */
  async ownerAddresses(accountId: string): Promise<string[]> {
    const { people } = this.#parts;
    const where = matching({ account_id: accountId, role: 'owner' });
    const ids = (await people.findPeople('membership', { where })).map(({ person_id }) => person_id);
    const owners = await people.findPeople('person', { where: [isOneOf('id', ids)] });
    return owners.filter(({ email_verified }) => email_verified).map(({ email }) => email);
  }

  /** Returns the state of the wanted addresses, and the links to send once it is saved. */
  plan(
    accountId: string,
    body: ReceiverBody,
    wanted: { addresses: readonly string[]; owners: readonly string[] },
  ): { change: Required<Pick<ReceiverBody, 'addresses' | 'confirmed' | 'pending'>>; letters: Letter[] } {
    const now = this.#parts.clock.now();
    const known = [...confirmedAddresses(body), ...wanted.owners];
    const letters: Letter[] = [];
    const unconfirmed = wanted.addresses.filter((address) => !includesAddress(known, address));
    const pending = unconfirmed.map((address) => {
      const sent = body.pending?.find((each) => isSameAddress(each.address, address));
      if (sent && (now - sent.sentAt < BETWEEN_LINKS_MS || !this.hasMail)) return sent;
      const token = `${accountId}.${randomBytes(32).toString('base64url')}`;
      letters.push({ address, token });
      return { address, hash: hashKey(token), sentAt: now, expiresAt: now + VALID_MS };
    });
    const confirmed = wanted.addresses.filter((address) => includesAddress(known, address));
    return { change: { addresses: [...wanted.addresses], confirmed, pending }, letters };
  }

  /** Refuses if the organization or an address has had too many links. */
  async refuseFlood(accountId: string, addresses: readonly string[]): Promise<Refusal | undefined> {
    const { people, clock } = this.#parts;
    const now = clock.now();
    for (const address of addresses) {
      const attempts = [
        { name: `alert-address of ${accountId}`, limit: MAX_OF_ORGANIZATION, windowMs: HOUR_MS },
        { name: `alert-address ${address.toLowerCase()}`, limit: MAX_TO_ADDRESS, windowMs: VALID_MS },
      ];
      for (const { name, limit, windowMs } of attempts) {
        const { count, until } = await people.countAttempt(hashKey(name), now, windowMs);
        if (count > limit) return tooMany(until - now);
      }
    }
    return undefined;
  }

  /** Sends the links in the background. A link that was not accepted can be asked for again. */
  send(letters: readonly Letter[], organization: string): void {
    const { mailer, publicUrl, report } = this.#parts;
    const base = publicUrl()?.replace(/\/+$/, '');
    if (base === undefined || !mailer.isReady()) return;
    for (const { address, token } of letters) {
      const subject = `Confirm alerts from ${new URL(base).host}`;
      const link = `${base}/confirm-address#token=${encodeURIComponent(token)}`;
      mailer
        .send(address, subject, mailText(organization, link))
        .catch((error: unknown) => report('warn', 'confirmation-not-sent', { error: String(error) }));
    }
  }

  /** Confirms the address that a link was sent to. A link works once. */
  async confirm(token: string): Promise<{ address: string } | Refusal> {
    const { store, clock } = this.#parts;
    const hash = hashKey(token);
    const accountId = token.slice(0, Math.max(0, token.indexOf('.')));
    const saved = await changeRecord({ store, kind: 'receiver', id: accountId }, ({ body }) => {
      const pending = body.pending?.find((each) => each.hash === hash && each.expiresAt > clock.now());
      if (!pending) return undefined;
      return {
        body: {
          confirmed: [...confirmedAddresses(body), pending.address],
          pending: (body.pending ?? []).filter((each) => each !== pending),
        },
      };
    });
    const address = saved?.body.confirmed?.at(-1);
    return address === undefined ? linkGone() : { address };
  }
}

const mailText = (organization: string, link: string): string =>
  [
    `The organization ${organization.replace(/\s+/g, ' ')} wants to send alerts to this address. Open this link to agree:`,
    link,
    'The link is valid for 24 hours. If you do not know the organization, ignore this mail: nothing more is sent.',
  ].join('\n\n');

const linkGone = (): Refusal =>
  new Refusal('not_found', { message: 'The link has expired, or was used already.' });

const tooMany = (retryAfterMs: number): Refusal =>
  new Refusal('rate_limit_exceeded', {
    message: 'Too many links were sent. Try again later.',
    retryAfterMs,
  });
