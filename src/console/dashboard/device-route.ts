import { dashboardRoute } from './dashboard-route.ts';
import { decideSignIn } from './decide-sign-in.ts';
import { deviceDecision, deviceView } from './device-schema.ts';

/** The route of the page on which people approve the sign-in of a client. */
export const deviceRoute = dashboardRoute(
  {
    method: 'POST',
    path: '/dashboard/v1/device',
    access: 'person',
    body: deviceDecision,
    answer: deviceView,
  },
  decideSignIn,
);
