import { newId } from '../../base/lib/ids.ts';
import type { MailCourier } from '../mail/mail-courier.ts';
import { mailText } from './mail-text.ts';
import type { PeopleStore } from './people-store.ts';
import type { LinkKind, PersonalLink } from './personal-link.ts';

/** The pages that take the token of a link. */
const pages: Readonly<Partial<Record<LinkKind, string>>> = {
  verification: '/verify',
  reset: '/reset',
  invitation: '/invitation',
};

/**
 * Returns the address of a link. The token is in the fragment, which browsers never send. So no log of a
 * server or a proxy has the token.
 */
export const linkTo = (base: string, { kind, token }: Pick<PersonalLink, 'kind' | 'token'>): string =>
  pages[kind] === undefined ? '' : `${base}${pages[kind]}#token=${encodeURIComponent(token)}`;

export type LinkPostParts = {
  store: PeopleStore;
  courier: MailCourier;
  /** The address in mails. */
  publicUrl(): string | null;
  now(): number;
};

/** A link with what its mail says. */
type MailedLink = PersonalLink & { organization?: string; invitedBy?: string };

/** Mails links to people. Without mail, operators see the request for a link, and make one. */
export class LinkPost {
  readonly #parts: LinkPostParts;

  constructor(parts: LinkPostParts) {
    this.#parts = parts;
  }

  get hasMail(): boolean {
    return this.#parts.courier.isConfigured && this.#parts.publicUrl() !== null;
  }

  /** Mails a link, or shows operators the request for it. */
  async deliver(link: MailedLink): Promise<void> {
    if (!this.mail(link)) await this.request(link.kind, link.email);
  }

  /** Mails a link. Returns false if it cannot be mailed. A mail that fails later becomes a request. */
  mail(link: MailedLink): boolean {
    const { courier, publicUrl } = this.#parts;
    const base = publicUrl()?.replace(/\/+$/, '');
    if (base === undefined) return false;
    const { kind, email } = link;
    const facts = { ...link, link: linkTo(base, link), host: new URL(base).host };
    const mail = { kind, to: email, ...mailText(kind, facts) };
    return courier.post(mail, () => this.request(kind, email));
  }

  /** Saves a request for a link, which operators see. The link itself is kept nowhere. */
  async request(kind: LinkKind, email: string): Promise<void> {
    if (pages[kind] === undefined) return;
    const { store, now } = this.#parts;
    const row = { id: newId('lnk_'), email, kind, created_at: now() };
    await store.changePeople({ writes: [{ kind: 'insert', table: 'link_request', row }] });
  }
}
