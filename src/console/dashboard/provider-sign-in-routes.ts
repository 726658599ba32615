import { dashboardRoute } from './dashboard-route.ts';
import { leaveToProvider, returnFromProvider } from './provider-sign-in.ts';
import { providerBody, providerView } from './provider-sign-in-schema.ts';
import { wholeReply } from './whole-reply.ts';

/** The routes by which a browser goes to a provider of sign-in and comes back. */
export const providerSignInRoutes = [
  dashboardRoute(
    {
      method: 'POST',
      path: '/dashboard/v1/session/provider',
      access: 'anyone',
      body: providerBody,
      answer: providerView,
    },
    leaveToProvider,
  ),
  dashboardRoute(
    {
      method: 'GET',
      path: '/dashboard/v1/auth/callback/{provider}',
      access: 'anyone',
      answer: wholeReply,
    },
    returnFromProvider,
  ),
];
