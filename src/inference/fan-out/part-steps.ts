import { isOwnError, Refusal } from '../../base/errors/refusal.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { OpenCall } from '../../upstream/calling/open-call.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import { beginStream } from '../reply/begin-stream.ts';
import type { AnswerStream } from '../stream/answer-stream.ts';
import { askPart } from './ask-part.ts';
import type { RequestPart, SplitRequest } from './split-request.ts';

/** `closing` is the text that ends the part. */
export type PartStep =
  | { text: string; index: number }
  | { closing: string; index: number }
  | { refusal: Refusal };

type Begun = { stream: AnswerStream; attempt: OpenCall };

/** Streams the answer to one part. The part's usage is up to date at any time. */
export async function* partSteps(split: SplitRequest, part: RequestPart): AsyncGenerator<PartStep, void> {
  const { index, usage } = part;
  const begun = await askPart<Begun>(split, part, async (answer) => {
    const stream = await beginStream(answer);
    return 'isFinal' in stream ? stream : { stream, attempt: answer.attempt };
  });
  if (begun instanceof Refusal) {
    yield { refusal: begun };
    return;
  }
  const { stream, attempt } = begun;
  usage.follow(() => stream.produced);
  try {
    for (let text = await stream.next(); text !== undefined; text = await stream.next())
      yield { text, index };
    const failure =
      stream.failure && !split.endSignals.either.aborted ? attempt.failed(stream.failure) : stream.failure;
    attempt.end(failure ? outcomeOf(split, failure.outcome) : 'ok');
    if (failure && isFree(split, failure)) usage.forget();
    yield failure ? { refusal: failure.refusal } : { closing: stream.closing, index };
  } finally {
    attempt.end('canceled');
    stream.abandon();
  }
}

/** A failure of the upstream costs nothing to a client that is still connected. */
const isFree = ({ inference }: SplitRequest, { refusal }: UpstreamFailure): boolean =>
  !isOwnError(refusal) && !waitingSignal(inference.exchange).aborted && !inference.pace.hasLeft;

const outcomeOf = ({ endSignals }: SplitRequest, outcome: UpstreamFailure['outcome']) =>
  endSignals.either.aborted ? 'canceled' : outcome;
