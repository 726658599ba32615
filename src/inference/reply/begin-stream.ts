import type { Wire } from '../../translation/canonical/wire.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import { SseSplitter } from '../../translation/framing/sse-splitter.ts';
import { AwsEventStream } from '../../translation/protocols/bedrock/aws-event-stream.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { HttpAnswer } from '../../upstream/http-client/http-answer.ts';
import { AnswerStream, type Splitter } from '../stream/answer-stream.ts';
import { WholeSplitter } from '../stream/whole-splitter.ts';
import type { BegunAnswer } from './begun-answer.ts';

/** Returns the stream once the answer itself has begun. */
export async function beginStream({
  inference,
  carriage,
  answer,
  attempt,
}: BegunAnswer): Promise<AnswerStream | UpstreamFailure> {
  const { trace } = inference.exchange;
  const stream = new AnswerStream({
    answer,
    splitter: isWhole(carriage, answer) ? new WholeSplitter() : splitterOf(carriage.wire),
    reader: carriage.frameReader(),
    closingFrame: carriage.closingFrame,
    trace: trace?.isSampled ? trace : undefined,
  });
  const failure = await stream.begin();
  if (failure) return failure.abandoned ? { ...failure, abandoned: { usage: stream.usage } } : failure;
  attempt.firstByte();
  return stream;
}

/** Reports whether a whole answer has come in place of a stream. */
const isWhole = ({ takesWholeAnswers }: Carriage, answer: HttpAnswer): boolean =>
  takesWholeAnswers === true && !(answer.get('content-type') ?? '').includes('text/event-stream');

const splitterOf = (wire: Wire): Splitter =>
  wire === 'bedrock-converse' ? new AwsEventStream() : new SseSplitter();
