import type { Wire } from '../../translation/canonical/wire.ts';
import type { WireCodec } from '../../translation/contract/wire-codec.ts';
import { bedrockWire } from '../../translation/protocols/bedrock/bedrock-wire.ts';
import { createChatWireCodec } from '../../translation/protocols/chat-completions/create-chat-wire-codec.ts';
import { completionsWire } from '../../translation/protocols/completions/completions-wire.ts';
import { googleWire } from '../../translation/protocols/google/google-wire.ts';
import { interactionsWire } from '../../translation/protocols/interactions/interactions-wire.ts';
import { createMessagesWireCodec } from '../../translation/protocols/messages/create-messages-wire-codec.ts';
import { responsesWire } from '../../translation/protocols/responses/responses-wire.ts';

/** Creates the codec of each wire. */
export const createWires = (): ReadonlyMap<Wire, WireCodec> =>
  new Map<Wire, WireCodec>([
    ['openai-chat', createChatWireCodec()],
    ['openai-responses', responsesWire],
    ['anthropic-messages', createMessagesWireCodec()],
    ['google-generate', googleWire],
    ['google-interactions', interactionsWire],
    ['bedrock-converse', bedrockWire],
    ['openai-completions', completionsWire],
  ]);
