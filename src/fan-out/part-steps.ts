import { estimateUsage } from '../canonical/estimate-usage.ts';
import type { Usage } from '../canonical/usage.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Attempt } from '../providers/provider-activity.ts';
import type { UpstreamFailure } from '../providers/upstream-failure.ts';
import type { AnswerStream } from '../stream/answer-stream.ts';
import { beginStream } from '../stream/stream-reply.ts';
import { askPart, estimatePart } from './ask-part.ts';
import type { Parts } from './asked.ts';

/** `closing`: what the part ends with. */
export type Step = { text: string } | { closing: string } | { refusal: Refusal };

type Begun = { stream: AnswerStream; attempt: Attempt };

/** The streamed answer to one part. What it used is in `usages` when it has ended, however it did. */
export async function* partSteps(
  parts: Parts,
  index: number,
  usages: (Usage | undefined)[],
): AsyncGenerator<Step, void> {
  const begun = await askPart<Begun>(parts, index, async ({ attempt, ...received }) => {
    const stream = await beginStream({ attempt, ...received });
    return 'isFinal' in stream ? stream : { stream, attempt };
  });
  if (begun instanceof Refusal) {
    yield { refusal: begun };
    return;
  }
  const { stream, attempt } = begun;
  const count = () => {
    const { usage: reported, saidLength, isWhole } = stream;
    const estimateInput = () => estimatePart(parts);
    usages[index] = estimateUsage({ reported, saidLength, isWhole, estimateInput });
  };
  try {
    for (let text = await stream.next(); text !== undefined; text = await stream.next()) yield { text };
    count();
    const { failure } = stream;
    attempt.end(failure ? outcomeOf(parts, failure.outcome) : 'ok');
    yield failure ? { refusal: failure.refusal } : { closing: stream.closing };
  } finally {
    count();
    attempt.end('canceled');
    stream.abandon();
  }
}

const outcomeOf = ({ signal }: Parts, outcome: UpstreamFailure['outcome']) =>
  signal.aborted ? 'canceled' : outcome;
