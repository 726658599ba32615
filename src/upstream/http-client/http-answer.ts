import type { MaybeLater } from '../../base/lib/after.ts';
import type { RequestHead } from './request-head.ts';

/** An answer whose head is there. What breaks, or is ended, from then on is thrown where it is read. */
export type HttpAnswer = {
  readonly status: number;
  /** A field by its lower-case name. */
  get(name: string): string | null;
  /** The next piece of the body, undefined behind the last. Nothing is read ahead beyond a bound: who does not read slows the other end. */
  read(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** All of the body, or no more than the first bytes: then the rest is not waited for. Unless said, as many as are taken of any answer. */
  readText(mostBytes?: number): AnswerText | Promise<AnswerText>;
  /** All of the body. One of `LARGE_ANSWER_BYTES` or more comes as bytes: its text takes so long to make that others would notice. */
  readWhole(): WholeBody | Promise<WholeBody>;
  /** More than this is taken of no answer that is kept. */
  readonly mostBytes: number;
  /** Ends it before its time; what waits for it is told so. */
  cancel(): void;
};

export type AnswerText = { text: string; isCut: boolean };
/** A body in the pieces in which it came. */
export type AnswerPieces = { pieces: Uint8Array[] };
export type WholeBody = AnswerText | AnswerPieces;

/** A smaller answer takes 30 ms at most to be parsed, translated and written. To start a thread takes half a second of a core. */
export const LARGE_ANSWER_BYTES = 4 * 1024 * 1024;

export type HttpTimeouts = { connectMs: number; firstByteMs: number; idleMs: number; totalMs: number };

export type HttpRequest = {
  head: RequestHead;
  body: string;
  timeouts: HttpTimeouts;
  /** Aborted when the client that the answer is for leaves. */
  client: AbortSignal;
  /** How long a call that was sent goes on after its client has left; it ends at once unless said. */
  graceMs?: number;
  /** Told once when the client of a call that goes on is seen to have left. */
  left?: (() => void) | undefined;
  /** Aborted when the answer is no longer wanted: the call ends at once. */
  calledOff?: AbortSignal | undefined;
  /** The longest answer that is taken whole; any unless said. */
  mostBytes?: number;
  /** Makes room for more bytes of a whole answer; false when there is none. Answers are held in any case unless said. */
  makeRoom?: ((bytes: number) => MaybeLater<boolean>) | undefined;
};

export class CallTimedOut extends Error {
  override readonly name = 'CallTimedOut';
}

/** There is no memory for the answer. */
export class NoRoomForAnswer extends Error {
  override readonly name = 'NoRoomForAnswer';
}

export class CallEnded extends Error {
  override readonly name: string = 'CallEnded';
}

/** The client of a call that had been sent has left, and its grace is over. */
export class CallForsaken extends CallEnded {
  override readonly name = 'CallForsaken';
}
