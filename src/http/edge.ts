import { Refusal } from '../errors/refusal.ts';
import { refusalOfError } from '../errors/refusal-of-error.ts';
import { orderedId } from '../lib/ids.ts';
import type { Snapshot } from '../snapshot.ts';
import { corsHeaders, exposedHeaders, preflightHeaders } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { refuse } from './refuse.ts';
import type { Reply } from './reply.ts';
import type { Router } from './router.ts';
import { asWritten, streamBody } from './stream-body.ts';
import type { UnderWay } from './under-way.ts';

/** What the edge tells those who watch: called once when the head of an answer is ready. */
export type EdgeObserver = {
  opened(): void;
  answered(exchange: Exchange, status: number): void;
  /** Once, when its last byte was handed over or its client has left. */
  finished(exchange: Exchange): void;
  /** Something threw: a bug, or what keeps a part of the server from its work. */
  failed(exchange: Exchange, error: unknown): void;
};

export type Edge = {
  router: Router;
  snapshot: () => Snapshot;
  observer: EdgeObserver;
  /** While true, connections are closed after their answer, so that clients go elsewhere. */
  closesConnections: () => boolean;
  underWay: UnderWay;
};

export type PeerLookup = () => string;

/** One request in, one response out, whatever happens in between. */
export async function handleRequest(edge: Edge, request: Request, peer: PeerLookup): Promise<Response> {
  const exchange = openExchange(edge, request, peer);
  edge.observer.opened();
  let reply: Reply;
  try {
    const handling = dispatch(edge, exchange);
    const answer = handling instanceof Promise ? await edge.underWay.answerOf(exchange, handling) : handling;
    reply = answer instanceof Refusal ? refuse(exchange, answer) : answer;
  } catch (error) {
    exchange.failed(error);
    reply = refuse(exchange, refusalOfError(error));
  }
  edge.underWay.leave(exchange);
  exchange.release?.();
  return respond(edge, exchange, reply);
}

function openExchange(edge: Edge, request: Request, peer: PeerLookup): Exchange {
  const { path, query } = splitTarget(request.url);
  const requestId = orderedId('req_', Date.now());
  const style = path === '/v1/messages' || path.startsWith('/v1/messages/') ? 'messages' : 'openai';
  const snapshot = edge.snapshot();
  const exchange: Exchange = {
    request,
    method: request.method,
    path,
    query,
    requestId,
    style,
    snapshot,
    startedAtMs: performance.now(),
    peer,
    route: '(none)',
    params: {},
    headers: {
      'x-content-type-options': 'nosniff',
      [snapshot.names.header.requestId]: requestId,
      [style === 'messages' ? 'request-id' : 'x-request-id']: requestId,
    },
    notes: {},
    failed: (error) => {
      if (!(error instanceof Refusal)) edge.observer.failed(exchange, error);
    },
  };
  return exchange;
}

/** The runtime gives `http://host/path?query`, or a bare path where the host is missing or not one. */
function splitTarget(url: string): { path: string; query: string } {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  const question = url.indexOf('?', start);
  const end = question < 0 ? url.length : question;
  const path =
    url.charCodeAt(end - 1) === 47 && end - start > 1 ? url.slice(start, end - 1) : url.slice(start, end);
  return { path, query: question < 0 ? '' : url.slice(question + 1) };
}

function dispatch(edge: Edge, exchange: Exchange): Reply | Refusal | Promise<Reply | Refusal> {
  const malformed = findMalformedHost(exchange.request);
  if (malformed) return malformed;
  if (exchange.method === 'OPTIONS') return answerOptions(edge, exchange);
  const match = edge.router.match(exchange.method, exchange.path);
  if (match instanceof Refusal) return isUpgrade(exchange) ? upgradeRefusal(match) : match;
  exchange.route = match.route;
  exchange.params = match.params;
  return match.handle(exchange);
}

const isUpgrade = ({ method, request }: Exchange): boolean =>
  method === 'GET' && request.headers.get('upgrade')?.toLowerCase() === 'websocket';

/** Clients that would rather speak over a WebSocket go on in plain HTTP when they are told so. */
const upgradeRefusal = (match: Refusal): Refusal =>
  match.code === 'method_not_allowed'
    ? new Refusal('upgrade_required', {
        headers: { ...match.details.headers, upgrade: 'HTTP/1.1', connection: 'upgrade' },
      })
    : match;

const HOST = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~%-]+)(:\d{1,5})?$/;

/**
 * Two Host headers arrive joined by a comma. Whoever stands before us may have read the other one. None at all is HTTP/1.0, as some
 * probes speak it: the runtime itself refuses it in HTTP/1.1.
 */
function findMalformedHost(request: Request): Refusal | undefined {
  const host = request.headers.get('host');
  if (host === null || HOST.test(host)) return undefined;
  return new Refusal('invalid_request', {
    message: 'The request needs exactly one valid Host header.',
    headers: { connection: 'close' },
  });
}

function answerOptions(edge: Edge, exchange: Exchange): Reply | Refusal {
  const allow = edge.router.allowed(exchange.path);
  if (allow === undefined) return new Refusal('not_found');
  exchange.route = '(options)';
  const isPreflight = exchange.request.headers.has('access-control-request-method');
  const cors =
    isPreflight && exchange.path.startsWith('/v1/') ? preflightHeaders(exchange.request, allow) : {};
  return { status: 204, body: null, headers: { allow, ...cors } };
}

function respond(edge: Edge, exchange: Exchange, reply: Reply): Response {
  const { names, config } = exchange.snapshot;
  exchange.beforeHead?.();
  const headers = Object.assign(exchange.headers, reply.headers);
  const origin = exchange.request.headers.get('origin');
  if (origin !== null && exchange.path.startsWith('/v1')) {
    const { origins } = config.server.cors;
    Object.assign(headers, corsHeaders(origin, origins), {
      'access-control-expose-headers': exposedHeaders(names),
    });
    if (!origins.includes('*')) headers['vary'] = headers['vary'] ? `${headers['vary']}, origin` : 'origin';
  }
  if (edge.closesConnections()) headers['connection'] = 'close';
  edge.observer.answered(exchange, reply.status);
  return new Response(bodyOf(edge, exchange, reply.body), { status: reply.status, headers });
}

function bodyOf(edge: Edge, exchange: Exchange, body: Reply['body']): Bun.BodyInit | null {
  const written = asWritten(body);
  if (written) {
    return streamBody(written, {
      client: exchange.request.signal,
      stalledMs: exchange.snapshot.config.limits.stalled_write_s * 1_000,
      // A throw inside a body is a broken connection to the runtime; nobody else would hear of it.
      failed: exchange.failed,
      finished: () => edge.observer.finished(exchange),
    });
  }
  edge.observer.finished(exchange);
  return body as Bun.BodyInit | null;
}
