import { dashboardRoute } from './dashboard-route.ts';
import { eventsQuery, openEvents } from './open-events.ts';
import { wholeReply } from './whole-reply.ts';

/** The stream of events by which open pages follow what happens. */
export const eventRoutes = [
  dashboardRoute(
    {
      method: 'GET',
      path: '/dashboard/v1/events',
      access: 'person',
      query: eventsQuery,
      answer: wholeReply,
    },
    openEvents,
  ),
];
