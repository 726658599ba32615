import type { Method } from '../../edge/http/route.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { endAllSessions, endSession, listSessions } from './own-sessions.ts';
import { linkSignIn, unlinkSignIn } from './own-sign-ins.ts';
import { beginTwoFactor, confirmTwoFactor, endTwoFactor, renewRecoveryCodes } from './own-two-factor.ts';
import { changeEmail, changePassword, renamePerson, showProfile } from './profile.ts';
import * as schema from './profile-schema.ts';
import { doneView, providerBody, providerView, sentView } from './session-schema.ts';

/** Returns the beginning of the shape of a route for the signed-in person. */
const me = <const M extends Method, const Path extends string>(method: M, path: Path) =>
  ({ method, path: `/dashboard/v1/me${path}`, access: 'person' }) as const;

/** The routes by which people see and change their own sign-in. */
export const profileRoutes = [
  dashboardRoute({ ...me('GET', ''), answer: schema.profileView }, showProfile),
  dashboardRoute({ ...me('PATCH', ''), body: schema.profileChange, answer: doneView }, renamePerson),
  dashboardRoute({ ...me('POST', '/email'), body: schema.emailChange, answer: sentView }, changeEmail),
  dashboardRoute(
    { ...me('POST', '/password'), body: schema.passwordChange, answer: doneView },
    changePassword,
  ),
  dashboardRoute({ ...me('GET', '/sessions'), answer: schema.sessionsView }, listSessions),
  dashboardRoute({ ...me('DELETE', '/sessions'), answer: doneView }, endAllSessions),
  dashboardRoute({ ...me('DELETE', '/sessions/{id}'), answer: doneView }, endSession),
  dashboardRoute(
    { ...me('POST', '/two-factor'), body: schema.passwordBody, answer: schema.twoFactorDraft },
    beginTwoFactor,
  ),
  dashboardRoute(
    { ...me('POST', '/two-factor/confirm'), body: schema.codeBody, answer: doneView },
    confirmTwoFactor,
  ),
  dashboardRoute(
    { ...me('POST', '/two-factor/disable'), body: schema.passwordBody, answer: doneView },
    endTwoFactor,
  ),
  dashboardRoute(
    { ...me('POST', '/recovery-codes'), body: schema.passwordBody, answer: schema.recoveryCodesView },
    renewRecoveryCodes,
  ),
  dashboardRoute({ ...me('POST', '/sign-ins'), body: providerBody, answer: providerView }, linkSignIn),
  dashboardRoute({ ...me('DELETE', '/sign-ins/{id}'), answer: doneView }, unlinkSignIn),
];
