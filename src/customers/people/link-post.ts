import { newId } from '../../base/lib/ids.ts';
import type { MailCourier } from '../mail/mail-courier.ts';
import { mailText } from './mail-texts.ts';
import type { PeopleStore } from './people-store.ts';
import type { LinkKind, PersonalLink } from './personal-link.ts';

/** The pages that take the token of a link. */
const pages: Readonly<Partial<Record<LinkKind, string>>> = {
  verification: '/verify',
  reset: '/reset',
  invitation: '/invitation',
};

/** Browsers never send the fragment of an address, so no log of a server or a proxy has the token. */
export const linkTo = (base: string, { kind, token }: Pick<PersonalLink, 'kind' | 'token'>): string =>
  pages[kind] === undefined ? '' : `${base}${pages[kind]}#token=${encodeURIComponent(token)}`;

export type LinkPostParts = {
  store: PeopleStore;
  courier: Pick<MailCourier, 'isConfigured' | 'post'>;
  /** The address in mails. */
  publicUrl(): string | null;
  now(): number;
};

/** Mails links to people. Without mail, operators see that somebody wants a link, and make one. */
export class LinkPost {
  readonly #parts: LinkPostParts;

  constructor(parts: LinkPostParts) {
    this.#parts = parts;
  }

  get hasMail(): boolean {
    return this.#parts.courier.isConfigured && this.#parts.publicUrl() !== null;
  }

  /** Mails a link. Returns false if the link cannot be mailed. */
  async deliver(link: PersonalLink & { organization?: string; invitedBy?: string }): Promise<boolean> {
    const { courier, publicUrl } = this.#parts;
    const base = publicUrl()?.replace(/\/+$/, '');
    const { kind, email } = link;
    if (base !== undefined) {
      const facts = { ...link, link: linkTo(base, link), host: new URL(base).host };
      const mail = { kind, to: email, ...mailText(kind, facts) };
      if (courier.post(mail, () => this.#want(kind, email))) return true;
    }
    await this.#want(kind, email);
    return false;
  }

  /** The operators' page shows the wish. The link itself is kept nowhere. */
  async #want(kind: LinkKind, email: string): Promise<void> {
    if (pages[kind] === undefined) return;
    const { store, now } = this.#parts;
    const row = { id: newId('lnk_'), email, kind, created_at: now() };
    await store.changePeople({ writes: [{ kind: 'insert', table: 'link_request', row }] });
  }
}
