import type { ReplyBody } from './reply.ts';

/** Copies an answer while it is sent. */
export type AnswerCapture = {
  /** Returns the body of the answer, whose pieces are copied when they are written. */
  watch(body: ReplyBody): ReplyBody;
  /** The edge calls it once, after the last byte. */
  end(): void;
};
