import type { DocumentPart, ImagePart, MediaSource, Part, ReplayToken } from '../../../canonical/part.ts';
import { RawJson } from '../../../canonical/raw-json.ts';
import type { CanonicalRequest, Tool, ToolChoice, Turn } from '../../../canonical/request.ts';

/** Creates a generator that returns the same numbers for the same seed. */
export function randomNumbers(seed: number): (bound: number) => number {
  let state = (seed + 1) * 2_654_435_761;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % bound;
  };
}

type Next = (bound: number) => number;

const words = ['', 'a', 'zwei "Wörter"', '{"x":1}', 'three\nlines\r\n\\n', '𝄞 \u2028'];
const pick = <Value>(next: Next, values: readonly Value[]): Value => values[next(values.length)]!;
const maybe = <Value extends object>(next: Next, value: Value): Value | Record<never, never> =>
  next(2) === 0 ? value : {};
const opaque = {
  kind: 'opaque',
  issuer: 'responses',
  block: { type: 'web_search_call', id: 'ws_1' },
} as const;

/**
 * Builds a request from features that this wire can express, so that encoding and decoding return the same
 * request.
 */
export function randomRequest(seed: number): CanonicalRequest {
  const next = randomNumbers(seed);
  const tools = randomTools(next);
  const toolChoice = randomChoice(next, tools);
  return {
    model: 'm',
    stream: next(2) === 0,
    system: next(2) === 0 ? [] : [{ kind: 'text', text: pick(next, words.slice(1)) }],
    turns: randomTurns(next),
    tools,
    ...(toolChoice && { toolChoice }),
    ...maybe(next, { parallelToolCalls: next(2) === 0 }),
    ...maybe(next, { maxOutputTokens: 16 + next(100) }),
    sampling: { ...maybe(next, { temperature: next(3) / 2 }), ...maybe(next, { topP: next(3) / 2 }) },
    ...maybe(next, { format: randomFormat(next) }),
    ...maybe(next, { thinking: randomThinking(next) }),
    hints: { ...maybe(next, { cacheKey: 'k', user: 'u' }), ...maybe(next, { serviceTier: 'flex' }) },
    ...maybe(next, { opaque: [{ ...opaque, block: { truncation: 'auto' } }] }),
    ...maybe(next, { verbosity: 'low' }),
  };
}

const randomFormat = (next: Next): NonNullable<CanonicalRequest['format']> =>
  pick(next, [
    { kind: 'text' },
    { kind: 'json-object' },
    { kind: 'json-schema', name: 'n', schema: new RawJson('{"b":1.0,"a":2}'), strict: true },
  ]);

const randomThinking = (next: Next): NonNullable<CanonicalRequest['thinking']> => ({
  mode: 'default',
  effort: pick(next, ['low', 'high']),
  effortIsHard: true,
  visible: true,
  display: pick(next, ['auto', 'concise', 'detailed']),
});

function randomTools(next: Next): Tool[] {
  return Array.from({ length: next(4) }, (_, index): Tool => {
    const named = {
      name: `t${index}`,
      ...maybe(next, { namespace: 'crm' }),
      ...maybe(next, { description: 'd' }),
    };
    const inputSchema = new RawJson('{"type":"object", "properties":{"z":{},"a":{"maximum":1e2}}}');
    return pick<Tool>(next, [
      { kind: 'function', ...named, inputSchema, strict: next(2) === 0 },
      { kind: 'freeform', ...named, ...maybe(next, { format: new RawJson('{"type":"text"}') }) },
      { kind: 'opaque', issuer: 'responses', tool: new RawJson('{"type":"web_search","n":1.0}') },
    ]);
  });
}

