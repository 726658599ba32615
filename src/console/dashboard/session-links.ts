import type { Static } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { callerOf } from '../../customers/people/auth-caller.ts';
import { invitationGone } from '../../customers/people/invitations.ts';
import { signUpOf } from '../../customers/people/sign-up-cookie.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { GuestCall } from './dashboard-route.ts';
import { DONE, type doneView } from './done-view.ts';
import { hashAsGuest } from './hash-as-guest.ts';
import {
  type emailBody,
  type InvitationPreview,
  type newPasswordBody,
  SENT,
  type sentView,
  type tokenBody,
} from './link-schema.ts';
import { replyWithCookies } from './reply-with-cookies.ts';

/** Returns a handler that sends a link of a kind. Its answer is the same for an unknown address. */
export const sendLink =
  (kind: 'verification' | 'reset') =>
  async (
    { exchange, body: { email } }: GuestCall<WithBody<typeof emailBody>>,
    { links }: DashboardParts,
  ): Promise<Static<typeof sentView>> => {
    await links.askForLink(kind, { email, signUp: signUpOf(exchange) }, callerOf(exchange));
    return SENT;
  };

/** Verifies an address by the token of a link. The browser that made the sign-up is signed in. */
export async function verifyAddress(
  { exchange, body: { token } }: GuestCall<WithBody<typeof tokenBody>>,
  { links, signIns }: DashboardParts,
): Promise<Reply> {
  const verified = accepted(await links.verify({ token, signUp: signUpOf(exchange) }, callerOf(exchange)));
  await signIns.record(exchange, { by: 'link' }, verified);
  const { status, hasPassword, cookies } = verified;
  return replyWithCookies({ status, ...(!hasPassword && { choose_password: true }) }, cookies);
}

/** Sets a new password by the token of a link. */
export async function chooseNewPassword(
  { exchange, body: { token, password } }: GuestCall<WithBody<typeof newPasswordBody>>,
  parts: DashboardParts,
): Promise<Static<typeof doneView>> {
  const choose = () => parts.links.choosePassword(token, password, callerOf(exchange));
  accepted(await hashAsGuest(parts, exchange, choose));
  return DONE;
}

/** Shows an invitation to somebody who has the token of its link. */
export async function previewInvitation(
  { body: { token } }: GuestCall<WithBody<typeof tokenBody>>,
  { invitations, accounts, people }: DashboardParts,
): Promise<InvitationPreview> {
  const invitation = await invitations.findByToken(token);
  const account = invitation && (await accounts.find(invitation.account_id));
  if (!invitation || !account || account instanceof Refusal) throw invitationGone();
  const { email, role, invited_by, expires_at } = invitation;
  return {
    email,
    role,
    invited_by,
    organization: account.name,
    expires_at: isoTime(expires_at),
    has_person: await people.isKnown(email),
  };
}
