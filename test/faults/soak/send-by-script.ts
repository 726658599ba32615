import type { SimulatorEvent } from '../../../src/simulator/model/stream-event.ts';
import type { SimulatorAnswer, SimulatorWire } from '../../../src/simulator/model/wire.ts';
import type { Misbehaviour } from '../../../src/simulator/serving/misbehaviour.ts';
import { sendAnswer, sendFailure } from '../../../src/simulator/serving/send-answer.ts';
import { wait } from '../../../src/simulator/serving/wait.ts';
import type { Fault, Script } from './draw-request.ts';
import type { UpstreamCall } from './upstream-call.ts';

/** The faults that are an error status in place of an answer. */
const refusals: Partial<Record<Fault, { status: number; retryAfter?: string }>> = {
  'status-500': { status: 500 },
  'status-429': { status: 429, retryAfter: '0.2' },
  'status-400': { status: 400 },
};
/** The simulator's name of each other fault. Faults with a position follow that number of events. */
const misbehaviours: Partial<Record<Fault, (after: number) => Misbehaviour>> = {
  cut: (cutAfter) => ({ cutAfter }),
  stall: (stallAfter) => ({ stallAfter }),
  malformed: (malformedAfter) => ({ malformedAfter }),
  'error-400': (errorAfter) => ({ errorAfter, errorStatus: 400 }),
  'error-500': (errorAfter) => ({ errorAfter, errorStatus: 500 }),
  'slow-drip': () => ({ dripBytes: 48, dripMs: 4 }),
  'html-page': () => ({ contentType: 'text/html' }),
};
/** The faults that leave a whole answer invalid. */
const breaksWhole: ReadonlySet<Fault> = new Set([
  'cut',
  'stall',
  'malformed',
  'error-400',
  'error-500',
  'html-page',
]);
/** A slow whole answer is sent this much later. If it dripped, its call would end before its last byte. */
const SLOW_WHOLE_MS = 500;

type ScriptedAnswer = {
  wire: SimulatorWire;
  signal: AbortSignal;
  call: UpstreamCall;
  answer: SimulatorAnswer;
  /** The events of the answer as a stream. */
  events: readonly SimulatorEvent[];
  /** The time in which a whole answer is written. */
  writingMs: number;
  fault: Script['fault'];
  pauseMs: number;
};

/** Answers at the script's pace and with its fault. The call records everything that is sent. */
export async function sendByScript(sending: ScriptedAnswer): Promise<Response> {
  const { wire, call, fault } = sending;
  const refusal = fault && refusals[fault.kind];
  if (!refusal) return sending.answer.streamed ? sendStream(sending) : sendWhole(sending);
  call.end('failed');
  const { status } = refusal;
  return sendFailure(wire, { status, message: `The script asks for status ${status}.` }, refusal);
}

async function sendWhole({
  wire,
  signal,
  call,
  answer,
  writingMs,
  fault,
}: ScriptedAnswer): Promise<Response> {
  const isSlow = fault?.kind === 'slow-drip';
  await wait(writingMs + (isSlow ? SLOW_WHOLE_MS : 0), signal);
  if (fault && breaksWhole.has(fault.kind)) call.end('failed');
  else {
    call.begin();
    call.end(signal.aborted ? 'closed' : 'complete');
  }
  const misbehaviour = isSlow ? {} : misbehaviourOf(fault, 1);
  return sendAnswer(answer, { ...stageOf(wire, signal), misbehaviour });
}

function sendStream({ wire, signal, call, answer, events, fault, pauseMs }: ScriptedAnswer): Response {
  if (fault?.kind === 'html-page') call.end('failed');
  call.begin();
  const after = fault ? Math.max(1, Math.floor(fault.at * (events.length - 1))) : 0;
  const watched = { ...answer, events: () => call.watch(events) };
  return sendAnswer(watched, {
    ...stageOf(wire, signal),
    misbehaviour: { dripMs: pauseMs, ...misbehaviourOf(fault, after) },
    beforeFault: async () => call.end('failed'),
  });
}

const stageOf = (wire: SimulatorWire, signal: AbortSignal) => ({
  wire,
  signal,
  tokensPerSecond: Number.POSITIVE_INFINITY,
});

const misbehaviourOf = (fault: Script['fault'], after: number): Misbehaviour =>
  (fault && misbehaviours[fault.kind]?.(after)) ?? {};
