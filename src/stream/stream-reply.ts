import { estimateUsage } from '../canonical/estimate-usage.ts';
import type { Wire } from '../canonical/wire.ts';
import { refusalOfError } from '../errors/refusal-of-error.ts';
import type { BodyWriter, Reply } from '../http/reply.ts';
import { stopping } from '../http/under-way.ts';
import { AwsEventStream } from '../protocols/bedrock/aws-event-stream.ts';
import type { UpstreamFailure } from '../providers/upstream-failure.ts';
import { AnswerStream, type Splitter } from './answer-stream.ts';
import type { Answering } from './answering.ts';
import { SseSplitter } from './sse-splitter.ts';

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // Proxies that collect answers before passing them on would undo the streaming.
  'x-accel-buffering': 'no',
};

/** A stream that has begun. */
export async function streamReply(answering: Answering): Promise<Reply | UpstreamFailure> {
  const stream = await beginStream(answering);
  if (!(stream instanceof AnswerStream)) return stream;
  return { status: 200, headers: streamHeaders, body: (writer) => sendStream(stream, answering, writer) };
}

/** The stream from where the answer itself has begun. */
export async function beginStream({
  carriage,
  answer,
  attempt,
}: Pick<Answering, 'carriage' | 'answer' | 'attempt'>): Promise<AnswerStream | UpstreamFailure> {
  const stream = new AnswerStream({
    answer,
    splitter: splitterOf(carriage.wire),
    read: carriage.frameReader(),
    closingFrame: carriage.closingFrame,
  });
  const failure = await stream.begin();
  if (failure) return failure;
  attempt.firstByte();
  return stream;
}

const splitterOf = (wire: Wire): Splitter =>
  wire === 'bedrock-converse' ? new AwsEventStream() : new SseSplitter();

/** Runs to its end even when the client leaves: then what was produced until then is settled. */
async function sendStream(
  stream: AnswerStream,
  { asked: { exchange, settle, watch, open, estimateInput }, carriage, answer, attempt }: Answering,
  writer: BodyWriter,
): Promise<void> {
  const usageSoFar = () => {
    const { usage: reported, saidLength, isWhole } = stream;
    return estimateUsage({ reported, saidLength, isWhole, estimateInput });
  };
  let settled = false;
  const settleOnce = async () => {
    if (settled) return;
    settled = true;
    await settle({ exchange, usage: usageSoFar(), answer: stream.answer });
  };
  watch.watch(usageSoFar);
  let isInterrupted = false;
  const leave = open.add(() => {
    isInterrupted = true;
    answer.cancel();
  });
  try {
    for (let text = await stream.next(); text !== undefined; text = await stream.next()) {
      const taken = writer.write(text);
      if (taken) await taken;
    }
    leave();
    if (exchange.request.signal.aborted) return; // nobody listens: what was produced is settled below
    if (stream.failure) {
      settled = true; // a stream that the upstream or our own stop broke costs nothing
      attempt.end(isInterrupted ? 'canceled' : stream.failure.outcome);
      const refusal = isInterrupted ? stopping() : stream.failure.refusal;
      exchange.notes.errorCode = refusal.code;
      await writer.write(carriage.failureText(refusal));
      return;
    }
    attempt.end('ok');
    const unsettled = await settleOnce().catch((error: unknown) => {
      exchange.failed(error);
      return refusalOfError(error);
    });
    if (unsettled) exchange.notes.errorCode = unsettled.code;
    await writer.write(unsettled ? carriage.failureText(unsettled) : stream.closing);
  } finally {
    leave();
    attempt.end('canceled');
    await settleOnce();
    stream.abandon();
  }
}
