import type { LinkKind } from './personal-link.ts';

type MailText = { subject: string; lines: readonly string[] };

/** The facts of a mail. `link` is empty for a mail without one. */
export type MailFacts = { link: string; organization?: string; invitedBy?: string; host: string };

const texts: Readonly<Record<LinkKind, (facts: MailFacts) => MailText>> = {
  verification: ({ link, host }) => ({
    subject: `Verify your email address for ${host}`,
    // biome-ignore format: a line for each group
    lines: [
      'Open this link to verify your email address:', link,
      'The link is valid for 24 hours. If you did not ask for it, ignore this mail.',
    ],
  }),
  reset: ({ link, host }) => ({
    subject: `Choose a new password for ${host}`,
    // biome-ignore format: a line for each group
    lines: [
      'Open this link to choose a new password:', link,
      'The link is valid for one hour. If you did not ask for it, ignore this mail: your password stays as it is.',
    ],
  }),
  invitation: ({ link, organization, invitedBy, host }) => ({
    subject: `Join ${organization} on ${host}`,
    // biome-ignore format: a line for each group
    lines: [
      `${invitedBy} invites you to the organization ${organization}. Open this link to join:`, link,
      'The link is valid for seven days.',
    ],
  }),
  existing: ({ host }) => ({
    subject: `You already have an account on ${host}`,
    lines: [
      `Somebody tried to sign up on ${host} with your email address, which has an account already.`,
      'If it was you, sign in, or reset your password. Otherwise ignore this mail.',
    ],
  }),
};

/** Returns the subject and the text of a mail. The subject stays one line, whatever names are in it. */
export function mailText(kind: LinkKind, facts: MailFacts): { subject: string; text: string } {
  const { subject, lines } = texts[kind](facts);
  return { subject: subject.replace(/[\r\n]+/g, ' '), text: `${lines.join('\n\n')}\n` };
}
