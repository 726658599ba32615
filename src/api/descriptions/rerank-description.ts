import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { requestSchema } from '../../translation/protocols/rerank/request-schema.ts';
import { describeFields } from './describe-fields.ts';
import { meteredErrors } from './inference-errors.ts';
import { inferenceHeaders } from './inference-headers.ts';

const body = describeFields(requestSchema, 'Rerank Request', {
  model: 'The id of a rerank model or one of its aliases.',
  query: 'The text that the documents are compared with.',
  documents: 'Up to 10,000 documents, as texts or as objects.',
  top_n: 'The number of results. Default: all documents.',
  return_documents: '`true` returns the documents with the results, on models that do so.',
  max_tokens_per_doc: 'The number of tokens of each document that the model reads.',
});

const result = Type.Object({
  index: Type.Integer({ description: 'The position of the document in the request.' }),
  relevance_score: Type.Number({ description: 'The relevance of the document, from 0 to 1 on most models.' }),
});

/** Describes `POST /v1/rerank`. */
export const rerankDescription: RouteDescription = {
  group: 'Rerank',
  key: 'bearer',
  summary: 'Ranks documents by their relevance to a query (Cohere Rerank)',
  headers: inferenceHeaders,
  body,
  bodyExample: {
    model: '{rerank_model}',
    query: 'What is a hold?',
    documents: ['Reserved credit.', 'A ship.'],
  },
  answer: 'The results, the most relevant first. Each document of the request is billed.',
  answerSchema: Type.Object(
    {
      id: Type.Optional(Type.String()),
      model: Type.Optional(Type.String({ description: 'The model as the request named it.' })),
      results: Type.Array(result),
    },
    { title: 'Ranking' },
  ),
  errors: meteredErrors,
};
