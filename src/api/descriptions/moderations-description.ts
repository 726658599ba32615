import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { requestSchema } from '../../translation/protocols/moderations/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { meteredErrors } from './inference-errors.ts';
import { inferenceHeaders } from './inference-headers.ts';

const body = describeFields(requestSchema, 'Moderations Request', {
  model: 'The id of a moderation model or one of its aliases. Default: `omni-moderation-latest`.',
  input: 'A text, an array of texts, or an array of parts with texts and images.',
});

const result = Type.Object({
  flagged: Type.Optional(
    Type.Boolean({ description: 'True if the content belongs to one of the categories.' }),
  ),
  categories: Type.Optional(Type.Object({})),
  category_scores: Type.Optional(Type.Object({})),
});

/** Describes `POST /v1/moderations`. */
export const moderationsDescription: RouteDescription = {
  group: 'Moderations',
  key: 'bearer',
  summary: 'Classifies content as harmful or not (OpenAI Moderations)',
  headers: inferenceHeaders,
  body,
  bodyExample: { model: '{moderation_model}', input: 'Hello!' },
  answer: 'One result for each input.',
  answerSchema: Type.Object(
    {
      id: Type.String(),
      model: Type.String({ description: 'The model as the request named it.' }),
      results: Type.Array(result),
    },
    { title: 'Moderation' },
  ),
  errors: meteredErrors,
};
