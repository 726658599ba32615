import type { Usage } from '../canonical/usage.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Attempt } from '../providers/provider-activity.ts';
import type { AnswerStream } from '../stream/answer-stream.ts';
import { beginStream } from '../stream/stream-reply.ts';
import { askPart } from './ask-part.ts';
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
  const texts = stream.open();
  try {
    let next = await texts.next();
    for (; !next.done; next = await texts.next()) yield { text: next.value };
    usages[index] = stream.usage;
    attempt.end(next.value ? outcomeOf(parts, next.value.outcome) : 'ok');
    yield next.value ? { refusal: next.value.refusal } : { closing: stream.closing };
  } finally {
    usages[index] = stream.usage;
    attempt.end('canceled');
    stream.abandon();
  }
}

const outcomeOf = ({ signal }: Parts, outcome: 'error' | 'timeout') =>
  signal.aborted ? 'canceled' : outcome;
