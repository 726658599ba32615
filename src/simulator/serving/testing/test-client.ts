import type { SimulatorStop } from '../../model/reply.ts';
import type { WireId } from '../../model/wire.ts';
import type { ObservedAnswer } from './observed-answer.ts';
import type { Json, ParsedFrame } from './parse-frames.ts';
import type { SimulatorRequest } from './simulator-request.ts';

/** A client of one wire, so that a test can run on every wire. */
export type TestClient = {
  wire: WireId;
  path(model: string, ask: { stream: boolean }): string;
  body(ask: SimulatorRequest): object;
  observe(body: Json): ObservedAnswer;
  observeStream(frames: ParsedFrame[]): ObservedAnswer;
  /** Returns the part of a stream that differs if the stream did not end normally. */
  ending(frames: ParsedFrame[]): unknown;
  stops: Partial<Record<SimulatorStop, string>>;
  /** A body that this vendor refuses with 400. */
  badBody: object;
  errorMessage(body: Json): string;
};
