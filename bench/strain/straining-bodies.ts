import { brotliCompressSync } from 'node:zlib';

const SENTENCE = 'Words of a question. ';
const parameters = { type: 'object', properties: { a: { type: 'string' } } };

const repeat = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Returns a short chat request. `fields` are added or replaced. */
export const chatBody = (fields: object = {}): string =>
  JSON.stringify({ model: 'thinks', messages: [{ role: 'user', content: 'hi' }], ...fields });

/** Returns a chat request whose text has about `bytes` bytes. */
export const longBody = (bytes: number, fields: object = {}): string =>
  chatBody({ messages: [{ role: 'user', content: SENTENCE.repeat(bytes / SENTENCE.length) }], ...fields });

/** Returns a chat request whose text consists of escape sequences, which a parser must decode. */
export const escapedBody = (sequence: string, count: number): string =>
  `{"model":"thinks","messages":[{"role":"user","content":"${sequence.repeat(count)}"}]}`;

/** Returns short messages, of the user and the assistant in turn. */
export const manyMessages = (count: number): object[] =>
  repeat(count, (index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: 'hi' }));

/** Returns tools in the form of Chat Completions. */
export const manyChatTools = (count: number): object[] =>
  repeat(count, (index) => ({ type: 'function', function: { name: `tool_${index}`, parameters } }));

/** Returns tools in the form of Messages. */
export const manyMessagesTools = (count: number): object[] =>
  repeat(count, (index) => ({ name: `tool_${index}`, input_schema: parameters }));

/** Returns an array of empty arrays. */
export const emptyArrays = (count: number): object[] => repeat(count, () => []);

/** Returns a small body in brotli that decompresses to many invalid messages. */
export const brotliBomb = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(brotliCompressSync(`{"model":"thinks","messages":[${'[],'.repeat(480_000)}[]]}`));
