/**
 * One event of a stream before it is framed. `data` is what the frame carries, `tokens` what it costs in
 * pace.
 */
export type SimulatorEvent = { name?: string; data: string; tokens: number };

export const streamEvent = (body: unknown, tokens = 0): SimulatorEvent => ({
  data: JSON.stringify(body),
  tokens,
});

/** For wires that say an event's type beside its body. */
export const namedEvent = (name: string, body: unknown, tokens = 0): SimulatorEvent => ({
  name,
  data: JSON.stringify(body),
  tokens,
});

/** How a wire turns events into bytes. */
export type Framing = {
  contentType: string;
  encode(event: SimulatorEvent): Uint8Array;
  /** What no reader of this framing can make sense of. */
  malformed: Uint8Array;
};
