import { parseBodyAtOnce } from '../../../src/base/json/parse-body.ts';
import { sameWireCarriage } from '../../../src/inference/carriage/same-wire-carriage.ts';
import { translatedCarriage } from '../../../src/inference/carriage/translated-carriage.ts';
import type { Carriage } from '../../../src/translation/contract/carriage.ts';
import type { Dialect } from '../../../src/translation/contract/dialect.ts';
import { SseSplitter } from '../../../src/translation/framing/sse-splitter.ts';
import { AwsEventStream } from '../../../src/translation/protocols/bedrock/aws-event-stream.ts';
import { createChatDialect } from '../../../src/translation/protocols/chat-completions/create-chat-dialect.ts';
import { createInteractionsDialect } from '../../../src/translation/protocols/interactions/create-interactions-dialect.ts';
import { createMessagesDialect } from '../../../src/translation/protocols/messages/create-messages-dialect.ts';
import { createResponsesDialect } from '../../../src/translation/protocols/responses/create-responses-dialect.ts';
import type { ChatWire } from '../wire-models.ts';
import type { ClientDialect } from './client-dialects.ts';
import { createWireCodecs } from './create-wire-codecs.ts';
import { readContent } from './read-content.ts';
import type { Recording } from './recording.ts';

// Google names no calls, so each gets a new id: here always the same, since two readings are compared.
const codecs = createWireCodecs(() => 'call_1');
const dialects: Partial<Record<ChatWire, Dialect>> = {
  'openai-chat': createChatDialect(),
  'anthropic-messages': createMessagesDialect(),
  'openai-responses': createResponsesDialect(),
  'google-interactions': createInteractionsDialect(),
};
/**
 * Creates a reader that returns the result for a client that requests reasoning, if the stream's bytes arrive
 * in these pieces.
 */
export function createCutReader(client: ClientDialect, recording: Recording) {
  const carriage = carry(client, recording);
  return (bytes: Uint8Array, cuts: readonly number[]): string => {
    const splitter = recording.wire === 'bedrock-converse' ? new AwsEventStream() : new SseSplitter();
    const reader = carriage.frameReader();
    const pieces = [...cuts, bytes.length].map((end, at) => bytes.subarray(cuts[at - 1] ?? 0, end));
    const frames = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
    const closing = carriage.closingFrame ? [carriage.closingFrame] : [];
    let text = '';
    for (const frame of [...frames, ...closing]) {
      const meaning = reader.read(frame);
      text += meaning.text;
      if (meaning.ends) break;
    }
    // The second in which the response was read differs.
    return text
      .replace(/"completed_at":\d+/g, '"completed_at":0')
      .replace(/"updated":"[^"]*"/g, '"updated":""');
  };
}

function carry(client: ClientDialect, recording: Recording): Carriage {
  const { wire } = recording;
  const asked = client.ask({ model: 'm', stream: true, thinks: true, calls: readContent(recording).calls });
  const body = parseBodyAtOnce(JSON.stringify(asked));
  if ('code' in body) throw body;
  const dialect = dialects[client.wire]!;
  const request = dialect.read(body);
  if ('code' in request) throw request;
  const target = { upstreamModel: 'm', reasoning: true, reasoningEfforts: ['low'] };
  const estimate = { input: () => 50, text: (text: string) => Math.ceil(text.length / 4) };
  const label = { id: 'id', model: 'm', estimate };
  const decoded = dialect.codec!.decodeRequest(body);
  if ('code' in decoded) throw decoded;
  const head = { responseId: 'id', model: 'm', createdAt: 0, request: decoded, body };
  const made =
    wire === client.wire
      ? sameWireCarriage({ dialect, request, label, style: 'openai' }, target)
      : translatedCarriage({ dialect: dialect.codec!, codec: codecs[wire], wire, head, target, estimate });
  if ('code' in made) throw made;
  return made;
}
