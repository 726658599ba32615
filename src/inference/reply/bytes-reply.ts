import type { Refusal } from '../../base/errors/refusal.ts';
import { bookingOf } from '../../edge/http/hold-memory.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';
import { ReaderGone } from '../../edge/http/reader-gone.ts';
import type { BodyWriter, Reply } from '../../edge/http/reply.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { BytesReader } from '../../translation/contract/bytes-reader.ts';
import { failureOf } from '../../upstream/calling/failure-of.ts';
import { connectionFailure } from '../../upstream/calling/failures.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import { NoMemoryForAnswer } from '../../upstream/http-client/http-answer.ts';
import type { BegunAnswer } from './begun-answer.ts';
import { endFailedAttempt } from './end-failed-attempt.ts';
import { noteFirstToken } from './note-first-token.ts';
import { settleAnswer } from './settle-answer.ts';
import { settleOrRefuse } from './settle-or-refuse.ts';

type Piece = Uint8Array<ArrayBuffer>;
type Reading = BegunAnswer & { reader: BytesReader };

/** Returns the reply for an answer of bytes, such as speech, once its first piece has arrived. */
export async function bytesReply(begun: BegunAnswer): Promise<Reply | UpstreamFailure> {
  const { answer, attempt, carriage, inference } = begun;
  const type = answer.get('content-type') ?? '';
  const reading = { ...begun, reader: carriage.bytesReader!(type) };
  try {
    const first = await nextPiece(reading);
    if (first === undefined) return connectionFailure('the answer is empty');
    attempt.firstByte();
    noteFirstToken(inference.exchange);
    const headers = { 'content-type': plainType(type), 'cache-control': 'no-cache, no-transform' };
    return { status: 200, headers, body: (writer) => sendBytes(first, reading, writer) };
  } catch (error) {
    return failed(error, reading);
  }
}

/** A parameter of the type could name the host. */
const plainType = (type: string): string => type.split(';')[0]!.trim().toLowerCase();

function failed(error: unknown, { answer }: Reading): UpstreamFailure {
  answer.cancel();
  return failureOf(error);
}

/** Reads the next piece, or returns undefined at the end of the answer. */
async function nextPiece({ answer, reader, inference }: Reading): Promise<Piece | undefined> {
  for (;;) {
    const piece = await answer.read();
    if (piece === undefined) return undefined;
    if (piece.byteLength === 0) continue;
    if (
      reader.keeps &&
      !(await bookingOf(inference.exchange, inference.services.routing.memory).grow(piece.byteLength))
    )
      throw new NoMemoryForAnswer();
    reader.take(piece);
    if (reader.byteLength > answer.maxBytes) throw new RangeError('the answer exceeds the size limit');
    return piece as Piece; // no piece is in shared memory
  }
}

/** Sends the answer while it arrives. Its last byte waits until it is settled. */
async function sendBytes(first: Piece, reading: Reading, writer: BodyWriter): Promise<void> {
  const { inference, answer, attempt, reader } = reading;
  const { exchange, services } = inference;
  let isInterrupted = false;
  const leave = services.open.add(() => {
    isInterrupted = true;
    answer.cancel();
  });
  try {
    const passed = await passOn(first, reading, writer);
    leave();
    if ('last' in passed) {
      attempt.end('ok');
      const unsettled = await settleOrRefuse(settleAnswer(inference, { usage: reader.usage() }), exchange);
      if (unsettled) return await breakOff(unsettled, reading);
      await writer.write(passed.last);
    } else if ('gone' in passed) {
      attempt.end('canceled');
      await settleAnswer(inference, { usage: reader.usage(), outcome: 'left' });
      throw passed.gone;
    } else await breakOff(endFailedAttempt(attempt, passed.failure, { isInterrupted }), reading);
  } finally {
    leave();
    attempt.end('canceled');
    answer.cancel();
  }
}

type PassOutcome = { last: Piece } | { gone: unknown } | { failure: UpstreamFailure };

/**
 * Sends everything but the last byte. A player may need all that has arrived, so no more than that is held
 * back.
 */
async function passOn(first: Piece, reading: Reading, writer: BodyWriter): Promise<PassOutcome> {
  const { pace, exchange } = reading.inference;
  let held = first.subarray(0, 0);
  try {
    for (let piece: Piece | undefined = first; piece; piece = await nextPiece(reading)) {
      const ready = held.byteLength === 0 ? piece : Buffer.concat([held, piece]);
      held = ready.subarray(-1);
      const taken = ready.byteLength > 1 && writer.write(ready.subarray(0, -1));
      if (taken) await pace.until(taken);
    }
    return { last: held };
  } catch (error) {
    if (error instanceof ReaderGone || waitingSignal(exchange).aborted) return { gone: error };
    return { failure: failed(error, reading) };
  }
}

/** Closes the connection, because bytes have no place for an error. The answer then costs nothing. */
async function breakOff(refusal: Refusal, { inference: { exchange, tab } }: Reading): Promise<never> {
  noteRefusal(exchange.notes, refusal);
  await tab.close();
  throw refusal;
}
