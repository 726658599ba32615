import { RawJson } from '../../../canonical/raw-json.ts';
import type { CanonicalRequest, Tool, ToolChoice, Turn } from '../../../canonical/request.ts';
import { RandomSource } from '../../testing/random-source.ts';
import { opaque, randomPart, words } from './random-part.ts';

/**
 * Builds a request from features that this wire can express, so that encoding and decoding return the same
 * request.
 */
export function randomRequest(seed: number): CanonicalRequest {
  const random = new RandomSource(seed);
  const tools = randomTools(random);
  const toolChoice = randomChoice(random, tools);
  return {
    model: 'm',
    stream: random.chance(),
    system: random.chance() ? [] : [{ kind: 'text', text: random.of(words.slice(1)) }],
    turns: randomTurns(random),
    tools,
    ...(toolChoice && { toolChoice }),
    ...random.maybe({ parallelToolCalls: random.chance() }),
    ...random.maybe({ maxOutputTokens: 16 + random.below(100) }),
    sampling: {
      ...random.maybe({ temperature: random.below(3) / 2 }),
      ...random.maybe({ topP: random.below(3) / 2 }),
    },
    ...random.maybe({ format: randomFormat(random) }),
    ...random.maybe({ thinking: randomThinking(random) }),
    hints: {
      ...random.maybe({ cacheKey: 'k', wantsCache: true, user: 'u' }),
      ...random.maybe({ serviceTier: 'flex' }),
    },
    ...random.maybe({ opaque: [{ ...opaque, block: { truncation: 'auto' } }] }),
    ...random.maybe({ verbosity: 'low' }),
  };
}

const randomFormat = (random: RandomSource): NonNullable<CanonicalRequest['format']> =>
  random.of([
    { kind: 'text' },
    { kind: 'json-object' },
    { kind: 'json-schema', name: 'n', schema: new RawJson('{"b":1.0,"a":2}'), strict: true },
  ]);

const randomThinking = (random: RandomSource): NonNullable<CanonicalRequest['thinking']> => ({
  mode: 'default',
  effort: random.of(['low', 'high']),
  effortIsRequired: true,
  visible: true,
  display: random.of(['auto', 'concise', 'detailed']),
});

function randomTools(random: RandomSource): Tool[] {
  return Array.from({ length: random.below(4) }, (_, index): Tool => {
    const named = {
      name: `t${index}`,
      ...random.maybe({ namespace: 'crm' }),
      ...random.maybe({ description: 'd' }),
    };
    const inputSchema = new RawJson('{"type":"object", "properties":{"z":{},"a":{"maximum":1e2}}}');
    return random.of<Tool>([
      { kind: 'function', ...named, inputSchema, strict: random.chance() },
      { kind: 'freeform', ...named, ...random.maybe({ format: new RawJson('{"type":"text"}') }) },
      { kind: 'opaque', issuer: 'responses', tool: new RawJson('{"type":"web_search","n":1.0}') },
    ]);
  });
}

function randomChoice(random: RandomSource, tools: readonly Tool[]): ToolChoice | undefined {
  const [tool] = tools;
  if (tool === undefined || random.chance()) return undefined;
  if (tool.kind === 'opaque') return random.of([{ kind: 'any' }, { kind: 'named', name: 'web_search' }]);
  const { name, namespace } = tool;
  return random.of<ToolChoice>([
    { kind: 'auto' },
    { kind: 'none' },
    { kind: 'any' },
    { kind: 'named', name, ...(namespace !== undefined && { namespace }) },
  ]);
}

/** Builds alternating turns. No turn begins with a part that has no role of its own. */
function randomTurns(random: RandomSource): Turn[] {
  const first: Turn = { role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
  const turns: Turn[] = [first];
  for (let count = random.below(6); count > 0; count--) {
    const role = random.of(
      (['user', 'assistant', 'system'] as const).filter((one) => one !== turns.at(-1)!.role),
    );
    const parts = Array.from({ length: 1 + random.below(4) }, () => randomPart(random, role));
    turns.push({ role, parts: [{ kind: 'text', text: 'x' }, ...parts] });
  }
  return turns;
}
