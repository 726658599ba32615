import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { TraceHeaders } from '../../base/tracing/attempt-span.ts';
import type { RequestHead } from './request-head.ts';

/** An answer whose head has arrived. Later failures are thrown by the methods that read the body. */
export type HttpAnswer = {
  readonly status: number;
  /** Returns a field by its lower-case name. */
  get(name: string): string | null;
  /**
   * Returns the next piece of the body, or undefined after the last. Only a bounded part is read ahead, so a
   * slow reader slows the host.
   */
  read(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /**
   * Reads the whole body, or only its first bytes without waiting for the rest. The default is the limit for
   * every answer.
   */
  readText(maxBytes?: number): AnswerText | Promise<AnswerText>;
  /**
   * Reads the whole body. A body of `LARGE_ANSWER_BYTES` or more is returned as bytes, since decoding its
   * text would block other requests.
   */
  readWhole(): WholeBody | Promise<WholeBody>;
  /** The size limit of an answer that is held in memory. */
  readonly maxBytes: number;
  /** Ends the answer early. A pending read fails with an error. */
  cancel(): void;
};

/** The text of a body. `isCut`: the body is longer than its limit. */
export type AnswerText = { text: string; isCut: boolean };
/** A body in the pieces in which it arrived. */
export type AnswerPieces = { pieces: Uint8Array[] };
/** A body that was read to its end, or cut. */
export type WholeBody = AnswerText | AnswerPieces;

/**
 * The size from which an answer is converted in a thread. A smaller answer takes 30 ms at most; starting a
 * thread costs half a second of a core.
 */
export const LARGE_ANSWER_BYTES = 4 * 1024 * 1024;

/** The waits of the gateway for the reader of an answer. Times of the host do not include them. */
export type ReaderWaits = {
  readonly waitedMs: number;
  /** The reader took too long, and is treated as disconnected. */
  readonly hasLeft: boolean;
};

/** The limits of the phases of a call, and of the whole call. */
export type HttpTimeouts = { connectMs: number; firstByteMs: number; idleMs: number; totalMs: number };

/** A POST request, with the limits and the signals that end it early. */
export type HttpRequest = {
  head: RequestHead;
  /** The body. It is emptied once the answer has begun. */
  body: string;
  /** A body that is sent in pieces, instead of `body`. */
  streamed?: StreamedBody | undefined;
  /** Further headers, which continue the trace of the request. */
  trace?: TraceHeaders | undefined;
  timeouts: HttpTimeouts;
  /** Aborted when the client of the answer leaves. */
  client: AbortSignal;
  /** The client's waits, if the answer is sent on while it arrives. */
  reader?: ReaderWaits | undefined;
  /** The time for which a sent call continues after its client has left. By default it ends at once. */
  graceMs?: number;
  /** The call reports once that its client has left and that it continues. */
  onClientLeft?: (() => void) | undefined;
  /** The signal is aborted when the answer is no longer needed. The call then ends at once. */
  calledOff?: AbortSignal | undefined;
  /** The size limit of a whole answer. It is unlimited by default. */
  maxBytes?: number;
  /**
   * Books memory for more bytes of a whole answer, and returns false if there is none. By default every
   * answer is held.
   */
  reserveMemory?: ((bytes: number) => MaybeLater<boolean>) | undefined;
};

/** A phase of the call took too long. The message names the phase. */
export class CallTimedOut extends Error {
  override readonly name = 'CallTimedOut';
}

/** There is not enough memory for the answer. */
export class NoMemoryForAnswer extends Error {
  override readonly name = 'NoMemoryForAnswer';
}

/** The call was canceled, or its client has left. */
export class CallEnded extends Error {
  override readonly name: string = 'CallEnded';
}

/** The client of a sent call has left, and its grace is over. */
export class CallAbandoned extends CallEnded {
  override readonly name = 'CallAbandoned';
}
