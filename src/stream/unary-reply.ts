import type { Reply } from '../http/reply.ts';
import { failureOf } from '../providers/call-upstream.ts';
import { broken, type UpstreamFailure } from '../providers/upstream-failure.ts';
import type { Answering } from './answering.ts';

/** The whole answer at once. It leaves when its usage is settled. */
export async function unaryReply({
  exchange,
  dialect,
  label,
  answer,
  attempt,
  settle,
}: Answering): Promise<Reply | UpstreamFailure> {
  const text = await readWhole(answer);
  if (typeof text !== 'string') return text;
  let patched: ReturnType<typeof dialect.patchAnswer>;
  try {
    patched = dialect.patchAnswer(text, label);
  } catch (error) {
    return broken(error);
  }
  attempt.firstByte();
  attempt.end('ok');
  const settling = settle({ exchange, usage: patched.usage });
  if (settling) await settling;
  return { status: 200, body: patched.text, headers: { 'content-type': 'application/json' } };
}

async function readWhole({ response, deadline }: Answering['answer']): Promise<string | UpstreamFailure> {
  try {
    return await response.text();
  } catch (error) {
    return failureOf(error, deadline);
  } finally {
    deadline.close();
  }
}
