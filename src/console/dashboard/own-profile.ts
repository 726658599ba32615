import type { Static } from 'typebox';
import { isoTime } from '../../base/lib/iso-time.ts';
import { callerOf } from '../../customers/people/auth-caller.ts';
import { signInNameOf } from '../../customers/people/sign-in-providers.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { PersonCall } from './dashboard-route.ts';
import { DONE, type doneView } from './done-view.ts';
import { SENT, type sentView } from './link-schema.ts';
import type { emailChange, ProfileView, passwordChange, profileChange } from './profile-schema.ts';
import { replyWithCookies } from './reply-with-cookies.ts';
import { withGuessLimit } from './with-guess-limit.ts';

/** Shows the person, with the ways to sign in. */
export async function showProfile(
  { exchange: { snapshot }, visitor }: PersonCall,
  { profiles }: DashboardParts,
): Promise<ProfileView> {
  const { person, signIns } = await profiles.profile(visitor);
  const { providers } = snapshot.config.dashboard;
  return {
    id: person.id,
    email: person.email,
    name: person.name,
    two_factor: person.two_factor_enabled,
    has_password: signIns.some(({ provider }) => provider === 'credential'),
    sign_ins: signIns.map(({ id, provider, createdAt }) => ({
      id,
      provider,
      name: signInNameOf(provider, providers),
      created_at: isoTime(createdAt),
    })),
  };
}

export async function renamePerson(
  { visitor, body: { name } }: PersonCall<WithBody<typeof profileChange>>,
  { profiles }: DashboardParts,
): Promise<Static<typeof doneView>> {
  await profiles.rename(visitor, name.trim());
  return DONE;
}

/** Sends a link to a new address, which takes the place of the old one when the link is used. */
export async function changeEmail(
  call: PersonCall<WithBody<typeof emailChange>>,
  parts: DashboardParts,
): Promise<Static<typeof sentView>> {
  const { visitor, body, exchange } = call;
  const change = () => parts.profiles.changeEmail(visitor, body, callerOf(exchange));
  accepted(await withGuessLimit(parts, call, change));
  return SENT;
}

/** Changes the password, and ends all other sessions. */
export async function changePassword(
  call: PersonCall<WithBody<typeof passwordChange>>,
  parts: DashboardParts,
): Promise<Reply> {
  const { visitor, body, exchange } = call;
  const change = () => parts.profiles.changePassword(visitor, body, callerOf(exchange));
  const { cookies } = accepted(await withGuessLimit(parts, call, change));
  return replyWithCookies(DONE, cookies);
}
