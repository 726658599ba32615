import type { Wire } from './canonical/wire.ts';
import type { RouteDescription } from './http/route.ts';
import { bedrockWire } from './protocols/bedrock/bedrock-wire-codec.ts';
import { chatDescription } from './protocols/chat-completions/chat-description.ts';
import { createChatDialect } from './protocols/chat-completions/chat-dialect.ts';
import { createChatWireCodec } from './protocols/chat-completions/chat-wire-codec.ts';
import type { WireCodec } from './protocols/codec.ts';
import { completionsDescription } from './protocols/completions/completions-description.ts';
import { createCompletionsDialect } from './protocols/completions/completions-dialect.ts';
import { completionsWire } from './protocols/completions/completions-wire-codec.ts';
import type { Dialect } from './protocols/dialect.ts';
import { embeddingsDescription } from './protocols/embeddings/embeddings-description.ts';
import { createEmbeddingsDialect } from './protocols/embeddings/embeddings-dialect.ts';
import { googleWire } from './protocols/google/google-wire-codec.ts';
import { messagesDescription } from './protocols/messages/messages-description.ts';
import { createMessagesDialect } from './protocols/messages/messages-dialect.ts';
import { createMessagesWireCodec } from './protocols/messages/messages-wire-codec.ts';
import { responsesDescription } from './protocols/responses/responses-description.ts';
import { createResponsesDialect } from './protocols/responses/responses-dialect.ts';
import { responsesWire } from './protocols/responses/responses-wire-codec.ts';

/** The dialects, and where clients speak them. */
export const createDialects = (): { path: string; dialect: Dialect; describe: RouteDescription }[] => [
  { path: '/v1/chat/completions', dialect: createChatDialect(), describe: chatDescription },
  { path: '/v1/messages', dialect: createMessagesDialect(), describe: messagesDescription },
  { path: '/v1/responses', dialect: createResponsesDialect(), describe: responsesDescription },
  { path: '/v1/completions', dialect: createCompletionsDialect(), describe: completionsDescription },
  { path: '/v1/embeddings', dialect: createEmbeddingsDialect(), describe: embeddingsDescription },
];

/** The wires that a request can be put on. */
export const createWires = (): ReadonlyMap<Wire, WireCodec> =>
  new Map<Wire, WireCodec>([
    ['openai-chat', createChatWireCodec()],
    ['openai-responses', responsesWire],
    ['anthropic-messages', createMessagesWireCodec()],
    ['google-generate', googleWire],
    ['bedrock-converse', bedrockWire],
    ['openai-completions', completionsWire],
  ]);
