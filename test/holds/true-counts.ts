import { Refusal } from '../../src/base/errors/refusal.ts';
import type { JsonBody } from '../../src/base/json/json-body.ts';
import { Field } from '../../src/simulator/model/field.ts';
import { prefixesOf } from '../../src/simulator/serving/prefixes-of.ts';
import { readAnthropicMessages } from '../../src/simulator/wires/read-anthropic-messages.ts';
import { readOpenaiChat } from '../../src/simulator/wires/read-openai-chat.ts';
import { readOpenaiResponses } from '../../src/simulator/wires/read-openai-responses.ts';
import type { CanonicalRequest } from '../../src/translation/canonical/request.ts';
import { createChatDialectCodec } from '../../src/translation/protocols/chat-completions/create-chat-dialect-codec.ts';
import { createMessagesDialectCodec } from '../../src/translation/protocols/messages/messages-dialect-codec.ts';
import { createResponsesDialectCodec } from '../../src/translation/protocols/responses/responses-dialect-codec.ts';
import { countCountables } from '../../src/translation/tokens/count-countables.ts';
import { countablesOf } from '../../src/translation/tokens/countables-of.ts';
import type { TokenFamily } from '../../src/translation/tokens/token-families.ts';
import type { CountText } from '../../src/translation/tokens/vocabulary.ts';
import type { Dialect } from './random-body.ts';
import { asHarmony, asPlainTypes, byFormula, declaredTools } from './rendered-tools.ts';

export type Counting = { family: TokenFamily; countText: CountText };

const codecs = {
  chat: createChatDialectCodec(),
  messages: createMessagesDialectCodec(),
  responses: createResponsesDialectCodec(),
};
const simulated = { chat: readOpenaiChat, messages: readAnthropicMessages, responses: readOpenaiResponses };

const isConversation = (dialect: Dialect): dialect is keyof typeof codecs => dialect in codecs;

const MEDIA = /^(?:data:image\/png;base64,)?iVBOR/;

/** Counts every text and name separately. A number in a list of tokens is one token. */
export function countLiterally(value: unknown, countText: CountText): number {
  if (typeof value === 'string') return MEDIA.test(value) ? 0 : countText(value);
  if (typeof value !== 'object' || value === null) return 0;
  let tokens = 0;
  if (!Array.isArray(value)) for (const name of Object.keys(value)) tokens += countText(name);
  for (const member of Object.values(value)) tokens += countLiterally(member, countText);
  return tokens;
}

/** Counts the body's content if it is a supported conversation. */
export function decoded(dialect: Dialect, body: JsonBody): CanonicalRequest | undefined {
  if (!isConversation(dialect)) return undefined;
  const request = codecs[dialect].decodeRequest(body);
  return request instanceof Refusal ? undefined : request;
}

/**
 * Counts the texts outside of the tools, and the tools in each form that is published for OpenAI's models.
 */
export function countRendered(body: Record<string, unknown>, countText: CountText): number {
  const { tools: _, functions: __, ...rest } = body;
  const declared = declaredTools(body);
  const withoutTools = countLiterally(rest, countText);
  if (declared.length === 0) return withoutTools;
  const forms = [
    countText(asHarmony(declared)),
    countText(asPlainTypes(declared)),
    byFormula(declared, countText),
  ];
  return withoutTools + Math.max(...forms);
}

/** Counts a request in the manner of `count_tokens`. */
export const countCanonically = (request: CanonicalRequest, { family, countText }: Counting): number =>
  countCountables(countablesOf(request, family), family, { countText, effort: 'thorough' });

/** Counts as the built-in upstream would bill, if it accepts the body unchanged. */
export function countSimulated(dialect: Dialect, value: unknown, countText: CountText): number {
  if (!isConversation(dialect)) return 0;
  try {
    const prompt = simulated[dialect](new Field(value));
    return prefixesOf(prompt, { count: countText, pieces: () => [] }).at(-1)!.tokens;
  } catch {
    return 0;
  }
}
