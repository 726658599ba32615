import { describe, expect, test } from 'bun:test';
import { createSimulator } from '../../src/simulator/serving/simulator.ts';
import type { Frame } from '../../src/translation/contract/frame.ts';
import { SseSplitter } from '../../src/translation/framing/sse-splitter.ts';
import { AwsEventStream } from '../../src/translation/protocols/bedrock/aws-event-stream.ts';
import { isLong } from '../support/is-long.ts';
import { clientDialects } from '../support/recordings/client-dialects.ts';
import { createCutReader } from '../support/recordings/create-cut-reader.ts';
import type { Recording } from '../support/recordings/recording.ts';
import { shareOf } from '../support/share-of.ts';
import { type ChatWire, chatWires, wirePrefix } from '../support/wire-models.ts';

/** A prompt with characters of two, three and four bytes. */
const ASKED = 'say: Grüße, 世界 👋 "quoted" \\ done';

const user = { role: 'user', content: ASKED };
const google = { contents: [{ role: 'user', parts: [{ text: ASKED }] }] };
const requests: Record<ChatWire, [path: string, body: object]> = {
  'openai-chat': [
    '/chat/completions',
    { model: 'm', stream: true, stream_options: { include_usage: true }, messages: [user] },
  ],
  'openai-responses': ['/responses', { model: 'm', stream: true, input: ASKED }],
  'anthropic-messages': ['/messages', { model: 'm', stream: true, max_tokens: 100, messages: [user] }],
  'google-generate': ['/models/m:streamGenerateContent?alt=sse', google],
  'google-interactions': ['/interactions', { model: 'm', stream: true, input: ASKED }],
  'bedrock-converse': [
    '/model/m/converse-stream',
    { messages: [{ role: 'user', content: [{ text: ASKED }] }] },
  ],
};

/** Returns a stream as an upstream of that wire sends it. */
async function streamOn(wire: ChatWire): Promise<{ recording: Recording; bytes: Uint8Array }> {
  const [path, body] = requests[wire];
  const request = new Request(`http://simulator${wirePrefix[wire]}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  });
  const bytes = await (await createSimulator().handle(request)).bytes();
  const splitter = wire === 'bedrock-converse' ? new AwsEventStream() : new SseSplitter();
  const frames = [...splitter.push(bytes), ...splitter.end()];
  const lineOf = ({ event, data }: Frame) => (wire === 'bedrock-converse' ? `{"${event}":${data}}` : data);
  const lines = frames.map(lineOf).filter((line) => line !== '[DONE]');
  return { recording: { name: wire, wire, stream: true, lines }, bytes };
}

/**
 * Outside the long run, every 13th byte is tried, and every byte near a character of several bytes or an end
 * of a frame.
 */
const STRIDE = 13;
const NEAR = 2;

function cutsOf(bytes: Uint8Array): number[] {
  const cuts = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
  if (isLong) return cuts;
  const isDense = (cut: number) =>
    bytes.subarray(Math.max(0, cut - NEAR), cut + NEAR).some((byte) => byte >= 0x80) ||
    isBlankLine(bytes, cut);
  return cuts.filter((cut) => cut % STRIDE === 0 || cut < 16 || bytes.length - cut < 16 || isDense(cut));
}

const LINE_END = 0x0a;
/** Reports whether a cut touches the empty line between two events. */
const isBlankLine = (bytes: Uint8Array, cut: number): boolean =>
  [cut - 1, cut].some((at) => bytes[at] === LINE_END && bytes[at + 1] === LINE_END);

for (const [turn, wire] of [...chatWires].entries())
  describe(`a stream on ${wire}`, async () => {
    const { recording, bytes } = await streamOn(wire);
    for (const dialect of shareOf(clientDialects, { turn, of: 2 }))
      test(`reads the same in ${dialect.name} at every place where its bytes are cut in two`, () => {
        const read = createCutReader(dialect, recording);
        const whole = read(bytes, []);
        expect(whole).toContain('👋');
        const different = [];
        for (const cut of cutsOf(bytes)) if (read(bytes, [cut]) !== whole) different.push(cut);
        expect(different).toEqual([]);
      });
  });
