import { isOwnError, Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { WholeAnswer } from '../../translation/contract/whole-answer.ts';
import { settleAnswer } from '../reply/settle-answer.ts';
import { takeAnswer } from '../reply/unary-reply.ts';
import { allOrRefusal } from './all-or-refusal.ts';
import { askPart, MAX_OPEN_PARTS } from './ask-part.ts';
import { countedUsageOfParts, usageOfParts } from './part-usage.ts';
import type { RequestPart, SplitRequest } from './split-request.ts';

/** Requests the parts and joins their whole answers into one reply. */
export async function joinParts(split: SplitRequest): Promise<Reply | Refusal> {
  const { inference, severalAnswers, parts } = split;
  const answers = await allOrRefusal({
    items: parts,
    maxConcurrent: MAX_OPEN_PARTS,
    run: (part) => takePart(split, part),
    callOff: () => callOffUnlessLeft(split),
  });
  if (answers instanceof Refusal) return billFinished(split, answers);
  const usage = usageOfParts(parts);
  const texts = answers.map(({ text }) => text);
  const body = severalAnswers.join(texts, usage && inference.estimate.billed(usage));
  await settleAnswer(inference, { usage, body });
  return { status: 200, body, headers: { 'content-type': 'application/json' } };
}

/** After the client has left, the open answers are read to their end for their usage. */
function callOffUnlessLeft({ inference: { exchange }, callOff }: SplitRequest): void {
  if (!waitingSignal(exchange).aborted) callOff();
}

async function takePart(split: SplitRequest, part: RequestPart): Promise<WholeAnswer | Refusal> {
  const answer = await askPart(split, part, takeAnswer);
  if (answer instanceof Refusal) return answer;
  part.usage.finish(answer.usage);
  return 'bytes' in answer ? { text: new TextDecoder().decode(answer.bytes), usage: answer.usage } : answer;
}

/**
 * Bills the finished answers of a request that failed. A client that left, or whose request was at fault,
 * pays for them.
 */
async function billFinished(split: SplitRequest, refusal: Refusal): Promise<Refusal> {
  const { inference, parts } = split;
  const { exchange, unattended } = inference;
  if (!unattended && waitingSignal(exchange).aborted) {
    const usage = await countedUsageOfParts(parts);
    if (usage) await settleAnswer(inference, { usage });
    return refusal;
  }
  const finished = parts.filter(({ usage }) => usage.isFinished);
  if (!isOwnError(refusal) || finished.length === 0) return refusal;
  await settleAnswer(inference, { usage: usageOfParts(finished), outcome: 'failed' });
  const billed = `${finished.length} of the ${parts.length} answers were complete and are billed.`;
  return new Refusal(refusal.code, { ...refusal.details, message: `${refusal.message} ${billed}` });
}
