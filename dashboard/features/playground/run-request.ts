import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import { send } from '../../app/call.ts';
import { asProblem, type Problem } from '../../app/problem.ts';
import type { AnswerReader } from './answer-reader.ts';
import type { AssistantTurn } from './conversation.ts';
import type { PlaygroundDialect } from './dialects.ts';
import type { RequestBody } from './request-body.ts';
import { serverEvents } from './server-events.ts';
import { streamProblem } from './stream-problem.ts';

/** The facts that the head of an answer has. */
type HeadFacts = {
  requestId: string | null;
  queueMs: number | null;
  losses: readonly string[];
  isSimulated: boolean;
};

/** The part of a request that the browser saw. */
export type Observed = HeadFacts & {
  /** The time until the first part of the answer arrived. */
  firstPartMs: number | null;
  totalMs: number;
  stopReason: string | null;
  problem: Problem | null;
  wasStopped: boolean;
};

type RunInput = {
  path: string;
  dialect: PlaygroundDialect;
  body: RequestBody;
  headerNames: PlaygroundOptions['headers'];
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Takes the whole answer so far after each event. */
  onAnswer(turn: AssistantTurn): void;
};

const nothingObserved: Omit<Observed, 'totalMs'> = {
  requestId: null,
  firstPartMs: null,
  queueMs: null,
  losses: [],
  isSimulated: false,
  stopReason: null,
  problem: null,
  wasStopped: false,
};

/** Sends a request and reads its answer. Never throws. */
export async function runRequest(input: RunInput): Promise<Observed> {
  const { path, body, headers, signal } = input;
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  let observed = nothingObserved;
  const reader = input.dialect.reader();
  try {
    const answer = await send('POST', path, body, { signal, headers });
    observed = { ...observed, ...headFacts(answer.headers, input.headerNames) };
    for await (const turn of readTurns(answer, reader)) {
      if (observed.firstPartMs === null && hasContent(turn))
        observed = { ...observed, firstPartMs: elapsedMs() };
      input.onAnswer(turn);
    }
    return { ...observed, stopReason: reader.stopReason(), totalMs: elapsedMs() };
  } catch (error) {
    if (signal.aborted) return { ...observed, wasStopped: true, totalMs: elapsedMs() };
    const problem = asProblem(error);
    const requestId = observed.requestId ?? problem.requestId;
    return { ...observed, requestId, problem, totalMs: elapsedMs() };
  }
}

/** Reports whether something of an answer has arrived. */
export const hasContent = ({ text, thinking, calls }: AssistantTurn): boolean =>
  text !== '' || thinking !== '' || calls.length > 0;

function headFacts(headers: Headers, names: RunInput['headerNames']): HeadFacts {
  const queueMs = headers.get(names.queue_ms);
  return {
    requestId: headers.get(names.request_id),
    queueMs: queueMs === null ? null : Number(queueMs),
    losses: (headers.get(names.losses) ?? '').split(',').flatMap((loss) => loss.trim() || []),
    isSimulated: headers.get(names.simulated) !== null,
  };
}

/** Returns the whole answer so far after each event of a stream, or once. Throws the error that ended it. */
async function* readTurns(answer: Response, reader: AnswerReader): AsyncGenerator<AssistantTurn> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    yield reader.readWhole(await answer.json());
    return;
  }
  for await (const event of serverEvents(answer.body!)) {
    const problem = streamProblem(event);
    if (problem) throw problem;
    yield reader.readEvent(event);
  }
}