function randomChoice(next: Next, tools: readonly Tool[]): ToolChoice | undefined {
  const [tool] = tools;
  if (tool === undefined || next(2) === 0) return undefined;
  if (tool.kind === 'opaque') return pick(next, [{ kind: 'any' }, { kind: 'named', name: 'web_search' }]);
  const { name, namespace } = tool;
  return pick<ToolChoice>(next, [
    { kind: 'auto' },
    { kind: 'none' },
    { kind: 'any' },
    { kind: 'named', name, ...(namespace !== undefined && { namespace }) },
  ]);
}

/** Builds alternating turns. No turn begins with a part that has no role of its own. */
function randomTurns(next: Next): Turn[] {
  const first: Turn = { role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
  const turns: Turn[] = [first];
  for (let count = next(6); count > 0; count--) {
    const role = pick(
      next,
      (['user', 'assistant', 'system'] as const).filter((one) => one !== turns.at(-1)!.role),
    );
    const parts = Array.from({ length: 1 + next(4) }, () => randomPart(next, role));
    turns.push({ role, parts: [{ kind: 'text', text: 'x' }, ...parts] });
  }
  return turns;
}

function randomPart(next: Next, role: Turn['role']): Part {
  if (role === 'system') return { kind: 'text', text: pick(next, words) };
  if (next(8) === 0) return opaque;
  return role === 'user' ? randomUserPart(next) : randomAssistantPart(next);
}

const image = (next: Next): ImagePart => ({
  kind: 'image',
  source: pick<MediaSource>(next, [
    { kind: 'url', url: 'https://a.test/b.png' },
    { kind: 'base64', mediaType: 'image/png', data: 'AAAA' },
    { kind: 'file', fileId: 'file-1' },
  ]),
  ...maybe(next, { detail: 'low' as const }),
});

const document = (next: Next): DocumentPart => ({
  kind: 'document',
  ...pick<Pick<DocumentPart, 'source' | 'filename'>>(next, [
    { source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBE' }, filename: 'a.pdf' },
    { source: { kind: 'text', text: pick(next, words) }, filename: 'a.txt' },
    { source: { kind: 'url', url: 'https://a.test/b.pdf' } },
    { source: { kind: 'file', fileId: 'file-1' } },
  ]),
});

const randomUserPart = (next: Next): Part =>
  pick<() => Part>(next, [
    () => ({ kind: 'text', text: pick(next, words) }),
    () => image(next),
    () => document(next),
    () => ({ kind: 'audio', source: { kind: 'base64', mediaType: 'audio/wav', data: 'AAAA' } }),
    () => ({
      kind: 'tool-result',
      callId: 'c',
      ...maybe(next, { isFreeform: true }),
      content: pick(next, [
        [{ kind: 'text', text: pick(next, words) }],
        [
          { kind: 'text', text: 'a' },
          { kind: 'text', text: '' },
        ],
        [image(next), { kind: 'text', text: 'a' }, document(next)],
      ]),
    }),
  ])();

const randomAssistantPart = (next: Next): Part =>
  pick<() => Part>(next, [
    () => ({ kind: 'text', text: pick(next, words) }),
    () => ({
      kind: 'text',
      text: 'cited',
      citations: [
        {
          issuer: 'responses',
          url: 'https://a.test/',
          raw: { type: 'url_citation', url: 'https://a.test/' },
        },
      ],
    }),
    () => ({ kind: 'refusal', text: 'no' }),
    () => randomThought(next),
    () => ({
      kind: 'tool-call',
      callId: 'c',
      ...maybe(next, { itemId: 'fc_1' }),
      name: 'f',
      ...maybe(next, { namespace: 'crm' }),
      input: pick(next, [
        { kind: 'json', text: '{"a": 1.0}' },
        { kind: 'freeform', text: pick(next, words) },
      ]),
    }),
  ])();

function randomThought(next: Next): Part {
  const replay: ReplayToken = { issuer: 'responses', ...maybe(next, { itemId: 'rs_1' }), data: 'sealed' };
  const text = pick(next, words);
  const form = text === '' || next(2) === 0 ? 'summary' : 'full';
  return { kind: 'thinking', form, text, replay };
}
