import { Refusal } from '../../../base/errors/refusal.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import type { MeteredAsk } from '../../canonical/metered.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import type { Dialect } from '../../contract/dialect.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import type { WholeAnswer } from '../../contract/whole-answer.ts';
import { createInspection } from '../../members/inspect-body.ts';
import { createBodyReader } from '../metered/create-body-reader.ts';
import { labelAnswer, parseAnswer } from '../metered/label-answer.ts';
import { meteredUsage } from '../metered/metered-usage.ts';
import { patchModel } from '../metered/patch-model.ts';
import { type RerankRequest, requestSchema } from './request-schema.ts';

/** Allowance for tokens that vendors add to each pair. */
const FRAMING_TOKENS = 8;

/** The members of an answer in this protocol. Other members describe the host and are removed. */
const MEMBERS = new Set(['id', 'object', 'model', 'results', 'meta', 'usage']);

/**
 * Creates the dialect of requests to rank documents. There is only one protocol for it, so nothing is
 * translated or streamed.
 */
export function createRerankDialect(): Dialect {
  const readBody = createBodyReader(requestSchema);
  return {
    modelKind: 'rerank',
    wire: 'cohere-rerank',
    keyHeader: 'bearer',
    idPrefix: '',
    upstreamPath: '/rerank',
    inspect: createInspection(requestSchema, []),
    read(body) {
      const request = readBody(body);
      if (request instanceof Refusal) return request;
      return { body, model: request.model, stream: false, metered: rankingAsk(request) };
    },
    patchRequest: patchModel,
    patchAnswer,
    frameReader: () => {
      throw new Error('rankings are not streamed');
    },
  };
}

/** Returns what a request asks for. Some vendors count the query once for each document. */
function rankingAsk({ query, documents }: RerankRequest): MeteredAsk {
  const text = documents
    .map((document) => (typeof document === 'string' ? document : JSON.stringify(document)))
    .join('\n');
  return {
    counts: { document: documents.length },
    text: `${query}\n${text}`,
    most: {
      input: (Buffer.byteLength(query) + FRAMING_TOKENS) * documents.length + Buffer.byteLength(text),
      output: 0,
    },
  };
}

/** Returns the upstream's own text. The documents of the request are billed, whatever the upstream counts. */
function patchAnswer(text: string, label: AnswerLabel, request: InferenceRequest): WholeAnswer {
  const answer = parseAnswer(text);
  const document = request.metered?.counts.document ?? 0;
  const { results } = answer;
  const isRanking = Array.isArray(results) && results.every((result) => isRanked(result, document));
  if (!isRanking || results.length === 0) throw new SyntaxError('the answer has no valid results');
  return {
    text: labelAnswer(text, answer, { label, members: MEMBERS }),
    usage: meteredUsage({ counts: { document } }, answer.usage ?? tokensIn(answer.meta)),
  };
}

/** A vendor reports tokens in addition to the units that it bills. */
const tokensIn = (meta: unknown): unknown => objectOf(meta).tokens;

function isRanked(result: unknown, documents: number): boolean {
  const { index, relevance_score } = objectOf(result);
  const isIndex = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < documents;
  return isIndex && typeof relevance_score === 'number';
}
