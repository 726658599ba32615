import type { RequestHead } from './request-head.ts';

/** An answer whose head is there. What breaks, or is ended, from then on is thrown where it is read. */
export type HttpAnswer = {
  readonly status: number;
  /** A field by its lower-case name. */
  get(name: string): string | null;
  /** The next piece of the body, undefined behind the last. Nothing is read ahead beyond a bound: who does not read slows the other end. */
  read(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** All of the body, or no more than the first bytes: then the rest is not waited for. */
  readText(mostBytes: number): AnswerText | Promise<AnswerText>;
  /** Ends it before its time; what waits for it is told so. */
  cancel(): void;
};

export type AnswerText = { text: string; isCut: boolean };

export type HttpTimeouts = { connectMs: number; firstByteMs: number; idleMs: number; totalMs: number };

export type HttpRequest = {
  head: RequestHead;
  body: string;
  timeouts: HttpTimeouts;
  /** Aborted when the client that the answer is for leaves. */
  client: AbortSignal;
  /** How long a call that was sent goes on after its client has left; it ends at once unless said. */
  graceMs?: number;
  /** Aborted when the answer is no longer wanted: the call ends at once. */
  calledOff?: AbortSignal | undefined;
};

export class CallTimedOut extends Error {
  override readonly name = 'CallTimedOut';
}

export class CallEnded extends Error {
  override readonly name: string = 'CallEnded';
}

/** The client of a call that had been sent has left, and its grace is over. */
export class CallForsaken extends CallEnded {
  override readonly name = 'CallForsaken';
}
