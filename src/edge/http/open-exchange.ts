import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { styleOfPath } from '../../base/errors/style-of-path.ts';
import { orderedId } from '../../base/lib/ids.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { RosterEntry } from '../../base/lib/roster.ts';
import type { Booking } from '../../base/memory/booking.ts';
import type { RequestTrace } from '../../base/tracing/request-trace.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { Exchange } from './exchange.ts';
import { ExchangeNotes } from './exchange-notes.ts';
import { isByTls } from './public-url.ts';
import type { SocketHandler } from './socket-handler.ts';

/**
 * The policy of answers that are not pages. Pages replace it. No browser can ask for answers of `/v1` by an
 * address alone.
 */
const NO_PAGE = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";
/** Browsers then use no connection without encryption, as RFC 6797 says. */
const ONE_YEAR = 'max-age=31536000';

/** The client connections of the server. */
export type ClientConnections = {
  /** Returns the address of the client's end. */
  addressOf(request: Request): string;
  /**
   * Closes the connection after this long without traffic; 0 switches the timer off. Works until the answer
   * has ended.
   */
  closeWhenIdle(request: Request, seconds: number): void;
  /**
   * Returns the bytes sent over the connection that the client has confirmed, or undefined if that is
   * unknown.
   */
  bytesTaken(request: Request): number | undefined;
  /** Makes the connection of a request a WebSocket. Returns false if the request does not ask for one. */
  upgrade(request: Request, handler: SocketHandler): boolean;
  /** Reports whether the connection watch closes idle connections whose timer is off. */
  areWatched(): boolean;
};

type FailureObserver = { onFailure(exchange: Exchange, error: unknown): void };

const NO_PARAMS: Record<string, string> = Object.freeze({});

/** A request that came over a connection. */
export class OpenExchange implements Exchange {
  readonly request: Request;
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  readonly style: EnvelopeStyle;
  readonly snapshot: Snapshot;
  readonly startedAtMs = performance.now();
  readonly headers: Record<string, string>;
  readonly notes = new ExchangeNotes();
  route = '(none)';
  params = NO_PARAMS;
  operator?: string;
  operatorRole?: string;
  patience: AbortSignal | undefined;
  recording: Exchange['recording'];
  trace: RequestTrace | undefined;
  beforeHead?: () => MaybeLater<void>;
  booking?: Booking;
  capture?: Exchange['capture'];
  release?: () => void;
  interrupt?: (refusal: Refusal) => void;
  awaitsBody?: boolean;
  listener?: 'public' | 'operators' | undefined;
  place?: RosterEntry<Exchange> | undefined;
  readonly connections: ClientConnections;
  readonly #observer: FailureObserver;

  constructor(
    request: Request,
    snapshot: Snapshot,
    {
      connections,
      observer,
      now,
      path,
    }: {
      connections: ClientConnections;
      observer: FailureObserver;
      now: number;
      path?: string | undefined;
    },
  ) {
    this.requestId = orderedId('req_', now);
    this.request = request;
    this.method = request.method;
    this.path = path ?? pathOf(request.url);
    this.style = styleOfPath(this.path);
    this.snapshot = snapshot;
    this.headers = {
      'x-content-type-options': 'nosniff',
      [snapshot.names.header.requestId]: this.requestId,
      [this.style === 'messages' ? 'request-id' : 'x-request-id']: this.requestId,
    };
    this.connections = connections;
    this.#observer = observer;
    if (!this.path.startsWith('/v1')) this.headers['content-security-policy'] = NO_PAGE;
    if (isByTls(this)) this.headers['strict-transport-security'] = ONE_YEAR;
  }

  get query(): string {
    const { url } = this.request;
    const question = url.indexOf('?', pathStart(url));
    return question < 0 ? '' : url.slice(question + 1);
  }

  peer(): string {
    return this.connections.addressOf(this.request);
  }

  upgrade(handler: SocketHandler): boolean {
    return this.connections.upgrade(this.request, handler);
  }

  reportFailure(error: unknown): void {
    if (!(error instanceof Refusal)) this.#observer.onFailure(this, error);
  }
}

/**
 * Finds where the path starts. The runtime gives `http://host/path?query`, or a bare path if the host is
 * missing or invalid.
 */
const pathStart = (url: string): number =>
  url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);

function pathOf(url: string): string {
  const start = pathStart(url);
  const question = url.indexOf('?', start);
  const end = question < 0 ? url.length : question;
  return url.charCodeAt(end - 1) === 47 && end - start > 1
    ? url.slice(start, end - 1)
    : url.slice(start, end);
}
