import { dashboardRoute } from './dashboard-route.ts';
import { chooseNewPassword, previewInvitation, sendLink, verifyAddress } from './session-links.ts';
import * as schema from './session-schema.ts';

/** Returns the beginning of a route's shape. Each request counts as an attempt. */
const post = <const Path extends string, const Kind extends 'link' | 'verification' | 'reset'>(
  path: Path,
  attempts: Kind,
) => ({ method: 'POST', path: `/dashboard/v1/session/${path}`, access: 'anyone', attempts }) as const;

/** The routes that send links by mail, and those that the pages of such links call. */
export const linkRoutes = [
  dashboardRoute(
    { ...post('verification', 'verification'), body: schema.emailBody, answer: schema.sentView },
    sendLink('verification'),
  ),
  dashboardRoute(
    { ...post('reset', 'reset'), body: schema.emailBody, answer: schema.sentView },
    sendLink('reset'),
  ),
  dashboardRoute(
    { ...post('verify', 'link'), body: schema.tokenBody, answer: schema.verifiedView },
    verifyAddress,
  ),
  dashboardRoute(
    { ...post('new-password', 'link'), body: schema.newPasswordBody, answer: schema.doneView },
    chooseNewPassword,
  ),
  dashboardRoute(
    { ...post('invitation', 'link'), body: schema.tokenBody, answer: schema.invitationPreview },
    previewInvitation,
  ),
];
