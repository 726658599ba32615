import { Refusal } from '../../../base/errors/refusal.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { MeteredAsk } from '../../canonical/metered.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { createBodyReader } from '../metered/create-body-reader.ts';
import { labelAnswer, parseAnswer } from '../metered/label-answer.ts';
import { meteredUsage } from '../metered/metered-usage.ts';
import { patchModel } from '../metered/patch-model.ts';
import { type ModerationsRequest, requestSchema } from './request-schema.ts';

/** The model that the protocol's vendor uses for a request without a model. */
const DEFAULT_MODEL = 'omni-moderation-latest';

/** The members of an answer in this protocol. Other members describe the host and are removed. */
const MEMBERS = new Set(['id', 'model', 'results', 'usage']);

/**
 * Creates the dialect of requests to judge content. There is only one protocol for it, so nothing is
 * translated or streamed.
 */
export function createModerationsDialect(): Dialect {
  const readBody = createBodyReader(requestSchema);
  return {
    modelKind: 'moderation',
    wire: 'openai-moderations',
    keyHeader: 'bearer',
    idPrefix: 'modr-',
    upstreamPath: '/moderations',
    inspect: createInspection(requestSchema, ['input']),
    read(body) {
      const request = readBody(body);
      if (request instanceof Refusal) return request;
      const model = request.model ?? DEFAULT_MODEL;
      return { body, model, stream: false, metered: moderationAsk(request) };
    },
    patchRequest: patchModel,
    patchAnswer,
    frameReader: () => {
      throw new Error('moderations are not streamed');
    },
  };
}

function moderationAsk({ input }: ModerationsRequest): MeteredAsk {
  const parts = typeof input === 'string' ? [input] : input;
  const texts = parts.map(textIn).filter((text) => text !== undefined);
  const text = texts.join('\n');
  const imagesIn = parts.length - texts.length;
  return { counts: { request: 1 }, text, most: { input: Buffer.byteLength(text), output: 0, imagesIn } };
}

/** Returns the text of a part, which is empty for an image. */
function textIn(part: Exclude<ModerationsRequest['input'], string>[number]): string | undefined {
  if (typeof part === 'string') return part;
  return 'text' in part ? part.text : undefined;
}

function patchAnswer(text: string, label: AnswerLabel): WholeAnswer {
  const answer = parseAnswer(text);
  const { results } = answer;
  if (!Array.isArray(results) || results.length === 0 || !results.every(isObject))
    throw new SyntaxError('the answer has no results');
  return {
    text: labelAnswer(text, answer, { label, members: MEMBERS }),
    usage: meteredUsage({ counts: { request: 1 } }, answer.usage),
  };
}
