import { type JsonPatch, patchKnown } from '../../../base/json/patch-json.ts';
import { objectOf, parseObject } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { CountedText } from '../../canonical/counted-text.ts';
import { billedUsage, estimateUsage } from '../../canonical/estimate-usage.ts';
import { inputTotal, type Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { countOf } from '../../framing/count-of.ts';
import { readUsage } from '../openai/openai-usage.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { showsPrice } from '../openai/shows-price.ts';
import { countInputs, type EmbeddingsRequest } from './request-schema.ts';
import { type Encoding, formatVector, readVector, shortenVector, widthOf } from './vector.ts';

type VectorFormat = { encoding: Encoding; width: number | undefined };
/** The vector of the input with this index. */
type Item = { object: 'embedding'; index: number; embedding: unknown };

/** The members of an answer in this protocol. Other members describe the host and are removed. */
const MEMBERS = new Set(['object', 'data', 'model', 'usage']);

/**
 * Returns the upstream's text unchanged if it matches the request. Otherwise converts vectors, since some
 * hosts support only one encoding.
 */
export function patchAnswer(text: string, label: AnswerLabel, { body }: InferenceRequest): WholeAnswer {
  const request = body.value as EmbeddingsRequest;
  const answer = parseObject(text);
  if (answer.error != null) throw new RefusedAnswer(readUpstreamError(answer.error));
  const format: VectorFormat = {
    encoding: request.encoding_format ?? 'float',
    width: request.dimensions ?? label.vectorWidth,
  };
  const { items, isChanged } = readItems(answer.data, countInputs(request), format);
  const usage = usageOf(answer.usage, label);
  const billed = billedUsage(usage, label.estimate);
  const patch: JsonPatch = {
    ...withoutHostMembers(answer),
    object: '"list"',
    model: JSON.stringify(label.model),
    ...(isChanged && { data: JSON.stringify(items) }),
    ...(!isShown(answer.usage, billed) && { usage: JSON.stringify(formatUsage(billed)) }),
  };
  return { text: patchKnown(text, answer, patch), usage };
}

/** Reads the usage. Vectors are not output, so the output count is always zero. */
function usageOf(reportedUsage: unknown, { estimate }: AnswerLabel): Usage {
  const usage = readUsage(reportedUsage);
  const reported = usage && { ...usage, output: { visible: 0 } };
  return estimateUsage({ reported, answerText: new CountedText(estimate), isWhole: true, estimate });
}

/** Reports whether the usage of the host's answer has the billed counts and shows no price. */
function isShown(reportedUsage: unknown, billed: Usage): boolean {
  const { prompt_tokens, total_tokens } = objectOf(reportedUsage);
  const shown = formatUsage(billed);
  const isEqual = prompt_tokens === shown.prompt_tokens && total_tokens === shown.total_tokens;
  return isEqual && !showsPrice(objectOf(reportedUsage));
}

const formatUsage = (usage: Usage) => ({
  prompt_tokens: inputTotal(usage),
  total_tokens: inputTotal(usage),
});

const withoutHostMembers = (answer: object): JsonPatch =>
  Object.fromEntries(
    Object.keys(answer)
      .filter((name) => !MEMBERS.has(name))
      .map((name) => [name, null]),
  );

/** Reads the vectors in the order of the inputs. Throws unless each input has exactly one. */
function readItems(
  data: unknown,
  inputs: number,
  format: VectorFormat,
): { items: Item[]; isChanged: boolean } {
  if (!Array.isArray(data)) throw new SyntaxError('the answer has no vectors');
  const items: Item[] = [];
  let isChanged = false;
  for (const [position, sent] of data.entries()) {
    if (!isObject(sent)) throw new SyntaxError('a vector is not an object');
    const item = readItem(sent, position, format);
    isChanged ||= item.index !== position || !isSame(sent, item);
    if (items[item.index]) throw new SyntaxError('an input has two vectors');
    items[item.index] = item;
  }
  if (data.length !== inputs || items.length !== inputs)
    throw new SyntaxError('the number of vectors differs from the number of inputs');
  return { items, isChanged };
}

/** Reads a vector and the index of its input. Hosts that send no index keep the order of the inputs. */
const readItem = ({ index, embedding }: Fields, position: number, format: VectorFormat): Item => ({
  object: 'embedding',
  index: countOf(index) ?? position,
  embedding: fitVector(embedding, format),
});

/** Reports whether a host has sent an item as the client gets it. */
const isSame = (sent: Fields, { object, index, embedding }: Item): boolean =>
  sent.object === object &&
  sent.index === index &&
  sent.embedding === embedding &&
  Object.keys(sent).length === 3;

/** Returns the vector unchanged if it has the requested form, else converts it. */
function fitVector(value: unknown, { encoding, width }: VectorFormat): unknown {
  const isEncoded = typeof value === 'string';
  const sentWidth = widthOf(value);
  if (isEncoded === (encoding === 'base64') && sentWidth > 0 && sentWidth === (width ?? sentWidth))
    return value;
  const vector = readVector(value);
  if (!vector || vector.length < (width ?? 1)) throw new SyntaxError('a vector is too short');
  const fitted = width === undefined || vector.length === width ? vector : shortenVector(vector, width);
  return formatVector(fitted, encoding);
}
