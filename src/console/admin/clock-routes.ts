import { isoTime } from '../../base/lib/iso-time.ts';
import { msOf } from '../../base/lib/units.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { closed } from '../routes/closed.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'accounts' | 'movableClock'>();

const TEN_YEARS_S = 10 * 366 * 86_400;

/** The route that moves the clock. Only test servers have it. */
export const clockRoutes = [
  route(
    {
      method: 'POST',
      path: '/admin/v1/test/clock',
      group: 'Admin: operation',
      summary: 'Advances the clock of a test server, timers included',
      body: Type.Object({ advance_s: Type.Number({ exclusiveMinimum: 0, maximum: TEN_YEARS_S }) }, closed),
      bodyExample: { advance_s: 3_600 },
      answer: Type.Object({ now: time }),
      returns: 'The new time of the server.',
    },
    async ({ body, actor }, { accounts, movableClock }) => {
      const clock = movableClock!; // only servers with such a clock have the route
      const before = clock.now();
      await clock.advance(msOf(body.advance_s));
      const now = clock.now();
      const change = { before: { clockAt: before }, after: { clockAt: now }, actor };
      await accounts.record('clock-advance', 'clock', change);
      return { now: isoTime(now) };
    },
  ),
];
