import { dashboardRoute } from './dashboard-route.ts';
import { showWelcome } from './show-welcome.ts';
import { welcomeView } from './welcome-view.ts';

/** The content of the start page for visitors, even those without a session. */
export const welcomeRoutes = [
  dashboardRoute(
    { method: 'GET', path: '/dashboard/v1/welcome', access: 'anyone', answer: welcomeView },
    showWelcome,
  ),
];
