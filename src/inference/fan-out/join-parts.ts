import { isOwnError, Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { WholeAnswer } from '../../translation/contract/whole-answer.ts';
import { settleAnswer } from '../reply/settle-answer.ts';
import { takeAnswer } from '../reply/unary-reply.ts';
import { allOrRefusal } from './all-or-refusal.ts';
import { AT_A_TIME, askPart } from './ask-part.ts';
import { countAll, sumOf } from './part-usage.ts';
import type { SplitRequest } from './split-request.ts';

/** Requests the parts and joins their whole answers into one reply. */
export async function joinParts(split: SplitRequest): Promise<Reply | Refusal> {
  const { inference, several, requests, usages } = split;
  const answers = await allOrRefusal<WholeAnswer>({
    count: requests.length,
    maxConcurrent: AT_A_TIME,
    run: (index) => takePart(split, index),
    callOff: () => callOffUnlessLeft(split),
  });
  if (answers instanceof Refusal) return billFinished(split, answers);
  const [first, ...others] = answers.map(({ text }) => text) as [string, ...string[]];
  const usage = sumOf(usages.map(({ soFar }) => soFar));
  const body = several.join([first, ...others], usage && inference.estimate.billed(usage));
  await settleAnswer(inference, { usage, body });
  return { status: 200, body, headers: { 'content-type': 'application/json' } };
}

/** After the client has left, the open answers are read to their end for their usage. */
function callOffUnlessLeft({ inference: { exchange }, callOff }: SplitRequest): void {
  if (!waitingSignal(exchange).aborted) callOff();
}

async function takePart(split: SplitRequest, index: number): Promise<WholeAnswer | Refusal> {
  const answer = await askPart(split, index, takeAnswer);
  if (answer instanceof Refusal) return answer;
  split.usages[index]!.finish(answer.usage);
  return 'bytes' in answer ? { text: new TextDecoder().decode(answer.bytes), usage: answer.usage } : answer;
}

/**
 * Bills the finished answers of a request that failed.
 * A client that left, or whose request was at fault, pays for them.
 */
async function billFinished(split: SplitRequest, refusal: Refusal): Promise<Refusal> {
  const { inference, usages } = split;
  const { exchange, unattended } = inference;
  if (!unattended && waitingSignal(exchange).aborted) {
    const usage = await countAll(usages);
    if (usage) await settleAnswer(inference, { usage });
    return refusal;
  }
  const finished = usages.filter(({ isFinished }) => isFinished);
  if (!isOwnError(refusal) || finished.length === 0) return refusal;
  await settleAnswer(inference, { usage: sumOf(finished.map(({ soFar }) => soFar)), outcome: 'failed' });
  const billed = `${finished.length} of the ${usages.length} answers were complete and are billed.`;
  return new Refusal(refusal.code, { ...refusal.details, message: `${refusal.message} ${billed}` });
}
