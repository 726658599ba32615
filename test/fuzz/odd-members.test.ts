import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../src/base/errors/accepted-or-error.ts';
import { Refusal } from '../../src/base/errors/refusal.ts';
import { parseBodyAtOnce } from '../../src/base/json/parse-body.ts';
import { sameWireCarriage } from '../../src/inference/carriage/same-wire-carriage.ts';
import { translatedCarriage } from '../../src/inference/carriage/translated-carriage.ts';
import { createDialects, createGoogleDialects } from '../../src/program/assembly/create-dialects.ts';
import { createWires } from '../../src/program/assembly/create-wires.ts';
import type { Wire } from '../../src/translation/canonical/wire.ts';
import type { Carriage } from '../../src/translation/contract/carriage.ts';
import type { Dialect } from '../../src/translation/contract/dialect.ts';
import { END_OF_BODY, type Frame } from '../../src/translation/contract/frame.ts';
import type { InferenceRequest } from '../../src/translation/contract/inference-request.ts';
import { RefusedAnswer } from '../../src/translation/contract/refused-answer.ts';
import { fitRequest } from '../../src/translation/fitting/fit-request.ts';
import { failureOfStatus } from '../../src/upstream/calling/failure-of-status.ts';
import type { Json } from '../support/call.ts';
import { answerFixtures, type Fixture, failureFixtures } from '../support/recordings/fixture.ts';
import { prototypeWords, withPrototypeWords, withTextlessObjects } from './odd-members.ts';
import { requestSamples } from './request-samples.ts';

const wires = createWires();
const wireIds = [...wires.keys()];
const google = createGoogleDialects();
const dialects: Record<string, Dialect> = {
  ...Object.fromEntries(createDialects().map(({ path, dialect }) => [path, dialect])),
  '/v1beta/models/{model}:{method}': google.generate,
  embedContent: google.embedOne,
};

const target = {
  upstreamModel: 'm',
  reasoning: true,
  reasoningEfforts: ['low', 'high'],
  vectors: { width: 64, canShorten: true, sendsWidth: true },
};
const estimate = { input: () => 50, text: (text: string) => text.length };
const label = { id: 'id', model: 'm', estimate };

/** Runs a step that may refuse what it gets. Any other error is a finding. */
function attempt(findings: Set<string>, about: string, step: () => unknown): void {
  try {
    step();
  } catch (error) {
    if (error instanceof Refusal || error instanceof RefusedAnswer || error instanceof SyntaxError) return;
    findings.add(`${about}: ${(error as Error).stack?.split('\n').slice(0, 2).join(' ')}`);
  }
}

function readRequest(dialect: Dialect, text: string): InferenceRequest | Refusal {
  const parsed = parseBodyAtOnce(text);
  const body = parsed instanceof Refusal ? parsed : (dialect.bodyAt?.(parsed, { id: 'm' }) ?? parsed);
  return body instanceof Refusal ? body : dialect.read(body);
}

/** Carries a request on its own wire or on a different wire. */
function carry(dialect: Dialect, request: InferenceRequest, wire: Wire): Carriage | Refusal | undefined {
  if (wire === dialect.wire) return sameWireCarriage({ dialect, request, label, style: 'openai' }, target);
  const codec = wires.get(wire);
  if (!dialect.codec || !codec) return undefined;
  const decoded = request.canonical ?? dialect.codec.decodeRequest(request.body);
  const fitted = decoded instanceof Refusal ? decoded : fitRequest(decoded, codec.id);
  if (fitted instanceof Refusal) return fitted;
  const head = { responseId: 'id', model: 'm', createdAt: 0, request: fitted.request, body: request.body };
  return translatedCarriage({ dialect: dialect.codec, codec, wire, head, target, estimate });
}

/** Gives the words of an answer's end another value. */
const withEnding = (text: string, word: string): string =>
  text.replace(/("(?:\w*stop_?reason|finish_?reason|reason|status)": ?)"[^"]+"/gi, `$1"${word}"`);

test('an answer that ends for a reason with such a name has a stop of the gateway', () => {
  const findings = new Set<string>();
  const stops = new Set<unknown>();
  for (const { wire, frames } of answerFixtures)
    for (const word of prototypeWords) {
      const codec = wires.get(wire)!;
      const decode = codec.streamDecoder();
      const lines = frames.map((frame) => withEnding(frame, word));
      attempt(findings, wire, () => {
        for (const event of [...framesOf(wire, lines), codec.closingFrame ?? END_OF_BODY].flatMap(decode))
          if (event.type === 'response-end') stops.add(event.stop.kind);
      });
    }
  expect([...findings]).toEqual([]);
  expect(stops.size).toBeGreaterThan(1);
  expect([...stops].filter((stop) => typeof stop !== 'string')).toEqual([]);
});

