import type { Reply } from '../http/reply.ts';
import { RefusedAnswer } from '../protocols/refused-answer.ts';
import { failureOf } from '../providers/call-upstream.ts';
import { readBounded } from '../providers/read-bounded.ts';
import { broken, refusedAnswer, type UpstreamFailure } from '../providers/upstream-failure.ts';
import type { Answering } from './answering.ts';

/** The whole answer at once. It leaves when its usage is settled. */
export async function unaryReply({
  exchange,
  carriage,
  answer,
  attempt,
  settle,
}: Answering): Promise<Reply | UpstreamFailure> {
  const text = await readWhole(answer);
  if (typeof text !== 'string') return text;
  let made: ReturnType<typeof carriage.readAnswer>;
  try {
    made = carriage.readAnswer(text);
  } catch (error) {
    if (error instanceof RefusedAnswer) return refusedAnswer(error.refusal);
    return broken(error);
  }
  attempt.firstByte();
  attempt.end('ok');
  const settling = settle({ exchange, usage: made.usage });
  if (settling) await settling;
  return { status: 200, body: made.text, headers: { 'content-type': 'application/json' } };
}

async function readWhole({ response, deadline }: Answering['answer']): Promise<string | UpstreamFailure> {
  try {
    return await readBounded(response);
  } catch (error) {
    deadline.abort();
    return failureOf(error, deadline);
  } finally {
    deadline.close();
  }
}
