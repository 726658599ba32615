import { invalidParam } from '../../../base/errors/invalid-param.ts';
import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { googleEmbeddings } from './google-embeddings.ts';
import { patchAnswer } from './patch-answer.ts';
import { patchRequest } from './patch-request.ts';
import { countInputs, type EmbeddingsRequest, MAX_INPUTS, requestSchema } from './request-schema.ts';

/** Creates the embeddings dialect. Nothing is streamed. Google's wire of embeddings differs in form alone. */
export function createEmbeddingsDialect(): Dialect {
  const validate = createValidator(requestSchema);
  return {
    modelKind: 'embedding',
    wire: 'openai-embeddings',
    otherWires: { 'google-embeddings': googleEmbeddings },
    keyHeader: 'bearer',
    idPrefix: '',
    upstreamPath: '/embeddings',
    inspect: createInspection(requestSchema, []),
    read(body) {
      const refusal = refuseInvalid(body.value, validate);
      if (refusal) return refusal;
      const request = body.value as EmbeddingsRequest;
      const texts = countInputs(request);
      if (texts > MAX_INPUTS) return invalidParam('input', `must have at most ${MAX_INPUTS} elements`);
      return { body, model: request.model, stream: false, texts };
    },
    patchRequest,
    patchAnswer,
    frameReader: () => {
      throw new Error('embeddings are not streamed');
    },
  };
}
