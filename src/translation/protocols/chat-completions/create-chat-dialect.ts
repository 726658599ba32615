import type { JsonBody } from '../../../base/json/json-body.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { END_OF_BODY, type EncodeTarget } from '../../contract/codec.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { createChunkReader } from '../openai/create-chunk-reader.ts';
import { patchAnswer } from '../openai/openai-answer.ts';
import { type CeilingPatch, patchOpenaiRequest, wantsUsage } from '../openai/patch-openai-request.ts';
import { chatNeeds } from './chat-needs.ts';
import { createChatDialectCodec } from './create-chat-dialect-codec.ts';
import { findFault } from './find-fault.ts';
import { type ChatRequest, requestSchema } from './request-schema.ts';

/** Creates the chat completions dialect on its own wire. */
export function createChatDialect(): Dialect {
  const validate = createValidator(requestSchema);
  return {
    codec: createChatDialectCodec(),
    wire: 'openai-chat',
    keyHeader: 'bearer',
    idPrefix: 'chatcmpl-',
    upstreamPath: '/chat/completions',
    needs: chatNeeds,
    inspect: createInspection(requestSchema, ['messages', 'tools']),
    ceilings,
    read(body) {
      const fault = findFault(body.value, validate);
      if (fault) return fault;
      return {
        body,
        model: body.value['model'] as string,
        stream: body.value['stream'] === true,
        answers: answersIn(body),
      };
    },
    patchRequest: (request, upstreamModel, target) =>
      patchOpenaiRequest(request, upstreamModel, oneCeiling(request.body.value, target)),
    patchAnswer,
    frameReader,
    closingFrame: END_OF_BODY,
  };
}

/** The newer name comes first. Some hosts know only the older one. */
const ceilings = ['max_completion_tokens', 'max_tokens'];

/**
 * Sets both limits to one value, so that the held credit covers whichever name the host reads. A limit above
 * the model's maximum is lowered, since hosts would refuse it.
 */
function oneCeiling(value: JsonBody['value'], { maxOutput = Infinity }: EncodeTarget): CeilingPatch {
  const { max_completion_tokens: newer, max_tokens: older } = value as ChatRequest;
  const requested = newer ?? older;
  if (requested == null) return NO_CEILING;
  const ceiling = Math.min(requested, maxOutput);
  return { max_completion_tokens: settle(newer, ceiling), max_tokens: settle(older, ceiling) };
}

const NO_CEILING: CeilingPatch = {};

function settle(requested: number | null | undefined, ceiling: number): string | null | undefined {
  if (requested == null) return requested;
  return requested === ceiling ? undefined : String(ceiling);
}

const answersIn = ({ value }: JsonBody): number => (value['n'] as number | null | undefined) ?? 1;

const frameReader = ({ body }: InferenceRequest, label: AnswerLabel) =>
  createChunkReader({
    label,
    showsUsage: wantsUsage(body.value),
    choices: answersIn(body),
  });
