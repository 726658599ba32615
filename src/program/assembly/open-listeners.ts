import type { Clock } from '../../base/lib/clock.ts';
import { type DocsOptions, docsRoutes } from '../../console/docs/docs-routes.ts';
import { securityTxtRoute } from '../../console/docs/security-txt-route.ts';
import { listedPages } from '../../console/manual/listed-pages.ts';
import { manualRoutes } from '../../console/manual/manual-routes.ts';
import { siteRoutes } from '../../console/site/site-routes.ts';
import type { Edge } from '../../edge/http/edge.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { isForOperators } from '../../edge/http/is-for-operators.ts';
import { type Listener, type ListenOptions, listen } from '../../edge/http/listen.ts';
import { listenProblem, operatorsListenProblem } from '../../edge/http/listen-problem.ts';
import { addressUsed } from '../../edge/http/public-url.ts';
import { resolveHost } from '../../edge/http/resolve-host.ts';
import type { CountRequest, Route } from '../../edge/http/route.ts';
import { Router } from '../../edge/http/router.ts';
import { listenAddressOf } from '../../settings/config/listen-address-of.ts';

/**
 * The listener of the gateway. `adminUrl` has the admin API: the same address, or that of a second listener.
 */
export type GatewayListener = Listener & { adminUrl: string };

export type ListenerParts = {
  edge: Omit<Edge, 'router'>;
  routes: readonly Route[];
  options: ListenOptions;
  /** The address of the second listener. `null` means that one listener serves everything. */
  adminListen: string | null;
  /** Counts a request for the documentation, or refuses it. */
  count: CountRequest;
};

/**
 * Starts to listen. A second listener for operators serves every route, and the first one then lacks the
 * routes for operators. The second listener stays open during a drain, so that probes and metrics are
 * answered until the end.
 */
export async function openListeners({
  edge,
  routes: ownRoutes,
  options,
  adminListen,
  count,
}: ListenerParts): Promise<GatewayListener> {
  const routes = allRoutes(ownRoutes, edge.clock);
  if (adminListen === null) {
    const only = await listenAt(withRouter(edge, routes, { count }), options);
    return { ...only, adminUrl: only.url };
  }
  const publicRoutes = throughListener(
    'public',
    routes.filter(({ path }) => !isForOperators(path)),
  );
  const main = await listenAt(withRouter(edge, publicRoutes, { count }), options);
  try {
    // The pages of the second listener name its own address, since the public one lacks the admin API.
    const operatorsEdge = withRouter(edge, throughListener('operators', routes), {
      originOf: addressUsed,
      count,
    });
    const address = listenAddressOf(adminListen);
    await resolveHost(address.hostname);
    return joined(main, listen(operatorsEdge, { ...options, ...address }));
  } catch (error) {
    void main.close();
    throw operatorsListenProblem(adminListen, error);
  }
}

/**
 * Cookies are shared between the ports of a host, so the routes of the dashboard must know the listener of a
 * request.
 */
const throughListener = (listener: Exchange['listener'], routes: readonly Route[]): Route[] =>
  routes.map((route) =>
    route.isPage || route.path.startsWith('/dashboard/')
      ? {
          ...route,
          handle(exchange) {
            exchange.listener = listener;
            return route.handle(exchange);
          },
        }
      : route,
  );

/** Listens on the address of the options. */
async function listenAt(edge: Edge, options: ListenOptions): Promise<Listener> {
  try {
    await resolveHost(options.hostname);
    return listen(edge, options);
  } catch (error) {
    throw listenProblem(`${options.hostname}:${options.port}`, error);
  }
}

/** Adds the routes of the site to the routes of the server. */
const allRoutes = (routes: readonly Route[], clock: Clock): Route[] => [
  ...routes,
  ...siteRoutes(),
  securityTxtRoute(clock),
];

const isDescribed = ({ describe }: Route): boolean => describe !== undefined;

/** Returns the routes that the API reference describes, its own included. */
export function documentedRoutes(routes: readonly Route[], clock: Clock): Route[] {
  const all = allRoutes(routes, clock);
  return [...all, ...docsRoutes(all)].filter(isDescribed);
}

/** Returns the edge with the routes, their documentation and the manual. */
function withRouter(edge: ListenerParts['edge'], routes: readonly Route[], docs: DocsOptions): Edge {
  const all = [...routes, ...docsRoutes(routes, { listed: listedPages, ...docs })];
  return { ...edge, router: new Router([...all, ...manualRoutes(all.filter(isDescribed), docs)]) };
}

/** Returns two listeners as one, which has the address of the first. */
function joined(main: Listener, admin: Listener): GatewayListener {
  return {
    ...main,
    adminUrl: admin.url,
    connections() {
      const ofMain = main.connections();
      const ofAdmin = admin.connections();
      return ofMain === undefined || ofAdmin === undefined ? undefined : ofMain + ofAdmin;
    },
    relieve: () => main.relieve() + admin.relieve(),
    async close() {
      await Promise.all([main.close(), admin.close()]);
    },
  };
}
