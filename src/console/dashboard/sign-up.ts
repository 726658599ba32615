import type { Static } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { callerOf } from '../../customers/people/auth-caller.ts';
import type { NewPerson } from '../../customers/people/people-service.ts';
import { signUpCookie } from '../../customers/people/sign-up-cookie.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { GuestCall } from './dashboard-route.ts';
import { hashAsGuest } from './hash-as-guest.ts';
import { replyWithCookies } from './reply-with-cookies.ts';
import type { signedUpView, signUpBody } from './session-schema.ts';
import { signedInReply } from './signed-in-reply.ts';

const VERIFY: Static<typeof signedUpView> = { status: 'verify' };

/** Signs up a person, who comes by invitation or verifies the address. */
export const signUp = (
  { exchange, body: { invitation, ...person } }: GuestCall<WithBody<typeof signUpBody>>,
  parts: DashboardParts,
): Promise<Reply> =>
  hashAsGuest(parts, exchange, () =>
    invitation === undefined
      ? signUpOpenly(parts, exchange, person)
      : signUpInvited(parts, exchange, { invitation, person }),
  );

/** Sends a link that verifies the address. The browser keeps the id of the sign-up. */
async function signUpOpenly(
  { links, joining }: DashboardParts,
  exchange: Exchange,
  person: NewPerson,
): Promise<Reply> {
  if (!joining.isOpen) throw byInvitation();
  const id = accepted(await links.signUp(person, callerOf(exchange)));
  return replyWithCookies(VERIFY, [signUpCookie(exchange, id)]);
}

/** Makes the person a member of the inviting organization, and signs in. */
async function signUpInvited(
  parts: DashboardParts,
  exchange: Exchange,
  { invitation, person }: { invitation: string; person: NewPerson },
): Promise<Reply> {
  const signedIn = accepted(await parts.people.signUpInvited(invitation, person, callerOf(exchange)));
  await parts.signIns.record(exchange, { by: 'invitation' }, signedIn);
  return signedInReply(parts, exchange, signedIn);
}

const byInvitation = (): Refusal =>
  new Refusal('permission_denied', {
    message: 'Sign-up is by invitation. Ask an operator or an owner for one.',
  });
