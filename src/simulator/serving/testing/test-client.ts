import type { SimulatorStop } from '../../model/reply.ts';
import type { WireId } from '../../model/wire.ts';
import type { Observed, SimulatorRequest } from './observed.ts';
import type { Json, ParsedFrame } from './parse-frames.ts';

/** A client of one wire, so that a test can run on every wire. */
export type TestClient = {
  wire: WireId;
  path(model: string, ask: { stream: boolean }): string;
  body(ask: SimulatorRequest): object;
  observe(body: Json): Observed;
  observeStream(frames: ParsedFrame[]): Observed;
  /** Reports whether a stream ended normally. */
  last(frames: ParsedFrame[]): unknown;
  stops: Partial<Record<SimulatorStop, string>>;
  /** A body that this vendor refuses with 400. */
  badBody: object;
  errorMessage(body: Json): string;
};
