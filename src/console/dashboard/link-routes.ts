import { dashboardRoute } from './dashboard-route.ts';
import { doneView } from './done-view.ts';
import {
  emailBody,
  invitationPreview,
  newPasswordBody,
  sentView,
  tokenBody,
  verifiedView,
} from './link-schema.ts';
import { chooseNewPassword, previewInvitation, sendLink, verifyAddress } from './session-links.ts';

/** Returns the beginning of a route's shape. Each request counts as an attempt. */
const post = <const Path extends string, const Kind extends 'link' | 'verification' | 'reset'>(
  path: Path,
  attempts: Kind,
) => ({ method: 'POST', path: `/dashboard/v1/session/${path}`, access: 'anyone', attempts }) as const;

/** The routes that send links by mail, and those that the pages of such links call. */
export const linkRoutes = [
  dashboardRoute(
    { ...post('verification', 'verification'), body: emailBody, answer: sentView },
    sendLink('verification'),
  ),
  dashboardRoute({ ...post('reset', 'reset'), body: emailBody, answer: sentView }, sendLink('reset')),
  dashboardRoute({ ...post('verify', 'link'), body: tokenBody, answer: verifiedView }, verifyAddress),
  dashboardRoute(
    { ...post('new-password', 'link'), body: newPasswordBody, answer: doneView },
    chooseNewPassword,
  ),
  dashboardRoute(
    { ...post('invitation', 'link'), body: tokenBody, answer: invitationPreview },
    previewInvitation,
  ),
];
