import { describe, expect, test } from 'bun:test';
import type { CanonicalResponse, StreamEvent } from '../../../src/translation/canonical/event.ts';
import type { ChatWire } from '../wire-models.ts';
import type { AnswerContent, ContentCall } from './answer-content.ts';
import {
  answerOf,
  contentOf,
  decodeFailure,
  decodeRecording,
  sourcesOf,
  usageFactsOf,
} from './decode-recording.ts';
import type { AnswerFacts } from './fixture.ts';
import { readContent } from './read-content.ts';
import { type AnswerRecording, type FailureRecording, noAnswers, recordings } from './recording.ts';
import { wholeBodyOf } from './whole-body-of.ts';

export const answersOn = (wire: ChatWire): AnswerRecording[] =>
  recordings.filter((recording) => recording.wire === wire);

/** Tests the result of every wire's decoder. */
export function testAnswers(wire: ChatWire): void {
  const answers = answersOn(wire);
  const fixtures = answers.filter((one): one is KnownAnswer => one.facts !== undefined);

  describe('an answer', () => {
    test.each(answers)('$name is decoded completely', (recording) => {
      const decoded = decodeRecording(recording);
      expectOrder(decoded);
      const answer = answerOf(decoded);
      expectContent(contentOf(answer), readContent(recording));
      expect(answer.stop.kind === 'tool-call').toBe(answer.parts.some(({ kind }) => kind === 'tool-call'));
    });

    test.each(fixtures)('$name has the facts that its file states', ({ facts, ...recording }) => {
      const answer = answerOf(decodeRecording(recording));
      expectContent(contentOf(answer), contentOfFacts(facts));
      expect(answer.stop.kind).toBe(facts.stop);
      expect(sourcesOf(answer)).toEqual(facts.sources ?? []);
      expect(answer.usage && usageFactsOf(answer.usage)).toEqual(facts.usage);
    });

    const pairs = answers.flatMap((stream) => {
      const whole = wholeBodyOf(stream);
      return stream.stream && whole !== undefined ? [{ name: stream.name, stream, whole }] : [];
    });
    test.each(pairs)('$name is the same streamed and whole', ({ stream, whole }) => {
      const body = { ...stream, stream: false, lines: [whole] };
      expect(comparable(answerOf(decodeRecording(body)))).toEqual(
        comparable(answerOf(decodeRecording(stream))),
      );
    });
  });

  describe('a failure', () => {
    const failures = noAnswers.filter((one) => one.wire === wire && one.stream);
    test.each(failures)('$name ends the answer with its meaning', (failure) => {
      expectFailure(failure);
    });
  });
}

type KnownAnswer = AnswerRecording & { facts: AnswerFacts };

/** Expects that each part starts, grows and ends in this order, and that one end is the last event. */
function expectOrder(events: readonly StreamEvent[]): void {
  const open = new Set<number>();
  let next = 0;
  expect(events[0]?.type).toBe('response-start');
  expect(events.filter(({ type }) => /^response-(start|end|error)$/.test(type))).toHaveLength(2);
  expect(events.at(-1)?.type).toBe('response-end');
  for (const event of events) {
    if (event.type === 'part-start') {
      expect(event.index).toBe(next++);
      open.add(event.index);
    } else if (event.type === 'part-delta') expect(open.has(event.index)).toBe(true);
    else if (event.type === 'part-end') expect(open.delete(event.index)).toBe(true);
  }
  expect(open.size).toBe(0);
}

function expectContent(content: AnswerContent, sent: AnswerContent): void {
  const { text, refusal, thinking, opaque, usage } = sent;
  expect(content).toMatchObject({ text, refusal, thinking, opaque });
  expect(content.usage).toEqual(usage);
  expect(content.tokens).toEqual(sent.tokens.map((token) => expect.stringContaining(token)));
  expect(content.calls.map(plainCall(sent.calls))).toEqual(sent.calls.map(plainCall(sent.calls)));
}

/**
 * Arguments are compared as text if the vendor writes text, and otherwise as values. The id is compared if
 * there is one.
 */
const plainCall =
  (sent: readonly ContentCall[]) =>
  ({ id, name, input, isFreeform }: ContentCall, index: number) => [
    name,
    isFreeform,
    sent[index]?.id === undefined ? undefined : id,
    sent[index]?.input.isExact ? input.text : JSON.parse(input.text),
  ];

const contentOfFacts = ({ calls = [], usage, ...facts }: AnswerFacts): AnswerContent => ({
  text: facts.text ?? '',
  refusal: facts.refusal ?? '',
  thinking: facts.thinking ?? '',
  tokens: facts.tokens ?? [],
  opaque: facts.opaque ?? [],
  usage: usage && { input: usage.input, output: usage.output },
  calls: calls.map(({ input, freeform = false, ...call }) => ({
    ...call,
    input: freeform ? { text: input, isExact: true } : { text: input || '{}', isExact: false },
    isFreeform: freeform,
  })),
});

/** Removes values that one host creates again in each event: item ids and encrypted reasoning. */
const comparable = ({ parts, usage, stop, model }: CanonicalResponse) => ({
  model,
  stop,
  usage: usage && usageFactsOf(usage),
  parts: parts.map((part) => {
    if (part.kind === 'opaque') return contentOf({ parts: [part], stop, model, responseId: '' }).opaque;
    const replay = 'replay' in part && part.replay ? part.replay.issuer : undefined;
    if (part.kind !== 'tool-call') return { ...part, replay };
    const input = part.input.kind === 'json' ? JSON.parse(part.input.text || '{}') : part.input.text;
    return { ...part, replay, itemId: undefined, input };
  }),
});

function expectFailure(failure: FailureRecording): void {
  const { code, text = '', never } = failure.facts;
  const events = decodeFailure(failure);
  expect(events.at(-1)).toMatchObject({ type: 'response-error', refusal: { code } });
  expect(events.filter(({ type }) => type === 'response-end')).toEqual([]);
  const texts = events.flatMap((event) =>
    event.type === 'part-delta' && event.delta.kind === 'text' ? [event.delta.text] : [],
  );
  expect(texts.join('')).toBe(text);
  if (never !== undefined) expect(JSON.stringify(events)).not.toContain(never);
}
