import type { Failure, SimulatorAnswer, SimulatorWire } from '../model/wire.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { splitFrames } from './split-frames.ts';
import { inStreamFailure, type Stage, stageBody, stageEvents, stagePieces } from './stage-frames.ts';

type RawAnswer = ReturnType<NonNullable<SimulatorAnswer['raw']>>;

const HTML = '<!doctype html><html><body><h1>Simulated gateway page</h1></body></html>';

/** Sends a failure in the vendor's form. */
export function sendFailure(
  wire: SimulatorWire,
  failure: Failure,
  { retryAfter }: Misbehaviour = {},
): Response {
  const headers = {
    ...wire.failureHeaders?.(failure),
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  };
  return Response.json(wire.failureBody(failure), { status: failure.status, headers });
}

/** Sends an answer, whole or as a stream, with the faults of its stage. */
export function sendAnswer(answer: SimulatorAnswer, stage: Stage): Response {
  const { contentType } = stage.misbehaviour;
  if (contentType !== undefined) return new Response(HTML, { headers: { 'content-type': contentType } });
  return answer.streamed ? sendStream(answer, stage) : sendBody(answer, stage);
}

function sendStream(answer: SimulatorAnswer, stage: Stage): Response {
  const headers = { 'content-type': stage.wire.framing.contentType, 'cache-control': 'no-cache' };
  return new Response(split(stageEvents(answer.events(), stage), stage), { headers });
}

function sendBody(answer: SimulatorAnswer, stage: Stage): Response {
  const { wire, misbehaviour } = stage;
  const failed = misbehaviour.errorAfter !== undefined;
  const raw = failed ? undefined : answer.raw?.();
  if (raw) return sendRaw(raw, stage);
  const body = failed ? wire.failureBody(inStreamFailure(misbehaviour)) : answer.body();
  if (!isStaged(misbehaviour)) return Response.json(body);
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return new Response(split(stageBody(bytes, stage), stage), {
    headers: { 'content-type': 'application/json' },
  });
}

function sendRaw({ contentType, pieces }: RawAnswer, stage: Stage): Response {
  const headers = { 'content-type': contentType };
  if (!Array.isArray(pieces)) return new Response(split(stagePieces(pieces, stage), stage), { headers });
  const bytes = Buffer.concat(pieces);
  return isStaged(stage.misbehaviour)
    ? new Response(split(stageBody(bytes, stage), stage), { headers })
    : new Response(bytes, { headers });
}

/** Reports whether the faults need a whole answer to be sent in parts. */
const isStaged = ({
  stallAfter,
  cutAfter,
  malformedAfter,
  dripBytes,
  dripMs,
  splitUtf8,
}: Misbehaviour): boolean =>
  [stallAfter, cutAfter, malformedAfter, dripBytes, dripMs, splitUtf8].some(
    (setting) => setting !== undefined,
  );

/** Splits frames if the faults ask for it. */
function split(
  frames: AsyncGenerator<Uint8Array>,
  { misbehaviour, signal }: Stage,
): AsyncGenerator<Uint8Array> {
  const staysWhole = misbehaviour.dripBytes === undefined && !misbehaviour.splitUtf8;
  return staysWhole ? frames : splitFrames(frames, misbehaviour, signal);
}
