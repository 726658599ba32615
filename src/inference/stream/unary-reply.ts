import { isTooDeep } from '../../base/json/is-too-deep.ts';
import { after, type MaybeLater } from '../../base/lib/after.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Carriage, WholeAnswer } from '../../translation/protocols/dialect.ts';
import { RefusedAnswer } from '../../translation/protocols/refused-answer.ts';
import type { Attempt } from '../../upstream/calling/provider-activity.ts';
import { failureOf } from '../../upstream/calling/upstream-caller.ts';
import { broken, refusedAnswer, type UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { AnswerText } from '../../upstream/http-client/http-answer.ts';
import type { Answering } from './answering.ts';

/** The whole answer at once. It leaves when its usage is settled. */
export async function unaryReply(answering: Answering): Promise<Reply | UpstreamFailure> {
  const taking = takeAnswer(answering);
  const made = taking instanceof Promise ? await taking : taking;
  if (!('text' in made)) return made;
  const { exchange, settle } = answering.asked;
  const settling = settle({ exchange, usage: made.usage, answer: made.answer, text: made.text });
  if (settling) await settling;
  return { status: 200, body: made.text, headers: { 'content-type': 'application/json' } };
}

/** A whole answer in the client's own words; at once where it is there already, as it is when it came with its head. */
export function takeAnswer({
  carriage,
  answer,
  attempt,
}: Pick<Answering, 'carriage' | 'answer' | 'attempt'>): MaybeLater<WholeAnswer | UpstreamFailure> {
  return after(readWhole(answer), (text) => makeAnswer(text, carriage, attempt));
}

function makeAnswer(
  text: string | UpstreamFailure,
  carriage: Carriage,
  attempt: Attempt,
): WholeAnswer | UpstreamFailure {
  if (typeof text !== 'string') return text;
  if (isTooDeep(text)) return broken('an answer that is nested too deep');
  try {
    const made = carriage.readAnswer(text);
    attempt.firstByte();
    attempt.end('ok');
    return made;
  } catch (error) {
    if (error instanceof RefusedAnswer) return refusedAnswer(error.refusal);
    return broken(error);
  }
}

function readWhole(answer: Answering['answer']): MaybeLater<string | UpstreamFailure> {
  const reading = answer.readText();
  return reading instanceof Promise ? reading.then(wholeText, failureOf) : wholeText(reading);
}

const wholeText = ({ text, isCut }: AnswerText): string | UpstreamFailure =>
  isCut ? broken('an answer that is too large') : text;
