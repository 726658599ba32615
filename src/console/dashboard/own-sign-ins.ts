import type { Static } from 'typebox';
import { callerOf } from '../../customers/people/auth-caller.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody, WithParams } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { PersonCall } from './dashboard-route.ts';
import { DONE, type doneView } from './done-view.ts';
import type { providerBody } from './provider-sign-in-schema.ts';
import { replyWithCookies } from './reply-with-cookies.ts';

/** Sends the browser to a provider of sign-in, which becomes a way for the person to sign in. */
export async function linkSignIn(
  { exchange, body }: PersonCall<WithBody<typeof providerBody>>,
  { providers }: DashboardParts,
): Promise<Reply> {
  const { provider, return_to: returnTo = '/account' } = body;
  const left = await providers.leaveToLink({ provider, returnTo }, callerOf(exchange));
  const { location, cookies } = accepted(left);
  return replyWithCookies({ url: location }, cookies);
}

/** Removes a way to sign in. */
export async function unlinkSignIn(
  { params, visitor }: PersonCall<WithParams<'id'>>,
  { profiles }: DashboardParts,
): Promise<Static<typeof doneView>> {
  accepted(await profiles.unlink(visitor, params.id));
  return DONE;
}
