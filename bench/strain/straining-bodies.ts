import { brotliCompressSync } from 'node:zlib';

const WORDS = 'Words of a question. ';
const parameters = { type: 'object', properties: { a: { type: 'string' } } };

const listOf = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Returns a short question with other fields. */
export const chatBody = (fields: object = {}): string =>
  JSON.stringify({ model: 'thinks', messages: [{ role: 'user', content: 'hi' }], ...fields });

/** Returns a question of about this many bytes. */
export const longBody = (bytes: number, fields: object = {}): string =>
  chatBody({ messages: [{ role: 'user', content: WORDS.repeat(bytes / WORDS.length) }], ...fields });

/** Returns a question whose text consists of escape sequences, which a parser has to decode. */
export const escapedBody = (sequence: string, count: number): string =>
  `{"model":"thinks","messages":[{"role":"user","content":"${sequence.repeat(count)}"}]}`;

/** Returns the turns of a conversation. */
export const manyMessages = (count: number): object[] =>
  listOf(count, (index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: 'hi' }));

/** Returns tools as chat completions write them. */
export const manyChatTools = (count: number): object[] =>
  listOf(count, (index) => ({ type: 'function', function: { name: `tool_${index}`, parameters } }));

/** Returns tools as Messages writes them. */
export const manyMessagesTools = (count: number): object[] =>
  listOf(count, (index) => ({ name: `tool_${index}`, input_schema: parameters }));

/** Returns an array of empty arrays. */
export const manyValues = (count: number): object[] => listOf(count, () => []);

/** Returns a small body in brotli that decompresses to many invalid messages. */
export const brotliBomb = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(brotliCompressSync(`{"model":"thinks","messages":[${'[],'.repeat(480_000)}[]]}`));
