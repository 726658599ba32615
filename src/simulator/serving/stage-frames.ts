import type { SimulatorEvent } from '../model/stream-event.ts';
import type { Failure, SimulatorWire } from '../model/wire.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { untilLeft, wait } from './wait.ts';

/** The settings for sending the frames of one answer. */
export type Stage = {
  wire: SimulatorWire;
  misbehaviour: Misbehaviour;
  tokensPerSecond: number;
  /** Waits before a fault, after the earlier events are sent. */
  beforeFault?: (() => Promise<void>) | undefined;
  signal: AbortSignal;
};

/** The pause before a cut. Bytes that are still in the process would be lost with the reset. */
const FLUSH_MS = 10;
const DEFAULT_ERROR_STATUS = 500;

/** Returns the failure of a stream that has begun. */
export const inStreamFailure = ({ errorStatus = DEFAULT_ERROR_STATUS }: Misbehaviour): Failure => ({
  status: errorStatus,
  message: `The simulator is set to fail with status ${errorStatus}.`,
});

/** Reports whether an answer has a fault after this many events or pieces. */
const isFaulty = (sent: number, { errorAfter, malformedAfter, stallAfter, cutAfter }: Misbehaviour) =>
  [errorAfter, malformedAfter, stallAfter, cutAfter].includes(sent);

/** Yields the events as frames at their pace, with the requested faults at their places. */
export async function* stageEvents(
  events: Iterable<SimulatorEvent>,
  stage: Stage,
): AsyncGenerator<Uint8Array> {
  const { wire, misbehaviour, signal } = stage;
  const pace = startPace(stage);
  let sent = 0;
  for (const event of events) {
    if (isFaulty(sent, misbehaviour)) await stage.beforeFault?.();
    if (sent === misbehaviour.errorAfter) {
      yield* wire.failureEvents(inStreamFailure(misbehaviour)).map(wire.framing.encode);
      return;
    }
    if (sent === misbehaviour.malformedAfter) yield wire.framing.malformed;
    await interrupt(sent, stage);
    await pace(event.tokens);
    if (signal.aborted) return;
    yield wire.framing.encode(event);
    sent += 1;
  }
}

/**
 * Yields the pieces of a file, with the requested faults at their places.
 * A malformed file ends early.
 */
export async function* stagePieces(pieces: Iterable<Uint8Array>, stage: Stage): AsyncGenerator<Uint8Array> {
  const { misbehaviour, signal } = stage;
  const pace = startPace(stage);
  let sent = 0;
  for (const piece of pieces) {
    if (isFaulty(sent, misbehaviour)) await stage.beforeFault?.();
    if (sent === misbehaviour.malformedAfter) return;
    await interrupt(sent, stage);
    await pace(0);
    if (signal.aborted) return;
    yield piece;
    sent += 1;
  }
}

/** Yields a whole body in two halves, so that a fault can happen between them. */
export async function* stageBody(body: Uint8Array, stage: Stage): AsyncGenerator<Uint8Array> {
  const { malformedAfter, cutAfter, stallAfter } = stage.misbehaviour;
  const half = Math.floor(body.length / 2);
  yield body.subarray(0, half);
  if (malformedAfter !== undefined) return;
  await interrupt(cutAfter ?? stallAfter ?? 0, stage);
  if (!stage.signal.aborted) yield body.subarray(half);
}

/** Stalls or cuts the answer if this is the place of such a fault. */
async function interrupt(sent: number, { misbehaviour, signal }: Stage): Promise<void> {
  if (sent === misbehaviour.stallAfter) await untilLeft(signal);
  if (sent !== misbehaviour.cutAfter) return;
  await wait(FLUSH_MS, signal);
  // A failing body resets the connection before the closing chunk. The server has no other way to reset it.
  throw new Error('The simulator is set to cut the connection.');
}

/**
 * Returns a function that waits until the tokens sent so far are due. Delays of single timers do not add up.
 */
function startPace({ misbehaviour, tokensPerSecond, signal }: Stage): (tokens: number) => Promise<void> {
  const { dripMs = 0, dripBytes } = misbehaviour;
  const rate = misbehaviour.tokensPerSecond ?? tokensPerSecond;
  const startedMs = performance.now();
  const eventMs = dripBytes === undefined ? dripMs : 0;
  let dueMs = 0;
  return (tokens) => {
    dueMs += eventMs + (Number.isFinite(rate) ? (tokens * 1_000) / rate : 0);
    return wait(dueMs - (performance.now() - startedMs), signal);
  };
}
