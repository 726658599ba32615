import { Refusal } from '../../base/errors/refusal.ts';
import { isForOperators } from './is-for-operators.ts';
import { judgeTarget } from './judge-target.ts';
import type { SocketData } from './socket-server.ts';

type Server = Bun.Server<SocketData>;
type Answer = Response | Promise<Response>;
type Handler = (request: Bun.BunRequest<string>, server: Server) => Answer;

/** Handles a request whose path is routed if there is no refusal. */
export type JudgedHandler = (request: Request, server: Server, refusal?: Refusal) => Answer;

/** Makes the handler of a fixed address, or that of all other paths. */
type HandlerOf = (path?: string) => JudgedHandler;

/** The most segments of a route. */
const MAX_SEGMENTS = 24;

/**
 * The runtime resolves dot segments and backslashes in `request.url`, but matches its own routes with the
 * path as it was sent. A path that equals a fixed address needs no judgement. Of every other path, the
 * parameters are its segments. A path with an empty segment matches no route.
 */
export function targetRoutes(fixed: Iterable<string>, handlerOf: HandlerOf): Record<string, Handler> {
  const handle = handlerOf();
  const routes: Record<string, Handler> = {};
  const judged: Handler = (request, server) => handle(request, server, judgeTarget(segmentsOf(request)));
  let pattern = '';
  for (let count = 1; count <= MAX_SEGMENTS; count++) {
    pattern += `/:segment${count}`;
    routes[pattern] = judged;
    routes[`${pattern}/`] = (request, server) => handle(request, server, judgeWithSlash(segmentsOf(request)));
  }
  for (const path of fixed) {
    if (/[:*]/.test(path)) continue;
    const handleFixed = handlerOf(path);
    routes[path] = (request, server) => handleFixed(request, server);
  }
  return routes;
}

const segmentsOf = ({ params }: Bun.BunRequest<string>): string[] => Object.values(params);

/**
 * One slash at the end is ignored, except at the addresses for operators, which proxies close by their exact
 * spelling.
 */
const judgeWithSlash = (segments: string[]): Refusal | undefined =>
  judgeTarget(segments) ?? (isForOperators(`/${segments.join('/')}`) ? new Refusal('not_found') : undefined);
