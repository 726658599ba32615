import type { Reply } from '../http/reply.ts';
import type { WholeAnswer } from '../protocols/dialect.ts';
import { RefusedAnswer } from '../protocols/refused-answer.ts';
import { failureOf, MAX_ANSWER_BYTES } from '../providers/upstream-caller.ts';
import { broken, refusedAnswer, type UpstreamFailure } from '../providers/upstream-failure.ts';
import type { Answering } from './answering.ts';

/** The whole answer at once. It leaves when its usage is settled. */
export async function unaryReply(answering: Answering): Promise<Reply | UpstreamFailure> {
  const made = await takeAnswer(answering);
  if (!('text' in made)) return made;
  const { exchange, settle } = answering;
  const settling = settle({ exchange, usage: made.usage, answer: made.answer, text: made.text });
  if (settling) await settling;
  return { status: 200, body: made.text, headers: { 'content-type': 'application/json' } };
}

/** A whole answer in the client's own words. */
export async function takeAnswer({
  carriage,
  answer,
  attempt,
}: Pick<Answering, 'carriage' | 'answer' | 'attempt'>): Promise<WholeAnswer | UpstreamFailure> {
  const text = await readWhole(answer);
  if (typeof text !== 'string') return text;
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

async function readWhole(answer: Answering['answer']): Promise<string | UpstreamFailure> {
  try {
    const reading = answer.readText(MAX_ANSWER_BYTES);
    const { text, isCut } = reading instanceof Promise ? await reading : reading;
    return isCut ? broken('an answer that is too large') : text;
  } catch (error) {
    return failureOf(error);
  }
}
