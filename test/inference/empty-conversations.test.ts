import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../src/base/errors/accepted-or-error.ts';
import { parseBodyAtOnce } from '../../src/base/json/parse-body.ts';
import type { DialectCodec } from '../../src/translation/contract/dialect-codec.ts';
import { bedrockWire } from '../../src/translation/protocols/bedrock/bedrock-wire.ts';
import { createChatDialectCodec } from '../../src/translation/protocols/chat-completions/create-chat-dialect-codec.ts';
import { createChatWireCodec } from '../../src/translation/protocols/chat-completions/create-chat-wire-codec.ts';
import { googleWire } from '../../src/translation/protocols/google/google-wire.ts';
import { createMessagesWireCodec } from '../../src/translation/protocols/messages/create-messages-wire-codec.ts';
import { createMessagesDialectCodec } from '../../src/translation/protocols/messages/messages-dialect-codec.ts';
import { responsesWire } from '../../src/translation/protocols/responses/responses-wire.ts';
import type { Json } from '../support/call.ts';

const wires = [createChatWireCodec(), createMessagesWireCodec(), responsesWire, googleWire, bedrockWire];
const target = { upstreamModel: 'm', reasoning: false, reasoningEfforts: [] };
const dialects: Record<string, DialectCodec> = {
  chat: createChatDialectCodec(),
  messages: createMessagesDialectCodec(),
};
const user = (content: unknown) => ({ role: 'user', content });

const conversations: Record<string, unknown[]> = {
  'an empty text': [user('')],
  'no parts': [user([])],
  'an empty part': [user([{ type: 'text', text: '' }])],
  'a conversation without text': [user(''), { role: 'assistant', content: '' }],
};

for (const [dialect, codec] of Object.entries(dialects)) {
  for (const [what, messages] of Object.entries(conversations)) {
    test.each(
      wires.map((wire) => [wire.id, wire] as const),
    )(`${dialect}: ${what} becomes a user turn on %s`, (_id, wire) => {
      const asked = acceptedOrError(parseBodyAtOnce(JSON.stringify({ model: 'm', max_tokens: 9, messages })));
      const decoded = acceptedOrError(codec.decodeRequest(asked));
      const encoded = acceptedOrError(wire.encodeRequest(decoded, target));
      const body: Json = JSON.parse(encoded.body);
      expect((body.messages ?? body.contents ?? body.input)[0]).toMatchObject({ role: 'user' });
    });
  }
}
