import { Refusal } from '../../base/errors/refusal.ts';
import { callerOf } from '../../customers/people/auth-caller.ts';
import { SECOND_STEP } from '../../customers/people/sign-in-recorder.ts';
import type { Visitor } from '../../customers/people/visitor.ts';
import { clientNetworks } from '../../edge/http/client-network.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { GuestCall } from './dashboard-route.ts';
import { DONE } from './done-view.ts';
import { hasTokenField } from './has-token-field.ts';
import { hashAsGuest } from './hash-as-guest.ts';
import { replyWithCookies } from './reply-with-cookies.ts';
import type { adminTokenBody, signInBody, twoFactorBody } from './session-schema.ts';
import { signedInReply } from './signed-in-reply.ts';

/** Signs in with an address and a password. */
export async function signIn(
  { exchange, body }: GuestCall<WithBody<typeof signInBody>>,
  parts: DashboardParts,
): Promise<Reply> {
  const { attempts, devices, people, signIns } = parts;
  const device = await devices.find(exchange, body.email);
  const networks = clientNetworks(exchange);
  // A known device has a share of its own.
  accepted(await attempts.count({ kind: 'sign-in', networks, subject: body.email, device }));
  const check = () => people.signIn(body, callerOf(exchange));
  const outcome = await hashAsGuest(parts, exchange, check, device);
  await signIns.record(exchange, { by: 'password', email: body.email }, outcome);
  return signedInReply(parts, exchange, outcome);
}

/** Ends a sign-in with a code of the second factor. */
export async function enterCode(
  { exchange, body }: GuestCall<WithBody<typeof twoFactorBody>>,
  parts: DashboardParts,
): Promise<Reply> {
  const outcome = await parts.people.enterCode(body, callerOf(exchange));
  await parts.signIns.record(exchange, { by: SECOND_STEP }, outcome);
  return signedInReply(parts, exchange, outcome);
}

/** Makes the holder of an admin token a person who is an operator, and signs in. */
export async function signInWithToken(
  { exchange, body: { token, ...person } }: GuestCall<WithBody<typeof adminTokenBody>>,
  parts: DashboardParts,
): Promise<Reply> {
  if (!hasTokenField(exchange)) throw new Refusal('not_found');
  const { email } = person;
  const networks = clientNetworks(exchange);
  accepted(await parts.attempts.count({ kind: 'admin-token', networks, subject: email }));
  const holder = await parts.holderOf(token, exchange);
  const outcome =
    holder instanceof Refusal
      ? holder
      : await hashAsGuest(parts, exchange, () =>
          parts.people.signInWithToken(holder, person, callerOf(exchange)),
        );
  await parts.signIns.record(exchange, { by: 'admin-token', email }, outcome);
  return signedInReply(parts, exchange, outcome);
}

/** Ends the session. */
export async function signOut(
  { exchange, visitor }: GuestCall<{ visitor: Visitor | undefined }>,
  { people, signIns }: DashboardParts,
): Promise<Reply> {
  const cookies = accepted(await people.signOut(callerOf(exchange)));
  if (visitor) await signIns.recordSignOut(exchange, visitor);
  return replyWithCookies(DONE, cookies);
}
