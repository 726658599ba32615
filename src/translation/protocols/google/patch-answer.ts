import { parseObject } from '../../../base/json/read-json.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { billedUsage, estimateUsage } from '../../canonical/estimate-usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { addAnswerText, candidatesOf } from './answer-chunk.ts';
import { checkNotBlocked, checkNotFailed } from './check-answer.ts';
import { labelChunk, unlessShown } from './label-chunk.ts';
import { usageOf } from './reported-counts.ts';
import { addCounts } from './usage.ts';

/** Returns the vendor's own text of a whole answer, with the names and the usage that the client is shown. */
export function patchAnswer(text: string, label: AnswerLabel): WholeAnswer {
  const { estimate } = label;
  const answer = parseObject(text);
  checkNotFailed(answer);
  checkNotBlocked(answer);
  const candidates = candidatesOf(answer);
  if (candidates.length === 0) throw new SyntaxError('the answer has no candidates');
  const answerText = new CountedText(estimate);
  for (const candidate of candidates) addAnswerText(answerText, candidate);
  const reported = usageOf(addCounts({}, answer.usageMetadata));
  const usage = estimateUsage({ reported, answerText, isWhole: true, estimate });
  const billed = billedUsage(usage, estimate);
  return { text: labelChunk(text, answer, { label, usage: unlessShown(answer, billed) }), usage };
}
