import type { SimulatorEvent } from '../model/stream-event.ts';
import type { Failure, SimulatorWire } from '../model/wire.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { untilLeft, wait } from './wait.ts';

/** How the frames of one answer go out. */
export type Stage = {
  wire: SimulatorWire;
  misbehaviour: Misbehaviour;
  tokensPerSecond: number;
  beforeFault?: (() => Promise<void>) | undefined;
  signal: AbortSignal;
};

/** What was sent before a cut must have left the process, or the reset would overtake it. */
const FLUSH_MS = 10;
const DEFAULT_ERROR_STATUS = 500;

export const inStreamFailure = ({ errorStatus = DEFAULT_ERROR_STATUS }: Misbehaviour): Failure => ({
  status: errorStatus,
  message: `The simulator was told to fail with status ${errorStatus}.`,
});

/** The events as frames, at their pace, with what was asked to go wrong at its place. */
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

const isFaulty = (sent: number, { errorAfter, malformedAfter, stallAfter, cutAfter }: Misbehaviour) =>
  [errorAfter, malformedAfter, stallAfter, cutAfter].includes(sent);

/** A whole body in two halves, so that it can break off or fall silent between them. */
export async function* stageBody(body: Uint8Array, stage: Stage): AsyncGenerator<Uint8Array> {
  const { malformedAfter, cutAfter, stallAfter } = stage.misbehaviour;
  const half = Math.floor(body.length / 2);
  yield body.subarray(0, half);
  if (malformedAfter !== undefined) return;
  await interrupt(cutAfter ?? stallAfter ?? 0, stage);
  if (!stage.signal.aborted) yield body.subarray(half);
}

async function interrupt(sent: number, { misbehaviour, signal }: Stage): Promise<void> {
  if (sent === misbehaviour.stallAfter) await untilLeft(signal);
  if (sent !== misbehaviour.cutAfter) return;
  await wait(FLUSH_MS, signal);
  // The server has no other way to break a connection: a body that fails resets it before the closing chunk.
  throw new Error('The simulator was told to cut the connection.');
}

/** Waits until the tokens sent so far are due, so that late timers do not add up. */
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