test.each([
  { what: 'a name of the prototype', change: withPrototypeWords },
  { what: 'an object without a text', change: withTextlessObjects },
])('a request with $what at any place is refused or translated', ({ change }) => {
  const findings = new Set<string>();
  const known: Record<string, Set<string>> = {};
  let taken = 0;
  for (const [path, sample] of requestSamples) {
    const dialect = dialects[path];
    if (dialect === undefined) continue;
    known[path] ??= new Set();
    for (const text of change(sample, known[path])) {
      attempt(findings, `${path} ${text.slice(0, 1_000)}`, () => {
        const request = readRequest(dialect, text);
        if (request instanceof Refusal) return expect(request.status).toBeLessThan(500);
        dialect.inspect(request.body.value);
        // Words at a place meet different wires.
        carry(dialect, request, taken++ % 3 === 0 ? dialect.wire : wireIds[taken % wireIds.length]!);
      });
    }
  }
  expect([...findings].slice(0, 20)).toEqual([]);
  expect(taken).toBeGreaterThan(200);
});

const asks: [path: string, body: Json][] = [
  ['/v1/chat/completions', { model: 'm', stream: true, messages: [{ role: 'user', content: 'a' }] }],
  ['/v1/messages', { model: 'm', stream: true, max_tokens: 9, messages: [{ role: 'user', content: 'a' }] }],
  ['/v1/responses', { model: 'm', stream: true, input: 'a' }],
  ['/v1beta/interactions', { model: 'm', stream: true, input: 'a' }],
];
const asked = asks.map(([path, body]) => {
  const request = acceptedOrError(readRequest(dialects[path]!, JSON.stringify(body)));
  return { dialect: dialects[path]!, request };
});

/** The frames of a stream, as the splitter of its wire makes them. */
const framesOf = (wire: Wire, lines: readonly string[]): Frame[] =>
  lines.flatMap((data): Frame[] => {
    if (wire === 'bedrock-converse')
      return Object.entries(JSON.parse(data)).map(([event, payload]) => ({
        event,
        data: JSON.stringify(payload),
      }));
    return [
      wire === 'anthropic-messages' ? { event: String(/"type":"(\w+)"/.exec(data)?.[1]), data } : { data },
    ];
  });

/** `changed`: the text with the word, of a line or of the whole answer. */
type OddAnswer = { changed: string; isWhole: boolean; lines: readonly string[] };

/** Reads a stream or a whole answer for a client of its own dialect or of a different one. */
function readAnswer(wire: Wire, { changed, isWhole, lines }: OddAnswer, at: number): void {
  const own = at % 3 === 0 ? asked.find(({ dialect }) => dialect.wire === wire) : undefined;
  const { dialect, request } = own ?? asked[at % asked.length]!;
  const carriage = carry(dialect, request, wire);
  if (carriage === undefined || carriage instanceof Refusal) throw new Error('the request is refused');
  if (isWhole) {
    carriage.readAnswer(changed);
    return;
  }
  const reader = carriage.frameReader();
  for (const frame of framesOf(wire, lines)) if (reader.read(frame).ends) return;
  if (carriage.closingFrame) reader.read(carriage.closingFrame);
}

const isJson = (text: string): boolean => text.startsWith('{') && text.endsWith('}');

type Change = typeof withPrototypeWords;

/** Yields the answers of a fixture with one odd place each. */
function* oddAnswers(
  { frames, whole }: Fixture<unknown>,
  known: Set<string>,
  change: Change,
): Generator<OddAnswer> {
  if (whole !== undefined)
    for (const changed of change(JSON.parse(whole), known)) yield { changed, isWhole: true, lines: [] };
  for (const [at, frame] of frames.entries())
    if (isJson(frame))
      for (const changed of change(JSON.parse(frame), known))
        yield { changed, isWhole: false, lines: frames.with(at, changed) };
}

test.each([
  { what: 'a name of the prototype', change: withPrototypeWords },
  { what: 'an object without a text', change: withTextlessObjects },
])('an answer with $what at any place is refused, passed on or translated', ({ change }) => {
  const findings = new Set<string>();
  const known: Record<string, Set<string>> = {};
  let count = 0;
  for (const fixture of [...answerFixtures, ...failureFixtures]) {
    known[fixture.wire] ??= new Set();
    for (const answer of oddAnswers(fixture, known[fixture.wire]!, change)) {
      const about = `${fixture.name} ${answer.changed}`;
      attempt(findings, about, () => readAnswer(fixture.wire, answer, count++));
      if (answer.isWhole) attempt(findings, about, () => failureOfStatus(400, answer.changed, new Headers()));
    }
  }
  expect([...findings].slice(0, 20)).toEqual([]);
  expect(count).toBeGreaterThan(200);
});
