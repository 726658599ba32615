import { Refusal } from '../../base/errors/refusal.ts';
import { counted } from '../../base/lib/counted.ts';
import { sessionCookieOf } from '../../customers/people/auth-caller.ts';
import { clientNetwork } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Route } from '../../edge/http/route.ts';
import { CallWindows } from '../../money/limits/call-windows.ts';

/**
 * Bounds the requests to the dashboard's API in any minute, in this process. They are counted before the
 * store is asked.
 */
export class DashboardWindows {
  readonly #networks = new CallWindows();
  readonly #sessions = new CallWindows();

  /** Counts a request to a route that takes no session. */
  countNetwork(exchange: Exchange): Refusal | undefined {
    const { network_requests_per_min: limit } = exchange.snapshot.config.dashboard;
    const waitMs = this.#networks.count(clientNetwork(exchange), limit, exchange.startedAtMs);
    return waitMs === undefined ? undefined : new Refusal('network_rate_limited', { retryAfterMs: waitMs });
  }

  /** Counts a request of a network, and of its session if it has one. */
  count(exchange: Exchange): Refusal | undefined {
    const ofNetwork = this.countNetwork(exchange);
    const token = sessionCookieOf(exchange)?.token;
    if (ofNetwork || token === undefined) return ofNetwork;
    const { requests_per_min: limit } = exchange.snapshot.config.dashboard;
    const waitMs = this.#sessions.count(token, limit, exchange.startedAtMs);
    if (waitMs === undefined) return undefined;
    return new Refusal('rate_limit_exceeded', {
      message: `Your session has sent ${counted(limit, 'request')} in a minute. Wait a moment.`,
      retryAfterMs: waitMs,
    });
  }

  /** Counts the requests to each of the routes. */
  guard(routes: readonly Route[]): Route[] {
    return routes.map((route) => ({
      ...route,
      handle: (exchange) => {
        const refusal = this.count(exchange);
        if (!refusal) return route.handle(exchange);
        exchange.headers['cache-control'] = 'no-store';
        return refusal;
      },
    }));
  }
}
