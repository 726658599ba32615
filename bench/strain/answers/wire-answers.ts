/** The parts of a stream. A delta adds its text to the answer. */
export type StreamParts = { begin: string; delta: (text: string) => string; end: string };

/** The answers of an upstream on one wire. */
export type WireAnswers = {
  whole: (text: string) => object;
  /** `null` if the upstream has no streams on this wire. */
  stream: StreamParts | null;
};
