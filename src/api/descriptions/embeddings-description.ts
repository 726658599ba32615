import { Type } from 'typebox';
import type { RouteDescription } from '../../edge/http/route.ts';
import { requestSchema } from '../../translation/protocols/embeddings/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { inferenceErrors, inferenceHeaders } from './inference-description.ts';

const body = describeFields(requestSchema, 'Embeddings Request', {
  model: 'The id of an embedding model, or any other spelling of it.',
  input: 'A text, or several; each may also be a list of tokens. At most 2,048 of them, none empty.',
  dimensions: 'How wide the vectors are to be, on models that list it in `supported_parameters`.',
  encoding_format: '`float` (the default), or `base64`: 32-bit numbers, lowest byte first.',
  user: "The end user's id, in your own terms.",
});

const vector = Type.Object({
  object: Type.Literal('embedding'),
  index: Type.Integer({ description: 'Which of the inputs it is of.' }),
  embedding: Type.Union([Type.Array(Type.Number()), Type.String()]),
});

/** What the documentation says of `POST /v1/embeddings`. */
export const embeddingsDescription: RouteDescription = {
  group: 'Embeddings',
  key: 'bearer',
  summary: 'Turns texts into vectors, in the shape of OpenAI embeddings',
  headers: inferenceHeaders,
  body,
  bodyExample: { model: '{embedding_model}', input: 'Hello!' },
  answer: 'A vector for each input, as wide as the model entry says.',
  answerSchema: Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(vector),
      model: Type.String({ description: 'The model as the request named it.' }),
      usage: Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() }),
    },
    { title: 'Embeddings' },
  ),
  errors: inferenceErrors,
};
