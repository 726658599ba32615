import { bearerOf } from '../model/bearer-of.ts';
import { embedText } from '../model/embed-text.ts';
import type { Field } from '../model/field.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { openaiErrorBody } from './openai-errors.ts';

const MAX_INPUTS = 2_048;
const MAX_DIMENSIONS = 16_384;

/** An input: a text or a list of tokens. */
type Input = { text: string; tokens: number };

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const { body, tokenizer, model, reportsUsage } = exchange;
  const inputs = readInputs(body.at('input'), (text) => tokenizer.count(text));
  const dimensions =
    body.at('dimensions').number({ min: 1, max: MAX_DIMENSIONS }) ?? exchange.embeddingDimensions;
  const format = body.at('encoding_format');
  const packed = format.present && format.oneOf(['float', 'base64']) === 'base64';
  const tokens = inputs.reduce((sum, input) => sum + input.tokens, 0);
  const vectors = inputs.map(({ text }) => embedText(text, dimensions));
  const list = {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: packed ? Buffer.from(vector.buffer).toString('base64') : [...vector],
    })),
    model,
    ...(reportsUsage && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  };
  return { streamed: false, body: () => list, events: () => [] };
}

function readInputs(field: Field, count: (text: string) => number): Input[] {
  const ofText = (text: string) => ({ text, tokens: count(text) });
  if (field.isText()) return [ofText(field.text() || field.fail('must not be empty'))];
  const items = field.someItems();
  if (items.every(({ value }) => typeof value === 'number')) return [ofTokens(items)];
  if (items.length > MAX_INPUTS) field.fail(`at most ${MAX_INPUTS} inputs are supported`);
  return items.map((item) => (item.isList() ? ofTokens(item.someItems()) : ofText(item.text())));
}

const ofTokens = (items: Field[]): Input => ({
  text: items.map((item) => item.number({ min: 0 })).join(' '),
  tokens: items.length,
});

export const OPENAI_EMBEDDINGS: SimulatorWire = {
  id: 'openai-embeddings',
  path: /^\/embeddings$/,
  framing: SSE_FRAMING,
  credential: bearerOf,
  answer,
  failureBody: openaiErrorBody,
  failureEvents: () => [],
};
