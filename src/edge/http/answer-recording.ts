import type { BodyPiece } from './reply.ts';

/** Keeps an answer before its last bytes are sent, for retries and for readers of its stream. */
export type AnswerRecording = {
  /**
   * True if a retry makes the answer anew after a crash. The request that the crash ended then costs nothing.
   */
  readonly isMadeAnew: boolean;
  /** Keeps a stream with its closing text. */
  keepStream(closing: string): Promise<void>;
  keepWhole(body: BodyPiece): Promise<void>;
  /** Discards the answer, since it could not be charged. */
  drop(): void;
};
