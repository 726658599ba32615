import { Refusal } from '../../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../../base/errors/unqualified-param.ts';
import { parseObject } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Loss } from '../../canonical/loss.ts';
import type { DialectWire } from '../../contract/dialect.ts';
import { RefusedAnswer } from '../../contract/refused-answer.ts';
import { modelName } from '../google/model-name.ts';
import { readUpstreamError } from '../openai/read-upstream-error.ts';
import { patchAnswer } from './patch-answer.ts';
import type { EmbeddingsRequest } from './request-schema.ts';
import { vectorWidth } from './vector-width.ts';

/** The wire of `batchEmbedContents`, which takes one request for each input. */
export const googleEmbeddings = {
  path: ({ upstreamModel }) => `/${modelPath(upstreamModel)}:batchEmbedContents`,
  patchRequest({ body }, upstreamModel, { vectors }) {
    const request = body.value as EmbeddingsRequest;
    const texts = textsOf(request.input);
    if (!texts) return unqualifiedParam('input', 'the chosen model takes texts and no lists of tokens');
    const width = vectorWidth(request.dimensions, vectors);
    if (width instanceof Refusal) return width;
    const model = `models/${modelName(upstreamModel)}`;
    const requests = texts.map((text) => ({
      model,
      content: { parts: [{ text }] },
      ...(width !== undefined && { outputDimensionality: width }),
    }));
    return { body: JSON.stringify({ requests }), losses: request.user == null ? NO_LOSSES : USER_LOST };
  },
  patchAnswer(text, label, request) {
    const { embeddings, usageMetadata, error } = parseObject(text);
    if (error != null) throw new RefusedAnswer(readUpstreamError(error));
    if (!Array.isArray(embeddings)) throw new SyntaxError('the answer has no vectors');
    const tokens = isObject(usageMetadata) ? usageMetadata['promptTokenCount'] : undefined;
    const answer = {
      object: 'list',
      data: embeddings.map((item: unknown, index) => ({
        object: 'embedding',
        index,
        embedding: isObject(item) ? item['values'] : undefined,
      })),
      ...(tokens !== undefined && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
    };
    return patchAnswer(JSON.stringify(answer), label, request);
  },
} satisfies DialectWire;

const NO_LOSSES: Loss[] = [];
const USER_LOST: Loss[] = [{ code: 'user-hint' }];

const modelPath = (model: string): string => `models/${encodeURIComponent(modelName(model))}`;

/** Returns the texts of an input, or undefined if it has tokens. */
function textsOf(input: EmbeddingsRequest['input']): readonly string[] | undefined {
  if (typeof input === 'string') return [input];
  return typeof input[0] === 'string' ? (input as string[]) : undefined;
}
