import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import { seededRandom } from '../../../base/lib/testing/seeded-random.ts';
import { collect } from '../../canonical/collect.ts';
import type { CanonicalResponse, PartHead, StreamEvent } from '../../canonical/event.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, Thinking } from '../../canonical/request.ts';
import { headsWith } from '../testing/heads-with.ts';
import { RandomSource } from '../testing/random-source.ts';
import { createMessagesWireCodec } from './create-messages-wire-codec.ts';
import { createMessagesDialectCodec } from './messages-dialect-codec.ts';
import { decodedValue } from './testing/decode-value.ts';
import { RequestGenerator } from './testing/request-generator.ts';

const dialect = createMessagesDialectCodec();
const wire = createMessagesWireCodec();
const target = { upstreamModel: 'claude', reasoning: true, reasoningEfforts: ['low', 'high'] };
const thoughts: (Thinking | undefined)[] = [
  undefined,
  { mode: 'disabled', effortIsRequired: false, visible: false },
  { mode: 'adaptive', effortIsRequired: false, visible: true, effort: 'low', display: 'summarized' },
];

test('decodes requests in the dialect that the wire encoded', () => {
  const requests = new RequestGenerator(new RandomSource(11));
  for (let round = 0; round < 500; round++) {
    const thinking = thoughts[round % thoughts.length];
    const made = requests.request();
    const request: CanonicalRequest = thinking ? { ...made, sampling: {}, thinking } : made;
    if (thinking?.mode === 'adaptive') delete request.toolChoice;
    if (thinking?.mode === 'adaptive') delete request.parallelToolCalls;
    const encoded = acceptedOrError(wire.encodeRequest(request, target));
    expect(encoded.losses).toEqual([]);
    expect(decodedValue(encoded.body)).toEqual(request);
  }
});

const head = headsWith('msg_1')({ thinking: { mode: 'enabled', effortIsRequired: false, visible: true } });

/** Builds parts whose deltas are interleaved at random. */
function randomStream(random: () => number): StreamEvent[] {
  const { responseId, model } = head;
  const events: StreamEvent[] = [{ type: 'response-start', responseId, model }];
  const running: { index: number; left: number; part: PartHead }[] = [];
  let index = 0;
  while (index < 6 || running.length > 0) {
    const one = running[Math.floor(random() * running.length)];
    if (index < 6 && (one === undefined || random() < 0.3)) {
      const heads: PartHead[] = [
        { kind: 'text' },
        { kind: 'thinking', form: 'full' },
        { kind: 'tool-call', callId: `c${index}`, name: 'f', inputKind: 'json' },
        { kind: 'redacted-thinking', replay: { issuer: 'messages', data: `r${index}` } },
      ];
      // An answer ends with a text or a call.
      const part = heads[index === 5 ? 0 : Math.floor(random() * heads.length)]!;
      running.push({ index, part, left: part.kind === 'redacted-thinking' ? 0 : 3 });
      events.push({ type: 'part-start', index: index++, part });
    } else if (one) step(events, running, one);
  }
  const usage = { input: { uncached: 3, cacheRead: 2, cacheWrite: 1 }, output: { visible: 5, thinking: 4 } };
  const isCalling = events.some((event) => event.type === 'part-start' && event.part.kind === 'tool-call');
  events.push({ type: 'usage', usage });
  events.push({
    type: 'response-end',
    stop: isCalling ? callEnd : { kind: 'max-tokens', raw: 'max_tokens' },
  });
  return events;
}

const callEnd = { kind: 'tool-call', raw: 'tool_use' } as const;
const inputPieces = ['}', '"a":1', '{'];

function step(
  events: StreamEvent[],
  running: object[],
  one: { index: number; left: number; part: PartHead },
): void {
  const { index, part } = one;
  if (one.left-- === 0) {
    running.splice(running.indexOf(one), 1);
    if (part.kind === 'thinking') {
      const replay = { issuer: 'messages', data: `s${index}` } as const;
      events.push({ type: 'part-delta', index, delta: { kind: 'replay-token', replay } });
    }
    events.push({ type: 'part-end', index });
  } else if (part.kind === 'tool-call') {
    events.push({ type: 'part-delta', index, delta: { kind: 'tool-input', text: inputPieces[one.left]! } });
  } else if (part.kind === 'text' || part.kind === 'thinking') {
    events.push({ type: 'part-delta', index, delta: { kind: part.kind, text: `${index}.${one.left} ` } });
  }
}

/** The encoder names the lifetime of cache writes, which the other codecs do not know. */
function withoutDetail(response: ReturnType<typeof collect>) {
  if (!('usage' in response) || !response.usage) return response;
  const { detail, ...usage } = response.usage;
  return { ...response, usage };
}

test('decodes answers on the wire that the dialect encoded, streamed or whole', () => {
  const random = seededRandom(7);
  for (let round = 0; round < 300; round++) {
    const events = randomStream(random);
    const response = collect(events) as CanonicalResponse;
    const encode = dialect.streamEncoder(head);
    const streamed = wire.streamDecoder();
    expect(withoutDetail(collect(events.flatMap(encode).flatMap(streamed)))).toEqual(response);
    const whole = stringifyWithRaw(dialect.encodeResponse(response, head));
    expect(withoutDetail(collect(wire.splitAnswer(whole).flatMap(wire.streamDecoder())))).toEqual(response);
  }
});
