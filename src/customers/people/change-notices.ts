import type { MailCourier } from '../mail/mail-courier.ts';

/** The changes of which people are notified. */
export type PersonChange =
  | 'password'
  | 'address'
  | 'two-factor-on'
  | 'two-factor-off'
  | 'recovery-codes'
  | 'sign-in-added'
  | 'sign-in-removed';

type ChangeFacts = { from?: string; to?: string; provider?: string };

const sentences: Readonly<Record<PersonChange, (facts: ChangeFacts) => string>> = {
  password: () => 'Your password was changed.',
  address: ({ from, to }) => `Your email address was changed from ${from} to ${to}.`,
  'two-factor-on': () => 'Two-factor sign-in was turned on.',
  'two-factor-off': () => 'Two-factor sign-in was turned off.',
  'recovery-codes': () => 'Your recovery codes were replaced.',
  'sign-in-added': ({ provider }) => `The sign-in with ${provider} was added.`,
  'sign-in-removed': ({ provider }) => `The sign-in with ${provider} was removed.`,
};

export type ChangeNoticesParts = {
  courier: MailCourier;
  /** The address in mails. */
  publicUrl(): string | null;
};

/** Notifies people by mail of what has changed in their sign-in, since it may have been somebody else. */
export class ChangeNotices {
  readonly #parts: ChangeNoticesParts;

  constructor(parts: ChangeNoticesParts) {
    this.#parts = parts;
  }

  /** Reports a change to its person. After a change of the address, `emails` has the old one too. */
  report(emails: readonly string[], change: PersonChange, facts: ChangeFacts = {}): void {
    const base = this.#parts.publicUrl()?.replace(/\/+$/, '');
    if (base === undefined) return;
    const { host } = new URL(base);
    const sentence = sentences[change](facts).replace(/[\r\n]+/g, ' ');
    const lines = [
      `${sentence} This concerns your sign-in on ${host}.`,
      'If it was you, there is nothing to do.',
      `Otherwise choose a new password on ${base}/reset, and inform the operator of the server.`,
    ];
    for (const to of new Set(emails)) {
      const subject = `Your sign-in on ${host} was changed`;
      this.#parts.courier.post({ kind: 'change', to, subject, text: `${lines.join('\n\n')}\n` });
    }
  }
}
