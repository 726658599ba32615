import { listOf, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { billedUsage, usageOfWhole } from '../../canonical/estimate-usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { patchMessage } from './patch-message.ts';
import { refusalOf } from './refusal-of.ts';
import { contentWithoutThinking } from './unasked-thinking.ts';
import { decodeUsage, hasUsage } from './usage.ts';

/** Patches the upstream's own text of a whole message. Throws if the text is an error or no message. */
export function patchAnswer(
  text: string,
  label: AnswerLabel,
  { showsThinking }: { showsThinking: boolean },
): WholeAnswer {
  const { estimate } = label;
  const answer = parseObject(text);
  if (answer.type === 'error' || isObject(answer.error)) throw new RefusedAnswer(refusalOf(answer.error));
  if (answer.type !== 'message' || !isContent(answer.content))
    throw new SyntaxError('the answer is not a message');
  if (typeof answer.id === 'string') label.reportId?.(answer.id);
  const content = showsThinking ? undefined : contentWithoutThinking(text, listOf(answer.content));
  const reported = hasUsage(answer.usage) ? decodeUsage(objectOf(answer.usage)) : undefined;
  const usage = usageOfWhole(reported, answer.content, estimate);
  const shown = { content, usage: billedUsage(usage, estimate) };
  return { text: patchMessage({ text, value: answer }, label, shown), usage };
}

const isContent = (content: unknown): boolean =>
  Array.isArray(content) && content.every((block) => textOf(objectOf(block).type) !== undefined);
