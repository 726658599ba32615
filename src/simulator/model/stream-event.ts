/**
 * One event of a stream before framing. `data` is the content of the frame. `tokens` is the number of tokens
 * for pacing.
 */
export type SimulatorEvent = { name?: string; data: string; tokens: number };

export const streamEvent = (body: unknown, tokens = 0): SimulatorEvent => ({
  data: JSON.stringify(body),
  tokens,
});

/** The type of the event, for wires that send it outside the body. */
export const namedEvent = (name: string, body: unknown, tokens = 0): SimulatorEvent => ({
  name,
  data: JSON.stringify(body),
  tokens,
});

/** The encoding of events as bytes on a wire. */
export type Framing = {
  contentType: string;
  encode(event: SimulatorEvent): Uint8Array;
  /** A frame that no reader of this framing can parse. */
  malformed: Uint8Array;
};
