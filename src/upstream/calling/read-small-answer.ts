import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const MAX_MODELS = 1_000;

/**
 * Returns the ids in a list of models, in the form of any vendor. Returns undefined if the text is no such
 * list.
 */
export function modelIdsIn(text: string): string[] | undefined {
  const answer = parse(text);
  const { data, models } = objectOf(answer);
  const rows = Array.isArray(answer) ? answer : (data ?? models);
  if (!Array.isArray(rows)) return undefined;
  const ids = rows.map((row) => textOf(objectOf(row)['id']) ?? textOf(objectOf(row)['name']) ?? '');
  return ids
    .map((id) => id.replace(/^models\//, ''))
    .filter((id) => id !== '')
    .slice(0, MAX_MODELS);
}

type ReadText = (answer: Readonly<Record<string, unknown>>) => unknown[] | undefined;

const parts = (list: unknown): unknown[] | undefined =>
  Array.isArray(list) ? list.map((part) => objectOf(part)['text']) : undefined;

/** Finds the texts of an answer on each wire. Undefined if the answer does not have the form of the wire. */
const readers: Readonly<Partial<Record<Wire, ReadText>>> = {
  'openai-chat': ({ choices }) =>
    Array.isArray(choices) ? [objectOf(objectOf(choices[0])['message'])['content']] : undefined,
  'openai-completions': ({ choices }) => parts(choices),
  'openai-responses': ({ output }) =>
    Array.isArray(output)
      ? output.flatMap((item) => listOf(objectOf(item)['content']).map((part) => objectOf(part)['text']))
      : undefined,
  'anthropic-messages': ({ content }) => parts(content),
  'google-generate': ({ candidates }) =>
    Array.isArray(candidates)
      ? listOf(objectOf(objectOf(candidates[0])['content'])['parts']).map((part) => objectOf(part)['text'])
      : undefined,
  'google-interactions': ({ steps }) =>
    Array.isArray(steps)
      ? steps.flatMap((step) => listOf(objectOf(step)['content']).map((part) => objectOf(part)['text']))
      : undefined,
  'bedrock-converse': ({ output }) =>
    output === undefined ? undefined : parts(listOf(objectOf(objectOf(output)['message'])['content'])),
};

/**
 * Returns the text of a whole answer. It is empty on wires that answer without text. Returns undefined if the
 * form is another one.
 */
export function answerTextIn(wire: Wire, text: string): string | undefined {
  const answer = parse(text);
  if (answer === undefined) return undefined;
  const read = readers[wire];
  if (!read) return '';
  return read(objectOf(answer))
    ?.filter((part) => typeof part === 'string')
    .join('');
}
