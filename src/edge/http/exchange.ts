import type { ErrorCode } from '../../base/errors/catalogue.ts';
import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { Place } from '../../base/lib/roster.ts';
import type { Booking } from '../../base/memory/booking.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** One request on its way through the house, and what is learned about it for its answer, its log line and its metrics. */
export type Exchange = {
  readonly request: Request;
  readonly method: string;
  /** Without the query, a trailing slash cut off, still percent-encoded. */
  readonly path: string;
  /** Behind the question mark, '' when there is none. */
  readonly query: string;
  readonly requestId: string;
  readonly style: EnvelopeStyle;
  /** The configuration that the request started with; a reload in the meantime does not change it. */
  readonly snapshot: Snapshot;
  /** Milliseconds on the monotonic clock. */
  readonly startedAtMs: number;
  /** The address of the other end of the connection. */
  peer(): string;
  /** The route's pattern, a metric label. */
  route: string;
  params: Record<string, string>;
  /** Headers for the answer, whether it succeeds or not. */
  readonly headers: Record<string, string>;
  notes: ExchangeNotes;
  /** Adds to the headers what only counts when the head of the answer is ready. */
  beforeHead?: () => void;
  /** What it makes the process hold; freed when the answer is at its end. */
  booking?: Booking;
  /** Gives back what the request's body needed until the head of the answer was ready. */
  release?: () => void;
  /** Tells the operator of what was thrown. A refusal is none of that. */
  failed(error: unknown): void;
  /** Ends it with this answer, whatever its handler is waiting for. */
  interrupt?: (refusal: Refusal) => void;
  /** While it waits for a body that is read whole; no longer when that has taken too long. */
  awaitsBody?: boolean;
  /** Among those under way. */
  place?: Place<Exchange> | undefined;
};

/** For the log line and the metrics. A class, so that they all have one shape from the start. */
export class ExchangeNotes {
  status?: number;
  accountId?: string;
  keyId?: string;
  /** As the client sent it. */
  model?: string;
  servedModel?: string;
  provider?: string;
  stream?: boolean;
  inputTokens?: number;
  outputTokens?: number;
  /** Tokens that the upstream did not count. */
  usageEstimated?: boolean;
  errorCode?: string;
  firstByteMs?: number;
  attempts?: number;
  /** Why attempts failed, by provider: for the log alone. */
  failures?: string[];
  /** The first of them, each with what became of it. */
  tried?: { provider: string; model: string; outcome: ErrorCode | 'answered' }[];
  /** How long it waited for capacity. */
  queueMs?: number;
  /** What of the request costs more than it is billed for, and was let through. */
  unbilled?: readonly string[];
  /** What the answering target did not get of the request. */
  losses?: { dialect: string; wire: string; codes: readonly string[] };
}
