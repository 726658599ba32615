import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { callerOf } from '../../customers/people/auth-caller.ts';
import { invitationGone } from '../../customers/people/invitations.ts';
import { signUpOf } from '../../customers/people/sign-up-cookie.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { hashAsGuest } from './hash-as-guest.ts';
import * as schema from './session-schema.ts';

const SENT = { status: 'sent' } as const;
const DONE = { status: 'done' } as const;
const post = (path: string) =>
  ({ method: 'POST', path: `/dashboard/v1/session/${path}`, access: 'anyone' }) as const;

/** The routes that send links by mail, and those that the pages of such links call. */
export const linkRoutes = [
  ...(['verification', 'reset'] as const).map((kind) =>
    dashboardRoute(
      { ...post(kind), attempts: kind, body: schema.emailBody, answer: schema.sentView },
      async ({ exchange, body: { email } }, { links }) => {
        await links.askForLink(kind, { email, signUp: signUpOf(exchange) }, callerOf(exchange));
        return SENT;
      },
    ),
  ),
  dashboardRoute(
    { ...post('verify'), attempts: 'link', body: schema.tokenBody, answer: schema.verifiedView },
    async ({ exchange, body: { token } }, { links, signIns }) => {
      const verified = await links.verify({ token, signUp: signUpOf(exchange) }, callerOf(exchange));
      if (verified instanceof Refusal) return verified;
      await signIns.record(exchange, { by: 'link' }, verified);
      const { status, hasPassword, cookies } = verified;
      return { ...jsonReply(200, { status, ...(!hasPassword && { choose_password: true }) }), cookies };
    },
  ),
  dashboardRoute(
    { ...post('new-password'), attempts: 'link', body: schema.newPasswordBody, answer: schema.doneView },
    async ({ exchange, body: { token, password } }, parts) =>
      (await hashAsGuest(parts, exchange, () =>
        parts.links.choosePassword(token, password, callerOf(exchange)),
      )) ?? DONE,
  ),
  dashboardRoute(
    { ...post('invitation'), attempts: 'link', body: schema.tokenBody, answer: schema.invitationPreview },
    async ({ body: { token } }, { invitations, accounts, people }) => {
      const invitation = await invitations.findByToken(token);
      const account = invitation && (await accounts.find(invitation.account_id));
      if (!invitation || !account || account instanceof Refusal) return invitationGone();
      const { email, role, invited_by, expires_at } = invitation;
      return {
        email,
        role,
        invited_by,
        organization: account.name,
        expires_at: isoTime(expires_at),
        has_person: await people.isKnown(email),
      };
    },
  ),
];
