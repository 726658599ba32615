import { isOwnError, Refusal } from '../../base/errors/refusal.ts';
import type { OpenCall } from '../../upstream/calling/provider-activity.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { AnswerStream } from '../stream/answer-stream.ts';
import { beginStream } from '../stream/stream-reply.ts';
import { askPart } from './ask-part.ts';
import type { Parts } from './parts.ts';

/** `closing` is the text that ends the part. */
export type Step =
  | { text: string; index: number }
  | { closing: string; index: number }
  | { refusal: Refusal };

type Begun = { stream: AnswerStream; attempt: OpenCall };

/** Streams the answer to one part. The part's usage is up to date at any time. */
export async function* partSteps(parts: Parts, index: number): AsyncGenerator<Step, void> {
  const begun = await askPart<Begun>(parts, index, async ({ attempt, ...received }) => {
    const stream = await beginStream({ attempt, order: parts.order, ...received });
    return 'isFinal' in stream ? stream : { stream, attempt };
  });
  if (begun instanceof Refusal) {
    yield { refusal: begun };
    return;
  }
  const { stream, attempt } = begun;
  const usage = parts.usages[index]!;
  usage.follow(() => stream.produced);
  try {
    for (let text = await stream.next(); text !== undefined; text = await stream.next())
      yield { text, index };
    const failure =
      stream.failure && !parts.ends.either.aborted ? attempt.failed(stream.failure) : stream.failure;
    attempt.end(failure ? outcomeOf(parts, failure.outcome) : 'ok');
    if (failure && isFree(parts, failure)) usage.forget();
    yield failure ? { refusal: failure.refusal } : { closing: stream.closing, index };
  } finally {
    attempt.end('canceled');
    stream.abandon();
  }
}

/** A failure of the upstream costs nothing to a client that is still connected. */
const isFree = ({ order }: Parts, { refusal }: UpstreamFailure): boolean =>
  !isOwnError(refusal) && !order.exchange.request.signal.aborted && !order.pace.hasLeft;

const outcomeOf = ({ ends }: Parts, outcome: UpstreamFailure['outcome']) =>
  ends.either.aborted ? 'canceled' : outcome;
