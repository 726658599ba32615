import { addUsage, type Usage } from '../canonical/usage.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Reply } from '../http/reply.ts';
import type { WholeAnswer } from '../protocols/dialect.ts';
import { takeAnswer } from '../stream/unary-reply.ts';
import { allOrRefusal } from './all-or-refusal.ts';
import { AT_A_TIME, askPart } from './ask-part.ts';
import type { Parts } from './asked.ts';

/** Whole answers to the parts, as one. */
export async function joinParts(parts: Parts): Promise<Reply | Refusal> {
  const { asked, several, requests, callOff } = parts;
  const answers = await allOrRefusal<WholeAnswer>({
    count: requests.length,
    most: AT_A_TIME,
    run: (index) => askPart(parts, index, takeAnswer),
    callOff,
  });
  if (answers instanceof Refusal) return answers;
  const [first, ...others] = answers.map(({ text }) => text) as [string, ...string[]];
  const body = several.join([first, ...others]);
  const usage = sumOf(answers.map((answer) => answer.usage));
  await asked.settle({ exchange: asked.exchange, usage, text: body });
  return { status: 200, body, headers: { 'content-type': 'application/json' } };
}

/** Undefined where nothing has begun. */
export const sumOf = (usages: readonly (Usage | undefined)[]): Usage | undefined =>
  usages.reduce((sum, usage) => (sum && usage ? addUsage(sum, usage) : (sum ?? usage)), undefined);
