import { listOf, parseObject } from '../../../base/json/read-json.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { estimateUsage } from '../../canonical/estimate-usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { usageOf } from '../google/reported-counts.ts';
import { addCounts } from './add-counts.ts';
import { addStep } from './interaction-answer-text.ts';
import { checkEnd, finishInteraction, keptAnswer } from './passed-interaction.ts';
import { refusalOf } from './refusal-of.ts';

/**
 * Returns the vendor's own text of a whole interaction, with the names and the usage that the client is
 * shown.
 */
export function patchAnswer(text: string, label: AnswerLabel, request: InferenceRequest): WholeAnswer {
  const interaction = parseObject(text);
  if (interaction.status === undefined && interaction.error != null)
    throw new RefusedAnswer(refusalOf(interaction.error));
  checkEnd(interaction);
  const { estimate } = label;
  const answerText = new CountedText(estimate);
  for (const step of listOf(interaction.steps)) addStep(answerText, step);
  const reported = usageOf(addCounts({}, interaction.usage), interaction.service_tier);
  const usage = estimateUsage({ reported, answerText, isWhole: true, estimate });
  const terms = { label, request };
  const answer = finishInteraction({ text, interaction, steps: [], usage }, terms);
  return { text: answer.envelope, usage, ...keptAnswer(answer, terms) };
}
