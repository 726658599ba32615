import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { RosterEntry } from '../../base/lib/roster.ts';
import type { Booking } from '../../base/memory/booking.ts';
import type { RequestTrace } from '../../base/tracing/request-trace.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { AnswerCapture } from './answer-capture.ts';
import type { AnswerRecording } from './answer-recording.ts';
import type { ExchangeNotes } from './exchange-notes.ts';
import type { SocketHandler } from './socket-handler.ts';

/**
 * One client request from its head to the end of its answer, with the data for its answer, log line and
 * metrics.
 */
export type Exchange = {
  readonly request: Request;
  readonly method: string;
  /** The path without the query and a trailing slash, still percent-encoded. */
  readonly path: string;
  /** The text after the question mark, or '' if there is none. */
  readonly query: string;
  readonly requestId: string;
  readonly style: EnvelopeStyle;
  /** The configuration that the request started with. A later reload does not change it. */
  readonly snapshot: Snapshot;
  /** Milliseconds on the monotonic clock. */
  readonly startedAtMs: number;
  /** Returns the address of the client's end of the connection. */
  peer(): string;
  /** The route's pattern, used as a metric label. */
  route: string;
  params: Record<string, string>;
  /** Headers for the answer, also for a refusal. */
  readonly headers: Record<string, string>;
  notes: ExchangeNotes;
  /** Aborts when nobody waits for the answer any more. Undefined if only the client waits. */
  patience?: AbortSignal | undefined;
  /** Undefined if the answer is not recorded. */
  recording?: AnswerRecording | undefined;
  /** Undefined while no traces are exported. */
  trace?: RequestTrace | undefined;
  /** The account of the key. It is absent until the key is known. */
  accountId?: string;
  /** The kind of a request without a client connection. */
  detached?: 'batch item' | 'background';
  /** The id of the response in the background that has the record of this request. */
  handedOverTo?: string;
  /** The name of the admin token of a request to the admin API. */
  operator?: string;
  /** The role of the admin token. */
  operatorRole?: string;
  /**
   * Adds headers whose values are known only when the head of the answer is ready. The head waits for a
   * promise.
   */
  beforeHead?: () => MaybeLater<void>;
  /** The memory that the exchange holds. It is freed at the end of the answer. */
  booking?: Booking;
  /** The files of a form. They are released once a route has answered, and at the end of the exchange. */
  upload?: { release(): void };
  /** Frees what the request's body needed until the head of the answer was ready. */
  release?: () => void;
  /** The copy of the answer for an operator who keeps the content of the account's requests. */
  capture?: AnswerCapture | undefined;
  /** Makes the connection a WebSocket. Returns false if the request does not ask for one. */
  upgrade?(handler: SocketHandler): boolean;
  /** Reports a thrown error to the operator. Refusals are not reported. */
  reportFailure(error: unknown): void;
  /** Ends the exchange with this answer, whatever its handler is waiting for. */
  interrupt?: (refusal: Refusal) => void;
  /**
   * True while the exchange waits for a body that is read whole. A body that takes too long makes it false.
   */
  awaitsBody?: boolean;
  /**
   * The listener of the request, if operators have their own. Nobody is an operator on the public listener.
   */
  listener?: 'public' | 'operators' | undefined;
  /** The entry of the exchange in `UnderWay`. */
  place?: RosterEntry<Exchange> | undefined;
};
