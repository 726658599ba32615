import { bearerOf } from '../model/bearer-of.ts';
import { embedText } from '../model/embed-text.ts';
import type { Field } from '../model/field.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';

const MAX_DOCUMENTS = 10_000;
/**
 * A search unit is a query with this many documents, each of up to this many tokens.
 * Longer documents count several times.
 */
const UNIT_DOCUMENTS = 100;
const DOCUMENT_TOKENS = 500;
const DIMENSIONS = 64;

type Ranked = { index: number; relevance_score: number; document?: object };

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body, reportsUsage } = exchange;
  const query = body.at('query').text() || body.at('query').fail('must not be empty');
  const texts = readDocuments(body);
  const most = body.at('top_n').number({ min: 1 }) ?? texts.length;
  body.at('max_tokens_per_doc').number({ min: 1 });
  const returnsDocuments = body.at('return_documents').flag();
  const units = { billed_units: { search_units: unitsOf(exchange, query, texts) } };
  return {
    streamed: false,
    body: () => ({
      id: exchange.id(''),
      results: rank(query, texts)
        .slice(0, most)
        .map((ranked) =>
          returnsDocuments ? { ...ranked, document: { text: texts[ranked.index] } } : ranked,
        ),
      meta: { api_version: { version: '2' }, ...(reportsUsage && units) },
    }),
    events: () => [],
  };
}

/** Reads documents: texts, or objects with a text as version 1 had them. */
function readDocuments(body: Field): string[] {
  const documents = body.at('documents').someItems();
  if (documents.length > MAX_DOCUMENTS)
    body.at('documents').fail(`at most ${MAX_DOCUMENTS} documents are supported`);
  return documents.map((document) => (document.isText() ? document.text() : document.at('text').text()));
}

function unitsOf({ tokenizer }: SimulatorExchange, query: string, texts: string[]): number {
  const space = Math.max(1, DOCUMENT_TOKENS - tokenizer.count(query));
  const documents = texts.reduce(
    (sum, text) => sum + Math.max(1, Math.ceil(tokenizer.count(text) / space)),
    0,
  );
  return Math.ceil(documents / UNIT_DOCUMENTS);
}

/** Ranks the texts. Documents that share words with the query come first. */
function rank(query: string, texts: string[]): Ranked[] {
  const wanted = embedText(query, DIMENSIONS);
  return texts
    .map((text, index) => ({ index, relevance_score: closeness(wanted, embedText(text, DIMENSIONS)) }))
    .sort((one, other) => other.relevance_score - one.relevance_score || one.index - other.index);
}

/** Returns a number from 0 to 1 with eight decimals. */
function closeness(one: Float32Array, other: Float32Array): number {
  const cosine = one.reduce((sum, value, index) => sum + value * other[index]!, 0);
  return Math.round(Math.min(1, Math.max(0, (1 + cosine) / 2)) * 1e8) / 1e8;
}

export const COHERE_RERANK: SimulatorWire = {
  id: 'cohere-rerank',
  path: /^\/rerank$/,
  framing: SSE_FRAMING,
  credential: bearerOf,
  answer,
  failureBody: ({ message }) => ({ message }),
  failureEvents: () => [],
};
