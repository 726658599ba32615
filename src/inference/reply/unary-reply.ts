import { isTooDeep } from '../../base/json/is-too-deep.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { LargeAnswer } from '../../translation/contract/large-answer.ts';
import type { WholeAnswer } from '../../translation/contract/whole-answer.ts';
import { failureOf } from '../../upstream/calling/failure-of.ts';
import { connectionFailure } from '../../upstream/calling/failures.ts';
import type { OpenCall } from '../../upstream/calling/open-call.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { AnswerPieces, WholeBody } from '../../upstream/http-client/http-answer.ts';
import { failureInAnswer } from '../stream/failure-in-answer.ts';
import { sendLarge } from '../stream/send-large.ts';
import type { BegunAnswer } from './begun-answer.ts';
import { settleAnswer } from './settle-answer.ts';

/** Returns a whole answer in one piece, after its usage is settled. */
export async function unaryReply(begun: BegunAnswer): Promise<Reply | UpstreamFailure> {
  const taking = takeAnswer(begun);
  const answer = taking instanceof Promise ? await taking : taking;
  if ('isFinal' in answer) return answer;
  const isLarge = 'bytes' in answer;
  const body = isLarge ? answer.bytes : answer.text;
  await settleAnswer(begun.inference, { usage: answer.usage, answer: answer.answer, body });
  return {
    status: 200,
    body: isLarge ? sendLarge(answer.bytes) : answer.text,
    headers: { 'content-type': answer.contentType ?? 'application/json' },
  };
}

type UnaryOutcome = WholeAnswer | LargeAnswer | UpstreamFailure;

/**
 * Reads a whole answer and converts it for the client. The result is synchronous if the answer came with its
 * head.
 */
export function takeAnswer(begun: BegunAnswer): MaybeLater<UnaryOutcome> {
  return andThen<Whole, UnaryOutcome>(readWhole(begun.answer), (whole) =>
    typeof whole === 'object' && 'pieces' in whole
      ? makeLarge(whole.pieces, begun)
      : makeAnswer(whole, begun),
  );
}

async function makeLarge(
  pieces: Uint8Array[],
  { carriage, attempt, inference }: BegunAnswer,
): Promise<LargeAnswer | UpstreamFailure> {
  const { exchange, services } = inference;
  try {
    const answer = await services.largeAnswers.read(exchange.accountId ?? '', pieces, carriage.orderLarge!);
    endCall(attempt);
    return answer;
  } catch (error) {
    return failureInAnswer(error);
  }
}

function makeAnswer(
  text: string | UpstreamFailure,
  { carriage, attempt, inference }: BegunAnswer,
): WholeAnswer | UpstreamFailure {
  if (typeof text !== 'string') return text;
  if (carriage.answerForm === undefined && isTooDeep(text))
    return connectionFailure('the answer is nested too deep');
  try {
    const answer = carriage.readAnswer(text);
    const { trace } = inference.exchange;
    if (trace?.isSampled) trace.read(answer.text);
    endCall(attempt);
    return answer;
  } catch (error) {
    return failureInAnswer(error);
  }
}

function endCall(attempt: OpenCall): void {
  attempt.firstByte();
  attempt.end('ok');
}

type Whole = string | AnswerPieces | UpstreamFailure;

function readWhole(answer: BegunAnswer['answer']): MaybeLater<Whole> {
  const reading = answer.readWhole();
  return reading instanceof Promise ? reading.then(wholeOf, failureOf) : wholeOf(reading);
}

function wholeOf(body: WholeBody): Whole {
  if ('pieces' in body) return body;
  return body.isCut ? connectionFailure('the answer is too large') : body.text;
}
