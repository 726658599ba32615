import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import { send } from '../../app/call.ts';
import { asProblem, Problem } from '../../app/problem.ts';
import type { AssistantTurn, Body } from './conversation.ts';
import type { PlaygroundDialect } from './dialects.ts';
import { serverEvents } from './server-events.ts';

/** The part of a request that the browser saw. */
export type Observed = {
  requestId: string | null;
  /** The time until the first part of the answer arrived. */
  firstPartMs: number | null;
  totalMs: number;
  queueMs: number | null;
  losses: readonly string[];
  isSimulated: boolean;
  stopReason: string | null;
  problem: Problem | null;
  wasStopped: boolean;
};

export type RunInput = {
  path: string;
  dialect: PlaygroundDialect;
  body: Body;
  names: PlaygroundOptions['headers'];
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Is called with the whole answer so far. */
  onAnswer(turn: AssistantTurn): void;
};

type Running = Omit<Observed, 'totalMs'>;

/** Sends a request and reads its answer. Never throws. */
export async function runRequest(input: RunInput): Promise<Observed> {
  const startedAt = performance.now();
  const run: Running = {
    requestId: null,
    firstPartMs: null,
    queueMs: null,
    losses: [],
    isSimulated: false,
    stopReason: null,
    problem: null,
    wasStopped: false,
  };
  try {
    const { path, body, headers, signal } = input;
    const answer = await send('POST', path, body, { signal, headers });
    noteHeaders(run, answer, input.names);
    await readAnswer(answer, input, () => {
      run.firstPartMs ??= performance.now() - startedAt;
    }).then((stopReason) => {
      run.stopReason = stopReason;
    });
  } catch (error) {
    if (input.signal.aborted) run.wasStopped = true;
    else run.problem = asProblem(error);
    run.requestId ??= run.problem?.requestId ?? null;
  }
  return { ...run, totalMs: performance.now() - startedAt };
}

function noteHeaders(run: Running, { headers }: Response, names: RunInput['names']): void {
  const queue = headers.get(names.queue_ms);
  run.requestId = headers.get(names.request_id);
  run.queueMs = queue === null ? null : Number(queue);
  run.losses = (headers.get(names.losses) ?? '').split(',').flatMap((loss) => loss.trim() || []);
  run.isSimulated = headers.get(names.simulated) !== null;
}

async function readAnswer(
  answer: Response,
  { dialect, onAnswer }: Pick<RunInput, 'dialect' | 'onAnswer'>,
  begun: () => void,
): Promise<string | null> {
  const reader = dialect.reader();
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    const whole = await answer.json();
    begun();
    onAnswer(reader.readWhole(whole));
    return reader.stopReason();
  }
  for await (const event of serverEvents(answer.body!)) {
    const failed = streamProblem(event);
    if (failed) throw failed;
    const turn = reader.readEvent(event);
    if (turn.text || turn.thinking || turn.calls.length > 0) begun();
    onAnswer(turn);
  }
  return reader.stopReason();
}

type Failure = {
  type?: string;
  /** A number in Gemini's dialect, which has the code in its details. */
  code?: string | number;
  message?: string;
  param?: string | null;
  details?: { metadata?: { code?: string } }[];
};
type FailedEvent = Failure & { error?: Failure; response?: { error?: Failure | null } };

function failureIn(event: FailedEvent): Failure | null | undefined {
  const { type, error, response } = event;
  if (error) return error;
  if (type === 'response.failed') return response?.error;
  return type === 'error' ? event : undefined;
}

/** Returns the error that a stream ended with, in the form of any dialect. */
function streamProblem(event: unknown): Problem | undefined {
  const failure = failureIn(event as FailedEvent);
  if (!failure) return undefined;
  return new Problem({
    status: 0,
    code: codeOf(failure),
    message: failure.message ?? 'The answer was cut off by an error.',
    param: failure.param ?? null,
  });
}

const codeOf = ({ code, type, details }: Failure): string =>
  details?.[0]?.metadata?.code ?? (typeof code === 'string' ? code : (type ?? 'stream_failed'));
