import type { CanonicalResponse } from '../canonical/event.ts';

/** A finished answer in the form in which it is stored. */
export type FinishedAnswer = {
  /** The response object, byte for byte as the client receives it. */
  envelope: string;
  /**
   * The output items as a later turn passes them to a model, hidden parts included. The text is a JSON list.
   */
  items: string;
};

/** Builds the stored form of an answer. `sent` is its whole body, or the last frame of its stream. */
export type AnswerFinisher = (response: CanonicalResponse, sent: string) => FinishedAnswer;
