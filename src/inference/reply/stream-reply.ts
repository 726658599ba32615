import { isOwnError, type Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';
import type { BodyWriter, Reply } from '../../edge/http/reply.ts';
import { ReaderGone } from '../../edge/http/stream-body.ts';
import { stopping } from '../../edge/http/under-way.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import { SseSplitter } from '../../translation/framing/sse-splitter.ts';
import { AwsEventStream } from '../../translation/protocols/bedrock/aws-event-stream.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { HttpAnswer } from '../../upstream/http-client/http-answer.ts';
import { lateLossLine } from '../carriage/report-losses.ts';
import type { Inference } from '../request/inference.ts';
import type { BillableAnswer } from '../settlement/billable-answer.ts';
import { AnswerStream, type Splitter } from '../stream/answer-stream.ts';
import type { ReaderPace } from '../stream/reader-pace.ts';
import { WholeSplitter } from '../stream/whole-splitter.ts';
import { writeText } from '../stream/write-text.ts';
import type { BegunAnswer } from './begun-answer.ts';
import { settleAnswer } from './settle-answer.ts';

export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // A proxy that buffers whole answers would undo the streaming.
  'x-accel-buffering': 'no',
};

/** Returns the reply for a stream that has begun. */
export async function streamReply(begun: BegunAnswer): Promise<Reply | UpstreamFailure> {
  const stream = await beginStream(begun);
  if (!(stream instanceof AnswerStream)) return stream;
  noteFirstToken(begun.inference.exchange);
  return { status: 200, headers: streamHeaders, body: (writer) => sendStream(stream, begun, writer) };
}

export function noteFirstToken(exchange: Exchange): void {
  exchange.notes.firstTokenMs = performance.now() - exchange.startedAtMs;
}

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
    read: carriage.frameReader(),
    closingFrame: carriage.closingFrame,
    trace: trace?.isSampled ? trace : undefined,
  });
  const failure = await stream.begin();
  if (failure) return failure.forsaken ? { ...failure, forsaken: { usage: stream.usage } } : failure;
  attempt.firstByte();
  return stream;
}

const isWhole = ({ takesWholeAnswers }: Carriage, answer: HttpAnswer): boolean =>
  takesWholeAnswers === true && !(answer.get('content-type') ?? '').includes('text/event-stream');

const splitterOf = (wire: Wire): Splitter =>
  wire === 'bedrock-converse' ? new AwsEventStream() : new SseSplitter();

/**
 * Sends the stream. It runs to its end even if the client leaves: the rest is
 * read for its usage, and settled.
 */
async function sendStream(
  stream: AnswerStream,
  { inference, carriage, answer, attempt }: BegunAnswer,
  writer: BodyWriter,
): Promise<void> {
  const { exchange, tab, services, pace, estimate } = inference;
  const signal = waitingSignal(exchange);
  // What a crash ends is made again in the background and by retries, so the first attempt costs nothing.
  if (!estimate.isMetered && !inference.request.echo?.background && !exchange.recording?.isMadeAnew)
    tab.watch(() => estimate.soFar(stream.produced));
  let isInterrupted = false;
  const leave = services.open.add(() => {
    isInterrupted = true;
    answer.cancel();
  });
  try {
    const readerGone = await passOn(stream, writer, pace);
    if (signal.aborted || pace.hasLeft) await stream.readOn();
    leave();
    if (readerGone || signal.aborted) {
      attempt.end(stream.isWhole ? 'ok' : 'canceled');
      await settleAs('left', stream, inference);
      if (readerGone) throw readerGone;
      return;
    }
    if (stream.failure) {
      const failure = isInterrupted ? stream.failure : attempt.failed(stream.failure);
      attempt.end(isInterrupted ? 'canceled' : failure.outcome);
      const refusal = isInterrupted ? stopping() : failure.refusal;
      await closeAfterFailure(refusal, stream, inference);
      await writer.write(carriage.failureText(refusal));
      return;
    }
    attempt.end('ok');
    const closing = lateLossLine(exchange, carriage) + stream.closing;
    if (exchange.recording) await exchange.recording.keepStream(closing);
    const usage = estimate.soFar(stream.produced);
    const unsettled = await whySettlingFails(
      settleAnswer(inference, { usage, answer: stream.answer }),
      exchange,
    );
    if (unsettled) {
      exchange.recording?.drop();
      await tab.close();
    }
    await writeText(writer, unsettled ? carriage.failureText(unsettled) : closing);
  } finally {
    leave();
    attempt.end('canceled');
    stream.abandon();
  }
}

/** Settles a stream that did not reach its end, by a count of what was produced. */
async function settleAs(
  outcome: BillableAnswer['outcome'],
  stream: AnswerStream,
  inference: Inference,
): Promise<void> {
  const usage = await inference.estimate.counted(stream.produced);
  await settleAnswer(inference, { usage, answer: stream.answer, outcome });
}

/**
 * Closes the tab of a stream that has failed. The client pays only if its own request is at fault, and the
 * answer is not metered.
 */
async function closeAfterFailure(
  refusal: Refusal,
  stream: AnswerStream,
  inference: Inference,
): Promise<void> {
  const { exchange, tab, estimate } = inference;
  if (isOwnError(refusal) && !estimate.isMetered)
    await whySettlingFails(settleAs('failed', stream, inference), exchange);
  noteRefusal(exchange.notes, refusal);
  await tab.close();
}

/** Sends everything before the closing. Returns a marker if the client has left. */
async function passOn(
  stream: AnswerStream,
  writer: BodyWriter,
  pace: ReaderPace,
): Promise<ReaderGone | undefined> {
  try {
    for (;;) {
      const arriving = stream.next();
      const text = arriving instanceof Promise ? await arriving : arriving;
      if (text === undefined) return undefined;
      const taken = writeText(writer, text);
      if (taken) await pace.until(taken);
    }
  } catch (error) {
    if (error instanceof ReaderGone) return error;
    throw error;
  }
}

/** Returns the reason why settling failed, or undefined if the answer is settled. */
export async function whySettlingFails(
  settling: void | Promise<void>,
  exchange: Exchange,
): Promise<Refusal | undefined> {
  try {
    await settling;
    return undefined;
  } catch (error) {
    exchange.reportFailure(error);
    const refusal = refusalOfError(error);
    noteRefusal(exchange.notes, refusal);
    return refusal;
  }
}
