import { isObject } from '../../../base/lib/is-object.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { labelAnswer, parseAnswer } from '../metered/label-answer.ts';
import { imageUsage, isWhole } from './image-usage.ts';

// biome-ignore format: a line for each group
const MEMBERS = new Set([
  'created', 'data', 'background', 'output_format', 'quality', 'size', 'usage',
  'id', 'object', 'model',
]);

/** Returns the upstream's own text with the images that the request is billed for. */
export function patchAnswer(text: string, label: AnswerLabel, request: InferenceRequest): WholeAnswer {
  const answer = parseAnswer(text);
  const { data } = answer;
  if (!Array.isArray(data) || !data.every(isObject)) throw new SyntaxError('the answer has no images');
  const images = data.filter(isWhole).length;
  if (images === 0) throw new SyntaxError('the answer has no images');
  return {
    text: labelAnswer(text, answer, { label, members: MEMBERS }),
    usage: imageUsage(images, answer, request),
  };
}
