import type { WireCodec } from '../../../src/translation/contract/wire-codec.ts';
import { bedrockWire } from '../../../src/translation/protocols/bedrock/bedrock-wire.ts';
import { createChatWireCodec } from '../../../src/translation/protocols/chat-completions/create-chat-wire-codec.ts';
import { createGoogleWireCodec } from '../../../src/translation/protocols/google/google-wire.ts';
import { interactionsWire } from '../../../src/translation/protocols/interactions/interactions-wire.ts';
import { createMessagesWireCodec } from '../../../src/translation/protocols/messages/create-messages-wire-codec.ts';
import { responsesWire } from '../../../src/translation/protocols/responses/responses-wire.ts';
import type { ChatWire } from '../wire-models.ts';

/** Creates the codec of each wire. `nextCallId` names the calls of a vendor that does not. */
export const createWireCodecs = (nextCallId: () => string): Record<ChatWire, WireCodec> => ({
  'openai-chat': createChatWireCodec(),
  'openai-responses': responsesWire,
  'anthropic-messages': createMessagesWireCodec(),
  'google-generate': createGoogleWireCodec(nextCallId),
  'google-interactions': interactionsWire,
  'bedrock-converse': bedrockWire,
});
