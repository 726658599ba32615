import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../src/base/errors/accepted-or-error.ts';
import { Refusal } from '../../src/base/errors/refusal.ts';
import { parseBodyAtOnce } from '../../src/base/json/parse-body.ts';
import type { ProtocolId } from '../../src/translation/canonical/protocol-id.ts';
import { RawJson } from '../../src/translation/canonical/raw-json.ts';
import type { CanonicalRequest, Turn } from '../../src/translation/canonical/request.ts';
import type { DialectCodec } from '../../src/translation/contract/dialect-codec.ts';
import type { WireCodec } from '../../src/translation/contract/wire-codec.ts';
import { bedrockWire } from '../../src/translation/protocols/bedrock/bedrock-wire.ts';
import { createChatDialectCodec } from '../../src/translation/protocols/chat-completions/create-chat-dialect-codec.ts';
import { createChatWireCodec } from '../../src/translation/protocols/chat-completions/create-chat-wire-codec.ts';
import { googleWire } from '../../src/translation/protocols/google/google-wire.ts';
import { createMessagesWireCodec } from '../../src/translation/protocols/messages/create-messages-wire-codec.ts';
import { createMessagesDialectCodec } from '../../src/translation/protocols/messages/messages-dialect-codec.ts';
import { RequestGenerator } from '../../src/translation/protocols/messages/testing/request-generator.ts';
import { createResponsesDialectCodec } from '../../src/translation/protocols/responses/responses-dialect-codec.ts';
import { responsesWire } from '../../src/translation/protocols/responses/responses-wire.ts';
import { randomRequest as responsesRequest } from '../../src/translation/protocols/responses/testing/random-request.ts';
import { randomRequest } from '../../src/translation/protocols/testing/random-request.ts';
import { RandomSource } from '../../src/translation/protocols/testing/random-source.ts';
import { facets, plainly } from '../support/request-facets.ts';

type Protocol = { name: string; dialect: DialectCodec; wire: WireCodec };
const protocols: Protocol[] = [
  { name: 'chat completions', dialect: createChatDialectCodec(), wire: createChatWireCodec() },
  { name: 'messages', dialect: createMessagesDialectCodec(), wire: createMessagesWireCodec() },
  { name: 'responses', dialect: createResponsesDialectCodec(), wire: responsesWire },
];

const generators: Record<string, (seed: number) => CanonicalRequest> = {
  plain: (seed) => randomRequest(seed, 'messages'),
  'of messages': (seed) => new RequestGenerator(new RandomSource(seed)).request(),
  'of responses': responsesRequest,
};

const REQUESTS = 120;
const target = {
  upstreamModel: 'm',
  reasoning: true,
  reasoningEfforts: ['low', 'medium', 'high'],
};

function decoded({ dialect }: Protocol, body: string): CanonicalRequest {
  return acceptedOrError(dialect.decodeRequest(acceptedOrError(parseBodyAtOnce(body))));
}

const opening: Turn = { role: 'user', parts: [{ kind: 'text', text: 'hello' }] };

/**
 * Makes a request that every protocol can have. One protocol needs a ceiling. At some, guidance alone becomes
 * a turn of the user's. Only some have media in guidance.
 */
const usable = (request: CanonicalRequest): CanonicalRequest => ({
  ...request,
  maxOutputTokens: request.maxOutputTokens ?? 1_000,
  turns: [
    opening,
    ...request.turns.map((turn) =>
      turn.role === 'system' ? { ...turn, parts: turn.parts.filter(({ kind }) => kind === 'text') } : turn,
    ),
  ],
});

/** Returns a request in that protocol. Returns undefined if the protocol cannot express it. */
function askedIn(from: Protocol, request: CanonicalRequest): CanonicalRequest | undefined {
  const encoded = from.wire.encodeRequest(request, target);
  return encoded instanceof Refusal ? undefined : decoded(from, encoded.body);
}

/** Lists the facets that changed without a listed loss. */
function unreported(request: CanonicalRequest, to: Protocol): string[] | undefined {
  const encoded = to.wire.encodeRequest(request, target);
  if (encoded instanceof Refusal) return undefined;
  const arrived = decoded(to, encoded.body);
  const losses = new Set(encoded.losses.map(({ code }) => code));
  return Object.entries(facets).flatMap(([name, { read, excusedBy }]) => {
    if (excusedBy.some((code) => losses.has(code))) return [];
    const was = plainly(read(request));
    const is = plainly(read(arrived));
    return was === is ? [] : [`${name}: ${was} → ${is} (${[...losses]})`];
  });
}

const pairs = protocols.flatMap((from) => protocols.map((to) => ({ from, to })));

for (const [kind, generate] of Object.entries(generators)) {
  test.each(
    pairs,
  )(`a conversation ${kind}, from $from.name to $to.name: everything arrives that is not listed as lost`, ({
    from,
    to,
  }) => {
    let arrived = 0;
    for (let seed = 0; seed < REQUESTS; seed++) {
      const request = askedIn(from, usable(generate(seed)));
      const problems = request && unreported(request, to);
      if (problems === undefined) continue;
      expect(problems).toEqual([]);
      arrived++;
    }
    expect(arrived).toBeGreaterThan(REQUESTS / 10);
  });
}

const foreign = (issuer: ProtocolId): CanonicalRequest => ({
  model: 'm',
  stream: false,
  system: [],
  turns: [opening],
  tools: [
    { kind: 'function', name: 'find' },
    { kind: 'opaque', issuer, tool: new RawJson('{"type":"web_search","name":"web_search"}') },
  ],
  toolChoice: { kind: 'named', name: 'web_search' },
  sampling: {},
  hints: {},
});

test.each([
  ...protocols.map(({ wire }) => wire),
  googleWire,
  bedrockWire,
])('refuses a forced call of a tool that the provider does not know: $id', (wire) => {
  const request = foreign(wire.id === 'responses' ? 'messages' : 'responses');
  const refusal = wire.encodeRequest(request, target);
  expect(refusal).toMatchObject({ code: 'route_not_qualified', param: 'tool_choice' });
  const { toolChoice: _, ...free } = request;
  const encoded = wire.encodeRequest(free, target);
  expect(encoded).toMatchObject({ losses: [{ code: 'opaque-tool' }] });
});
