import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import { msOf } from '../../base/lib/units.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { asWritten, isWhole } from './as-written.ts';
import { corsHeaders, exposedHeaders, preflightHeaders } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { isHost } from './is-host.ts';
import { noSocket } from './no-socket.ts';
import { type ClientConnections, OpenExchange } from './open-exchange.ts';
import { refuse } from './refuse.ts';
import type { Reply } from './reply.ts';
import type { Match, Router } from './router.ts';
import { streamBody } from './stream-body.ts';
import type { UnderWay } from './under-way.ts';
import { unreadBody } from './unread-body.ts';

/** The status of a request whose connection became a WebSocket. */
export const SWITCHED = 101;
/** The runtime has answered the request, and wants no response of the handler. */
const UPGRADED = undefined as unknown as Response;
/** A larger answer may not fit in a socket's buffers, and is then sent at the pace of the client. */
const LARGE_BODY_LENGTH = 64 * 1024;

/** Observes exchanges. */
export type EdgeObserver = {
  /** The edge calls it once, before the exchange has a route. */
  opened(exchange: Exchange): void;
  /** The edge calls it once, when the head of the answer is ready. */
  answered(exchange: Exchange, status: number): void;
  /** The edge calls it once, when the last byte has been handed over or the client has left. */
  finished(exchange: Exchange): void;
  /** Reports an error that was thrown: a bug, or a part of the server that is unavailable. */
  onFailure(exchange: Exchange, error: unknown): void;
};

export type Edge = {
  router: Router;
  /**
   * The path of every request, if it is known without its URL. The runtime builds the URL on first use, which
   * takes 2 µs.
   */
  path?: string;
  /** Answers every request without routing it, because its path as it was sent cannot be routed. */
  refusal?: (path: string) => Refusal;
  snapshot: () => Snapshot;
  /** The source of the times in request ids, by which records are found. */
  clock: Clock;
  observer: EdgeObserver;
  /** Reports whether connections close after their answer, so that clients connect to another server. */
  closesConnections: () => boolean;
  underWay: UnderWay;
};

/** Handles one request: one response comes out, whatever happens in between. */
export function handleRequest(
  edge: Edge,
  request: Request,
  connections: ClientConnections,
): MaybeLater<Response> {
  const { observer, clock, path } = edge;
  const now = clock.now();
  const exchange = new OpenExchange(request, edge.snapshot(), { connections, observer, now, path });
  observer.opened(exchange);
  const answer = begin(edge, exchange);
  return answer instanceof Promise
    ? edge.underWay.answerOf(exchange, answer, (made) => respond(edge, exchange, made))
    : respond(edge, exchange, answer);
}

function begin(edge: Edge, exchange: OpenExchange): Reply | Refusal | Promise<Reply | Refusal> {
  try {
    return dispatch(edge, exchange);
  } catch (error) {
    exchange.reportFailure(error);
    return refusalOfError(error);
  }
}

function dispatch(edge: Edge, exchange: OpenExchange): Reply | Refusal | Promise<Reply | Refusal> {
  const malformed = findMalformedHost(exchange.request);
  if (malformed) return malformed;
  if (edge.refusal) return edge.refusal(exchange.path);
  if (exchange.method === 'OPTIONS') return answerOptions(edge, exchange);
  const match = findRoute(edge.router, exchange);
  if (match instanceof Refusal) return isUpgrade(exchange) ? withoutSocket(match) : match;
  exchange.route = match.route;
  exchange.params = match.params;
  return match.handle(exchange);
}

function findRoute(router: Router, exchange: Exchange): Match | Refusal {
  const match = router.match(exchange.method, exchange.path);
  if (!(match instanceof Refusal) || !wantsPage(exchange)) return match;
  return router.matchPage(exchange.method, exchange.path) ?? match;
}

/** A browser accepts HTML and sends no API key. */
const wantsPage = ({ request: { headers } }: Exchange): boolean =>
  (headers.get('accept')?.includes('text/html') ?? false) &&
  !headers.has('authorization') &&
  !headers.has('x-api-key') &&
  !headers.has('x-goog-api-key');

const isUpgrade = ({ method, request }: Exchange): boolean =>
  method === 'GET' && request.headers.get('upgrade')?.toLowerCase() === 'websocket';

const withoutSocket = (match: Refusal): Refusal =>
  match.code === 'method_not_allowed' ? noSocket(match.details.headers) : match;

