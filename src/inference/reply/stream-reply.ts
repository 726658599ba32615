import { isOwnError, type Refusal } from '../../base/errors/refusal.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';
import { ReaderGone } from '../../edge/http/reader-gone.ts';
import type { BodyWriter, Reply } from '../../edge/http/reply.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import { lateLossLine } from '../carriage/report-losses.ts';
import type { Inference } from '../request/inference.ts';
import type { BillableAnswer } from '../settlement/billable-answer.ts';
import { AnswerStream } from '../stream/answer-stream.ts';
import type { ReaderPace } from '../stream/reader-pace.ts';
import { writeText } from '../stream/write-text.ts';
import { beginStream } from './begin-stream.ts';
import type { BegunAnswer } from './begun-answer.ts';
import { endFailedAttempt } from './end-failed-attempt.ts';
import { noteFirstToken } from './note-first-token.ts';
import { settleAnswer } from './settle-answer.ts';
import { settleOrRefuse } from './settle-or-refuse.ts';
import { streamHeaders } from './stream-headers.ts';

/** Returns the reply for a stream that has begun. */
export async function streamReply(begun: BegunAnswer): Promise<Reply | UpstreamFailure> {
  const stream = await beginStream(begun);
  if (!(stream instanceof AnswerStream)) return stream;
  noteFirstToken(begun.inference.exchange);
  return { status: 200, headers: streamHeaders, body: (writer) => sendStream(stream, begun, writer) };
}

/**
 * Sends the stream. It runs to its end even if the client leaves: the rest is read for its usage, and
 * settled.
 */
async function sendStream(stream: AnswerStream, begun: BegunAnswer, writer: BodyWriter): Promise<void> {
  const { inference, carriage, answer, attempt } = begun;
  const { exchange, tab, services, pace, estimate } = inference;
  const signal = waitingSignal(exchange);
  if (isChargedAfterCrash(inference)) tab.watch(() => estimate.soFar(stream.produced));
  let isInterrupted = false;
  const leave = services.open.add(() => {
    isInterrupted = true;
    answer.cancel();
  });
  try {
    const readerGone = await passOn(stream, writer, pace);
    if (signal.aborted || pace.hasLeft) await stream.readOn();
    leave();
    if (readerGone || signal.aborted) return await endLeft(stream, begun, readerGone);
    if (stream.failure) {
      const refusal = endFailedAttempt(attempt, stream.failure, { isInterrupted });
      await closeAfterFailure(refusal, stream, inference);
      await writer.write(carriage.failureText(refusal));
      return;
    }
    attempt.end('ok');
    const closing = lateLossLine(exchange, carriage) + stream.closing;
    if (exchange.recording) await exchange.recording.keepStream(closing);
    const usage = estimate.soFar(stream.produced);
    const unsettled = await settleOrRefuse(
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

/**
 * Reports whether the text up to a crash is charged. An answer that is made again, in the background or for a
 * retry, is charged for its last attempt only.
 */
const isChargedAfterCrash = ({ estimate, request, exchange }: Inference): boolean =>
  !estimate.isMetered && !request.echo?.background && !exchange.recording?.isMadeAnew;

/** Settles a stream whose client has left. Throws if a write has shown that. */
async function endLeft(
  stream: AnswerStream,
  { inference, attempt }: BegunAnswer,
  readerGone: ReaderGone | undefined,
): Promise<void> {
  attempt.end(stream.isWhole ? 'ok' : 'canceled');
  await settleAs('left', stream, inference);
  if (readerGone) throw readerGone;
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
    await settleOrRefuse(settleAs('failed', stream, inference), exchange);
  noteRefusal(exchange.notes, refusal);
  await tab.close();
}

/** Sends everything before the closing. Returns `ReaderGone` if the client has left. */
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
