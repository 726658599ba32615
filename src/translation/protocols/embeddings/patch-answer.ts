import { type JsonPatch, patchKnown } from '../../../base/json/patch-json.ts';
import { parseObject } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { billedUsage, estimateUsage } from '../../canonical/estimate-usage.ts';
import { inputTotal, type Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { readUsage } from '../openai/openai-usage.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { countInputs, type EmbeddingsRequest } from './request-schema.ts';
import { type Encoding, formatVector, indexOf, readVector, shortenVector, widthOf } from './vector.ts';

type VectorFormat = { encoding: Encoding; width: number | undefined };
type Item = { object: 'embedding'; index: number; embedding: unknown };

/** The members of an answer in this protocol. Other members describe the host and are removed. */
const MEMBERS = new Set(['object', 'data', 'model', 'usage']);

/**
 * Returns the upstream's text unchanged if it matches the request. Otherwise converts vectors, since some
 * hosts support only one encoding.
 */
export function patchAnswer(text: string, label: AnswerLabel, { body }: InferenceRequest) {
  const request = body.value as EmbeddingsRequest;
  const answer = parseObject(text);
  if (answer.error != null) throw new RefusedAnswer(readUpstreamError(answer.error));
  const wanted = {
    encoding: request.encoding_format ?? 'float',
    width: request.dimensions ?? label.vectorWidth,
  };
  const { items, isChanged } = readItems(answer.data, wanted);
  if (items.length !== countInputs(request))
    throw new SyntaxError('the number of vectors differs from the number of inputs');
  const usage = usageOf(answer.usage, label);
  const billed = billedUsage(usage, label.estimate);
  const patch: Record<string, string | null> = {
    ...withoutStrangers(answer),
    object: '"list"',
    model: JSON.stringify(label.model),
    ...(isChanged && { data: JSON.stringify(items) }),
    ...(!says(answer.usage, billed) && { usage: JSON.stringify(formatUsage(billed)) }),
  };
  return { text: patchKnown(text, answer, patch), usage };
}

/** Reads the usage. Vectors are not output, so the output count is always zero. */
function usageOf(reportedUsage: unknown, { estimate }: AnswerLabel): Usage {
  const usage = readUsage(reportedUsage);
  const reported = usage && { ...usage, output: { visible: 0 } };
  return estimateUsage({ reported, answerText: new CountedText(estimate), isWhole: true, estimate });
}

function says(shown: unknown, usage: Usage): boolean {
  const { prompt_tokens, total_tokens } = formatUsage(usage);
  return isObject(shown) && shown.prompt_tokens === prompt_tokens && shown.total_tokens === total_tokens;
}

const formatUsage = (usage: Usage) => ({
  prompt_tokens: inputTotal(usage),
  total_tokens: inputTotal(usage),
});

const withoutStrangers = (answer: object): JsonPatch =>
  Object.fromEntries(
    Object.keys(answer)
      .filter((name) => !MEMBERS.has(name))
      .map((name) => [name, null]),
  );

function readItems(data: unknown, wanted: VectorFormat): { items: Item[]; isChanged: boolean } {
  if (!Array.isArray(data)) throw new SyntaxError('the answer has no vectors');
  let isChanged = false;
  const items: Item[] = [];
  for (const [position, item] of data.entries()) {
    if (!isObject(item)) throw new SyntaxError('a vector is not an object');
    const index = indexOf(item, position);
    const embedding = settleVector(item['embedding'], wanted);
    const isKept = embedding === item['embedding'] && index === item['index'] && index === position;
    isChanged ||= !isKept || item['object'] !== 'embedding' || Object.keys(item).length > 3;
    if (items[index]) throw new SyntaxError('an input has two vectors');
    items[index] = { object: 'embedding', index, embedding };
  }
  return { items, isChanged };
}

/** Returns the vector unchanged if it has the wanted form, else converts it. */
function settleVector(value: unknown, { encoding, width }: VectorFormat): unknown {
  const isEncoded = typeof value === 'string';
  if (isEncoded === (encoding === 'base64') && (width === undefined || widthOf(value) === width))
    return value;
  const vector = readVector(value);
  if (!vector || vector.length < (width ?? 1)) throw new SyntaxError('a vector is too short');
  const settled = width === undefined || vector.length === width ? vector : shortenVector(vector, width);
  return formatVector(settled, encoding);
}
