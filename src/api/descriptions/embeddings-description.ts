import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { requestSchema } from '../../translation/protocols/embeddings/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { repeatableErrors } from './inference-errors.ts';
import { repeatableHeaders } from './inference-headers.ts';

const body = describeFields(requestSchema, 'Embeddings Request', {
  model: 'The id of an embedding model or one of its aliases.',
  input:
    'A text or an array of up to 2,048 texts. Each text can be an array of token ids instead. Empty texts are refused.',
  dimensions: 'The length of the vectors, on models that list `dimensions` in `supported_parameters`.',
  encoding_format: '`float` (the default), or `base64`: 32-bit floats in little-endian order.',
  user: 'An id of the end user, chosen by the caller.',
});

const vector = Type.Object({
  object: Type.Literal('embedding'),
  index: Type.Integer({ description: 'The position of the input.' }),
  embedding: Type.Union([Type.Array(Type.Number()), Type.String()]),
});

/** Describes `POST /v1/embeddings`. */
export const embeddingsDescription: RouteDescription = {
  group: 'Embeddings',
  key: 'bearer',
  summary: 'Creates embeddings of texts (OpenAI Embeddings)',
  headers: repeatableHeaders,
  body,
  bodyExample: { model: '{embedding_model}', input: 'Hello!' },
  answer: 'One vector for each input. `output_dimensions` of the model is the default length.',
  answerSchema: Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(vector),
      model: Type.String({ description: 'The model as the request named it.' }),
      usage: Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() }),
    },
    { title: 'Embeddings' },
  ),
  errors: repeatableErrors,
};
