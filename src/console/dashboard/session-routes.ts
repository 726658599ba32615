import { dashboardRoute } from './dashboard-route.ts';
import { doneView } from './done-view.ts';
import {
  adminTokenBody,
  sessionView,
  signedInView,
  signedUpView,
  signInBody,
  signUpBody,
  twoFactorBody,
} from './session-schema.ts';
import { showSession } from './show-session.ts';
import { enterCode, signIn, signInWithToken, signOut } from './sign-in.ts';
import { signUp } from './sign-up.ts';

const SESSION = '/dashboard/v1/session';

/** Returns the beginning of the shape of a route that needs no session. */
const post = <const Path extends string>(path: Path) =>
  ({ method: 'POST', path: `${SESSION}/${path}`, access: 'anyone' }) as const;

/** The routes that sign in, up and out, and that show the session. */
export const sessionRoutes = [
  dashboardRoute({ method: 'GET', path: SESSION, access: 'anyone', answer: sessionView }, showSession),
  dashboardRoute({ ...post('sign-in'), body: signInBody, answer: signedInView }, signIn),
  dashboardRoute(
    {
      ...post('two-factor'),
      attempts: 'two-factor',
      body: twoFactorBody,
      answer: signedInView,
    },
    enterCode,
  ),
  dashboardRoute({ ...post('admin-token'), body: adminTokenBody, answer: signedInView }, signInWithToken),
  dashboardRoute({ ...post('sign-up'), attempts: 'sign-up', body: signUpBody, answer: signedUpView }, signUp),
  dashboardRoute({ ...post('sign-out'), answer: doneView }, signOut),
];