/**
 * Refuses an ambiguous Host header. Two headers arrive joined by a comma, and a proxy in front may have used
 * the other one. A missing header means HTTP/1.0, which some probes use; the runtime refuses it in HTTP/1.1.
 */
function findMalformedHost(request: Request): Refusal | undefined {
  const host = request.headers.get('host');
  if (host === null || isHost(host)) return undefined;
  return new Refusal('invalid_request', {
    message: 'The request must have exactly one valid Host header.',
    headers: { connection: 'close' },
  });
}

function answerOptions(edge: Edge, exchange: Exchange): Reply | Refusal {
  const allow = edge.router.allowHeader(exchange.path);
  if (allow === undefined) return new Refusal('not_found');
  exchange.route = '(options)';
  const isPreflight = exchange.request.headers.has('access-control-request-method');
  const cors =
    isPreflight && /^\/v1(beta)?\//.test(exchange.path) ? preflightHeaders(exchange.request, allow) : {};
  return { status: 204, body: null, headers: { allow, ...cors } };
}

function respond(edge: Edge, exchange: OpenExchange, answer: Reply | Refusal): MaybeLater<Response> {
  exchange.release?.();
  const announcing = exchange.beforeHead?.();
  return announcing ? announcing.then(() => send(edge, exchange, answer)) : send(edge, exchange, answer);
}

function send(edge: Edge, exchange: OpenExchange, answer: Reply | Refusal): Response {
  const reply = answer instanceof Refusal ? refuse(exchange, answer) : answer;
  const { names, config } = exchange.snapshot;
  const headers = Object.assign(exchange.headers, reply.headers);
  const origin = exchange.request.headers.get('origin');
  if (origin !== null && exchange.path.startsWith('/v1')) {
    const { origins } = config.server.cors;
    Object.assign(headers, corsHeaders(origin, origins), {
      'access-control-expose-headers': exposedHeaders(names),
    });
    if (!origins.includes('*')) headers['vary'] = headers['vary'] ? `${headers['vary']}, origin` : 'origin';
  }
  const unread = unreadBody(exchange);
  if (unread === 'endless' || edge.closesConnections()) headers['connection'] = 'close';
  const { idle_timeout_s, header_timeout_s } = config.server;
  const idleS = unread ? Math.min(idle_timeout_s, header_timeout_s) : idle_timeout_s;
  edge.observer.answered(exchange, reply.status);
  if (reply.status === SWITCHED) {
    finish(edge, exchange);
    return UPGRADED;
  }
  const body = exchange.capture && isReadable(headers) ? exchange.capture.watch(reply.body) : reply.body;
  const init = { status: reply.status, headers };
  const response = new Response(bodyOf(edge, exchange, { body, idleS }), init);
  if (reply.cookies) for (const cookie of reply.cookies) response.headers.append('set-cookie', cookie);
  return response;
}

/** Reports whether an answer is kept as text. Sound is not. */
const isReadable = (headers: Record<string, string>): boolean =>
  !headers['content-type']?.startsWith('audio/');

function bodyOf(
  edge: Edge,
  exchange: OpenExchange,
  { body, idleS }: { body: Reply['body']; idleS: number },
): Bun.BodyInit | null {
  const { request, connections, snapshot } = exchange;
  if (isWhole(body)) {
    finish(edge, exchange);
    // The runtime's timer ignores slow progress: it would cut off a reader that takes a large answer in small
    // steps.
    const isTimed = body === null || body.length <= LARGE_BODY_LENGTH || !connections.areWatched();
    if (isTimed) connections.closeWhenIdle(request, idleS);
    return body;
  }
  const endSending = edge.underWay.sending(exchange);
  return streamBody(asWritten(body), {
    client: request.signal,
    stalledMs: msOf(snapshot.config.limits.stalled_write_s),
    bytesTaken: () => connections.bytesTaken(request),
    // The runtime treats a throw inside a body as a broken connection, and does not report it elsewhere.
    onFailure: (error) => exchange.reportFailure(error),
    onEnding: () => connections.closeWhenIdle(request, idleS),
    onFinished() {
      endSending();
      finish(edge, exchange);
    },
  });
}

function finish(edge: Edge, exchange: Exchange): void {
  exchange.booking?.free();
  exchange.upload?.release();
  exchange.capture?.end();
  edge.observer.finished(exchange);
}
