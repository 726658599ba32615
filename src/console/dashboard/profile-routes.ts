import type { Method } from '../../edge/http/route.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { doneView } from './done-view.ts';
import { sentView } from './link-schema.ts';
import { changeEmail, changePassword, renamePerson, showProfile } from './own-profile.ts';
import { endAllSessions, endSession, listSessions } from './own-sessions.ts';
import { linkSignIn, unlinkSignIn } from './own-sign-ins.ts';
import { beginTwoFactor, confirmTwoFactor, endTwoFactor, renewRecoveryCodes } from './own-two-factor.ts';
import * as schema from './profile-schema.ts';
import { providerBody, providerView } from './provider-sign-in-schema.ts';

/** Returns the beginning of the shape of a route for the signed-in person. */
const me = <const M extends Method, const Path extends string>(method: M, path: Path) =>
  ({ method, path: `/dashboard/v1/me${path}`, access: 'person' }) as const;

/** Changes that somebody with the session alone could otherwise make. */
const RECENT = { recentSignIn: 'always' } as const;
/** Changes that ask for the password. */
const CONFIRMED = { recentSignIn: 'with-two-factor' } as const;

/** The routes by which people see and change their own sign-in. */
export const profileRoutes = [
  dashboardRoute({ ...me('GET', ''), answer: schema.profileView }, showProfile),
  dashboardRoute({ ...me('PATCH', ''), body: schema.profileChange, answer: doneView }, renamePerson),
  dashboardRoute(
    { ...me('POST', '/email'), ...CONFIRMED, body: schema.emailChange, answer: sentView },
    changeEmail,
  ),
  dashboardRoute(
    { ...me('POST', '/password'), ...CONFIRMED, body: schema.passwordChange, answer: doneView },
    changePassword,
  ),
  dashboardRoute({ ...me('GET', '/sessions'), answer: schema.sessionsView }, listSessions),
  dashboardRoute({ ...me('DELETE', '/sessions'), ...RECENT, answer: doneView }, endAllSessions),
  dashboardRoute({ ...me('DELETE', '/sessions/{id}'), ...RECENT, answer: doneView }, endSession),
  dashboardRoute(
    { ...me('POST', '/two-factor'), ...CONFIRMED, body: schema.passwordBody, answer: schema.twoFactorDraft },
    beginTwoFactor,
  ),
  dashboardRoute(
    { ...me('POST', '/two-factor/confirm'), body: schema.codeBody, answer: doneView },
    confirmTwoFactor,
  ),
  dashboardRoute(
    { ...me('POST', '/two-factor/disable'), ...CONFIRMED, body: schema.passwordBody, answer: doneView },
    endTwoFactor,
  ),
  dashboardRoute(
    {
      ...me('POST', '/recovery-codes'),
      ...CONFIRMED,
      body: schema.passwordBody,
      answer: schema.recoveryCodesView,
    },
    renewRecoveryCodes,
  ),
  dashboardRoute(
    { ...me('POST', '/sign-ins'), ...RECENT, body: providerBody, answer: providerView },
    linkSignIn,
  ),
  dashboardRoute({ ...me('DELETE', '/sign-ins/{id}'), ...RECENT, answer: doneView }, unlinkSignIn),
];
