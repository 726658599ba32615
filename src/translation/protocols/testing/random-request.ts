import type { Part, ToolCallPart } from '../../canonical/part.ts';
import type { ProtocolId } from '../../canonical/protocol-id.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, FunctionTool, ToolChoice, Turn } from '../../canonical/request.ts';
import { plainRequest } from '../../canonical/testing/plain-request.ts';
import { RandomSource } from './random-source.ts';

const PIXEL = 'iVBORw0KGgo=';
const schema = new RawJson('{ "type":"object", "properties": {"n":{"type":"number","maximum":1e400}} }');

/**
 * Builds a conversation that depends only on the seed: texts, media, thinking, parallel calls with results,
 * and system texts between turns.
 */
export function randomRequest(seed: number, issuer: ProtocolId): CanonicalRequest {
  const random = new RandomSource(seed);
  const tools: FunctionTool[] = ['find', 'open', 'close'].slice(0, random.below(4)).map((name) => ({
    kind: 'function',
    name,
    description: `Does ${name}.`,
    inputSchema: schema,
  }));
  const choices: ToolChoice[] = [{ kind: 'auto' }, { kind: 'any' }, { kind: 'named', name: 'find' }];
  return plainRequest({
    system: random.chance() ? [{ kind: 'text', text: randomText(random), cache: {} }] : [],
    turns: [
      userTurn(random),
      ...Array.from({ length: random.below(5) }, () => roundOf(random, issuer)).flat(),
    ],
    tools,
    ...(tools.length > 0 && random.chance() && { toolChoice: random.of(choices) }),
    ...(random.chance() && { maxOutputTokens: 2_000 + random.below(3_000) }),
    sampling: { ...(random.chance() && { temperature: 0.5, stopSequences: ['END', 'STOP'] }) },
  });
}

/** Returns a text that is never blank, and rarely the same twice. */
const randomText = (random: RandomSource): string =>
  `${random.of(['wörd', ' "q" ', '\\n\n', '🜁', '{"a":'])}${random.below(1_000_000)}`;

function userTurn(random: RandomSource): Turn {
  const parts: Part[] = [{ kind: 'text', text: randomText(random), ...(random.chance() && { cache: {} }) }];
  const source = { kind: 'base64', data: PIXEL } as const;
  if (random.chance()) parts.push({ kind: 'image', source: { ...source, mediaType: 'image/png' } });
  if (random.chance()) {
    parts.push({
      kind: 'document',
      source: { ...source, mediaType: 'application/pdf' },
      filename: 'ä_b/c.pdf',
    });
  }
  return { role: random.below(8) === 0 ? 'system' : 'user', parts };
}

/** Builds an assistant turn, followed by the results of its calls and the next question. */
function roundOf(random: RandomSource, issuer: ProtocolId): Turn[] {
  const parts: Part[] = [];
  if (random.chance()) {
    const replay = {
      issuer: random.chance() ? issuer : 'responses',
      data: `c2lnbmF0dXJl${random.below(99)}`,
    } as const;
    parts.push({
      kind: 'thinking',
      text: randomText(random),
      form: 'full',
      ...(random.chance() && { replay }),
    });
  }
  if (random.chance()) parts.push({ kind: 'text', text: randomText(random) });
  const calls = Array.from({ length: random.below(3) }, () => callOf(random));
  parts.push(...calls);
  const results: Part[] = calls.map(({ callId }) => ({
    kind: 'tool-result',
    callId,
    content: random.chance() ? [{ kind: 'text', text: randomText(random) }] : [],
    ...(random.chance() && { isError: true }),
  }));
  const answer: Turn[] = parts.length > 0 ? [{ role: 'assistant', parts }] : [];
  const next = calls.length === 0 || random.chance() ? [userTurn(random)] : [];
  return results.length > 0
    ? [...answer, { role: 'user', parts: results.reverse() }, ...next]
    : [...answer, ...next];
}

const callOf = (random: RandomSource): ToolCallPart => ({
  kind: 'tool-call',
  callId: `${random.of(['call_', 'toolu_', 'g.:', ''])}${random.below(1_000_000_000)}`,
  name: random.of(['find', 'open', 'close']),
  input: { kind: 'json', text: random.of(['', '{"n":1.0}', '{ "a": [1] }']) },
});
