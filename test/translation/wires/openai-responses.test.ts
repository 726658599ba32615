import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import type { CanonicalResponse } from '../../../src/translation/canonical/event.ts';
import { createStreamDecoder } from '../../../src/translation/protocols/responses/create-stream-decoder.ts';
import { createStreamEncoder } from '../../../src/translation/protocols/responses/create-stream-encoder.ts';
import { encodeResponse } from '../../../src/translation/protocols/responses/encode-response.ts';
import { headsWith } from '../../../src/translation/protocols/testing/heads-with.ts';
import type { Json } from '../../support/call.ts';
import { answerOf, decodeRecording } from '../../support/recordings/decode-recording.ts';
import { answersOn, testAnswers } from '../../support/recordings/test-answers.ts';

testAnswers('openai-responses');

const streams = answersOn('openai-responses').filter(({ stream }) => stream);
const head = headsWith('resp_123')({ thinking: { mode: 'default', effortIsRequired: true, visible: true } });

describe('the encoder', () => {
  // An answer is encoded twice, each time with the second of its end.
  beforeAll(() => void setSystemTime(new Date('2026-01-31T12:00:00Z')));
  afterAll(() => void setSystemTime());

  test.each(streams)('encodes $name so that it is decoded to the same answer', (recording) => {
    const events = decodeRecording(recording);
    const frames = events.flatMap(createStreamEncoder(head));
    const again = answerOf(frames.flatMap(createStreamDecoder()));
    const answer = answerOf(events);
    expect(plain(again)).toEqual(plain(answer));
    const { response } = JSON.parse(frames.at(-1)!.data);
    expect(response).toEqual(JSON.parse(JSON.stringify(encodeResponse(answer, head))));
  });
});

/** The gateway writes its own item ids and encrypted reasoning. */
const plain = ({ usage, stop, parts }: CanonicalResponse) => ({
  stop,
  usage: usage?.output,
  parts: parts.map((part) => ({ ...part, replay: 'replay' in part, itemId: undefined })),
});

const encrypted = streams.filter(({ lines }) =>
  lines.some((line) => line.includes('"type":"reasoning"') && line.includes('"encrypted_content":"')),
);

test.each(encrypted)('$name: keeps the bytes and the id of each encrypted reasoning item', (recording) => {
  const items = recording.lines
    .map((line): Json => JSON.parse(line))
    .filter(({ type, item }) => type === 'response.output_item.done' && item.encrypted_content)
    .filter(({ item }) => item.type === 'reasoning')
    .map(({ item }) => ({ issuer: 'responses', itemId: item.id, data: item.encrypted_content }));
  const { parts } = answerOf(decodeRecording(recording));
  expect(items.length).toBeGreaterThan(0);
  const replays: unknown[] = parts.flatMap((part) => (part.kind === 'thinking' ? [part.replay] : []));
  expect(replays).toEqual(items);
});
