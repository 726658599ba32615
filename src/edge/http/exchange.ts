import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { RefusalFacts } from '../../base/errors/refusal-facts.ts';
import type { RefusalReason } from '../../base/errors/refusal-reason.ts';
import type { MaybeLater } from '../../base/lib/after.ts';
import type { RosterEntry } from '../../base/lib/roster.ts';
import type { Booking } from '../../base/memory/booking.ts';
import type { RequestTrace } from '../../base/tracing/request-trace.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { BodyPiece, ReplyBody } from './reply.ts';
import type { SocketHandler } from './socket.ts';

/** Copies an answer while it is sent. */
export type AnswerCapture = { watch(body: ReplyBody): ReplyBody; end(): void };

/** Keeps an answer before its last bytes are sent, for retries and for readers of its stream. */
export type AnswerRecording = {
  /** A retry makes the answer anew after a crash, so what the crash left costs nothing. */
  readonly isMadeAnew: boolean;
  /** Keeps a stream with its closing text. */
  keepStream(closing: string): Promise<void>;
  keepWhole(body: BodyPiece): Promise<void>;
  /** Gives up what was kept, since it could not be charged. */
  drop(): void;
};

/**
 * One client request from its head to the end of its answer, with the data for
 * its answer, log line and metrics.
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
  /** Aborts when nobody waits for the answer any more. It is undefined if only the client waits. */
  patience?: AbortSignal | undefined;
  /** It is undefined unless the answer is recorded. */
  recording?: AnswerRecording | undefined;
  /** Its trace. It is undefined while no traces are exported. */
  trace?: RequestTrace | undefined;
  /** Is set once the key is known. */
  accountId?: string;
  /** Is set for a request without a client connection. */
  detached?: 'batch item' | 'background';
  /** Is set if a response in the background has the record of this request. */
  isHandedOver?: true;
  /** The name of the admin token of a request to the admin API. */
  operator?: string;
  /** The role of its holder. */
  operatorRole?: string;
  /**
   * Adds headers whose values are known only when the head of the answer is ready.
   * The head waits for a promise.
   */
  beforeHead?: () => MaybeLater<void>;
  /** The memory that the exchange holds. It is freed at the end of the answer. */
  booking?: Booking;
  /** The files of its form. They are released once a route has answered, and at the end of the exchange. */
  upload?: { release(): void };
  /** Frees what the request's body needed until the head of the answer was ready. */
  release?: () => void;
  /** Set where the operator keeps the content of the account's requests. */
  capture?: AnswerCapture | undefined;
  /** Makes the connection a WebSocket. Returns false if the request does not ask for one. */
  upgrade?(handler: SocketHandler): boolean;
  /** Reports a thrown error to the operator. Refusals are not reported. */
  reportFailure(error: unknown): void;
  /** Ends the exchange with this answer, whatever its handler is waiting for. */
  interrupt?: (refusal: Refusal) => void;
  /**
   * True while the exchange waits for a body that is read whole. It is set to false when that takes too long.
   */
  awaitsBody?: boolean;
  /**
   * The listener of a request to the dashboard, if operators have one of their own.
   * On the public one nobody is an operator.
   */
  listener?: 'public' | 'operators' | undefined;
  /** Its place in `UnderWay`. */
  place?: RosterEntry<Exchange> | undefined;
};

/**
 * Notes for the log line, the metrics and the trace. Nothing else reads them.
 * It is a class so that all instances share one shape.
 */
export class ExchangeNotes {
  status?: number;
  accountId?: string;
  keyId?: string;
  keyName?: string | null;
  /** The model's name as the client sent it. */
  model?: string;
  /** The public id of the requested model. */
  modelId?: string;
  servedModel?: string;
  /**
   * The end user that the request names. It is `null` if the request names none, and undefined until the body
   * is read.
   */
  endUser?: string | null;
  /** The tags of the request and of its key. */
  tags?: readonly string[];
  provider?: string;
  /** The simulator stands in for the provider. */
  simulated?: boolean;
  stream?: boolean;
  inputTokens?: number;
  outputTokens?: number;
  /** The settled usage, with the parts of both counts. */
  usage?: Usage;
  /** The upstream did not count the tokens. */
  usageEstimated?: boolean;
  errorCode?: string;
  /** The message of the error that the client received. */
  errorMessage?: string;
  /** The path of the field that a refusal named. */
  errorParam?: string;
  /** The figures behind a refusal. */
  refusalFacts?: RefusalFacts;
  /** The resource that the server lacked for the request. */
  refusalReason?: RefusalReason;
  /** The address of the client, behind trusted proxies too. */
  clientAddress?: string;
  firstByteMs?: number;
  /** The time from the arrival of the request to the first part of a streamed answer. */
  firstTokenMs?: number;
  /** The cost of the request at its rates, once it is settled. */
  costMicrocredits?: number;
  /** The charge, if it is not the cost. */
  chargedMicrocredits?: number | undefined;
  /** The cost at the rates of a substitute that answered. */
  servedCostMicrocredits?: number;
  attempts?: number;
  /** The id of the request whose answer it got. */
  replayOf?: string;
  /** The calls to providers. The list grows while the request runs. */
  calls?: readonly AttemptRecord[];
  /** The reasons of failed attempts, by provider. Only the log shows them. */
  failures?: readonly string[];
  /** The time that the request queued for capacity. */
  queueMs?: number;
  /** Parts of the request that cost more than is billed, and were allowed. */
  unbilled?: readonly string[];
  /** Dimensions of the upstream's usage report that have no price. */
  unpricedUsage?: readonly string[];
  /** Types in the request and in the upstream's answer that no vendor's client knows, with their places. */
  unknownTypes?: readonly string[];
  /** Parts of the request that the answering target did not get. */
  losses?: { dialect: string; wire: string; codes: readonly string[] } | undefined;
}
