import { Refusal } from '../../../base/errors/refusal.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import { END_OF_BODY } from '../../contract/frame.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { ChunkReader } from '../openai/chunk-reader.ts';
import { patchAnswer } from '../openai/openai-answer.ts';
import { type CeilingPatch, patchOpenaiRequest, wantsUsage } from '../openai/patch-openai-request.ts';
import { chatNeeds } from './chat-needs.ts';
import { checkRequest } from './check-request.ts';
import { createChatDialectCodec } from './create-chat-dialect-codec.ts';
import { type ChatRequest, requestSchema } from './request-schema.ts';

const NO_CEILING: CeilingPatch = {};

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
      const request = checkRequest(body.value, validate);
      if (request instanceof Refusal) return request;
      const { model, stream, n } = request;
      return { body, model, stream: stream === true, answers: n ?? 1 };
    },
    patchRequest: (request, upstreamModel, target) =>
      patchOpenaiRequest(request, upstreamModel, settleCeilings(request.body.value as ChatRequest, target)),
    patchAnswer,
    frameReader,
    closingFrame: END_OF_BODY,
  };
}

/** The newer name comes first. Some hosts know only the older one. */
const ceilings = ['max_completion_tokens', 'max_tokens'] satisfies readonly (keyof CeilingPatch)[];

/**
 * Sets both limits to one value, so that the held credit covers whichever name the host reads. A limit above
 * the model's maximum is lowered, since hosts would refuse it.
 */
function settleCeilings(request: ChatRequest, { maxOutput = Infinity }: EncodeTarget): CeilingPatch {
  const { max_completion_tokens: newer, max_tokens: older } = request;
  const requested = newer ?? older;
  if (requested == null) return NO_CEILING;
  const ceiling = Math.min(requested, maxOutput);
  return { max_completion_tokens: patchOf(newer, ceiling), max_tokens: patchOf(older, ceiling) };
}

/** Returns the new text of a limit, or undefined if its text stays. A limit of null is removed. */
function patchOf(requested: number | null | undefined, ceiling: number): string | null | undefined {
  if (requested == null) return requested;
  return requested === ceiling ? undefined : String(ceiling);
}

const frameReader = ({ body, answers = 1 }: InferenceRequest, label: AnswerLabel) =>
  new ChunkReader({ label, showsUsage: wantsUsage(body.value), choices: answers });
