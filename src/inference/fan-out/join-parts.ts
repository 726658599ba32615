import { isOwnError, Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { WholeAnswer } from '../../translation/contract/dialect.ts';
import { takeAnswer } from '../stream/unary-reply.ts';
import { allOrRefusal } from './all-or-refusal.ts';
import { AT_A_TIME, askPart } from './ask-part.ts';
import { countAll, sumOf } from './part-usage.ts';
import type { Parts } from './parts.ts';

/** Requests the parts and joins their whole answers into one reply. */
export async function joinParts(parts: Parts): Promise<Reply | Refusal> {
  const { order, several, requests, usages } = parts;
  const answers = await allOrRefusal<WholeAnswer>({
    count: requests.length,
    most: AT_A_TIME,
    run: (index) => takePart(parts, index),
    callOff: () => callOffUnlessLeft(parts),
  });
  if (answers instanceof Refusal) return billFinished(parts, answers);
  const [first, ...others] = answers.map(({ text }) => text) as [string, ...string[]];
  const usage = sumOf(usages.map(({ soFar }) => soFar));
  const body = several.join([first, ...others], usage && order.estimate.billed(usage));
  await order.settle({ exchange: order.exchange, usage, body });
  return { status: 200, body, headers: { 'content-type': 'application/json' } };
}

/** After the client has left, the open answers are read to their end for their usage. */
function callOffUnlessLeft({ order: { exchange }, callOff }: Parts): void {
  if (!exchange.request.signal.aborted) callOff();
}

async function takePart(parts: Parts, index: number): Promise<WholeAnswer | Refusal> {
  const answer = await askPart(parts, index, (received) => takeAnswer({ ...received, order: parts.order }));
  if (answer instanceof Refusal) return answer;
  parts.usages[index]!.finish(answer.usage);
  return 'bytes' in answer ? { text: new TextDecoder().decode(answer.bytes), usage: answer.usage } : answer;
}

/** Bills the finished answers of a request that failed. A client that left, or whose request was at fault, pays for them. */
async function billFinished(parts: Parts, refusal: Refusal): Promise<Refusal> {
  const { order, usages } = parts;
  const { exchange, settle, isAttended } = order;
  if (isAttended && exchange.request.signal.aborted) {
    const usage = await countAll(usages);
    if (usage) await settle({ exchange, usage });
    return refusal;
  }
  const finished = usages.filter(({ isFinished }) => isFinished);
  if (!isOwnError(refusal) || finished.length === 0) return refusal;
  await settle({ exchange, usage: sumOf(finished.map(({ soFar }) => soFar)), outcome: 'failed' });
  const billed = `${finished.length} of the ${usages.length} answers were complete and are billed.`;
  return new Refusal(refusal.code, { ...refusal.details, message: `${refusal.message} ${billed}` });
}
