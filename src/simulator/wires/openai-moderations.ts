import { recordOf } from '../../base/lib/records.ts';
import { bearerOf } from '../model/bearer-of.ts';
import type { Field } from '../model/field.ts';
import { SSE_FRAMING } from '../model/sse-framing.ts';
import type { SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { openaiErrorBody } from './openai-errors.ts';

const CATEGORIES = [
  'harassment',
  'harassment/threatening',
  'sexual',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm/intent',
  'self-harm/instructions',
  'self-harm',
  'sexual/minors',
  'violence',
  'violence/graphic',
];
const MAX_INPUTS = 2_048;
/** The score of an ordered category. */
const FLAGGED_SCORE = 0.98;

/** An input: a text, or a list of texts and images. */
type Input = { text: string; types: string[] };

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const results = readInputs(exchange.body.at('input')).map(moderate);
  return {
    streamed: false,
    body: () => ({ id: exchange.id('modr-'), model: exchange.model, results }),
    events: () => [],
  };
}

/** Reads the inputs. A list of objects is one input. */
function readInputs(field: Field): Input[] {
  const ofText = (text: string): Input => ({ text, types: ['text'] });
  if (field.isText()) return [ofText(field.text())];
  const items = field.someItems();
  if (items.length > MAX_INPUTS) field.fail(`at most ${MAX_INPUTS} inputs are supported`);
  if (items.every((item) => item.isText())) return items.map((item) => ofText(item.text()));
  const texts = items.map((item) => {
    if (item.at('type').oneOf(['text', 'image_url']) === 'text') return item.at('text').text();
    item.at('image_url').at('url').text();
    return undefined;
  });
  const types = new Set(texts.map((text) => (text === undefined ? 'image' : 'text')));
  return [{ text: texts.filter((text) => text !== undefined).join('\n'), types: [...types] }];
}

/** Returns the result of an input. Its text can order categories: `flag: NAME, NAME`. */
function moderate({ text, types }: Input): object {
  const ordered = /^flag:\s*(.+)$/im.exec(text)?.[1]?.split(',') ?? [];
  const flagged = new Set(ordered.map((name) => name.trim()));
  const forEachCategory = <Value>(make: (name: string) => Value) => recordOf(CATEGORIES, make);
  return {
    flagged: CATEGORIES.some((name) => flagged.has(name)),
    categories: forEachCategory((name) => flagged.has(name)),
    category_scores: forEachCategory((name) => (flagged.has(name) ? FLAGGED_SCORE : scoreOf(name, text))),
    category_applied_input_types: forEachCategory(() => types),
  };
}

/** Returns a score up to 0.01, which depends on the text only. */
const scoreOf = (name: string, text: string): number => (Bun.hash.crc32(`${name} ${text}`) % 10_000) / 1e6;

export const OPENAI_MODERATIONS: SimulatorWire = {
  id: 'openai-moderations',
  path: /^\/moderations$/,
  defaultModel: 'omni-moderation-latest',
  framing: SSE_FRAMING,
  credential: bearerOf,
  answer,
  failureBody: openaiErrorBody,
  failureEvents: () => [],
};
