import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { translateAnswer } from '../../inference/carriage/translate-answer.ts';
import type { CanonicalResponse } from '../../translation/canonical/event.ts';
import { RawJson, stringifyWithRaw } from '../../translation/canonical/raw-json.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { DialectCodec } from '../../translation/contract/dialect-codec.ts';
import type { EncodeTarget } from '../../translation/contract/encode-target.ts';
import type { WireCodec } from '../../translation/contract/wire-codec.ts';
import { estimateBody } from '../../translation/tokens/estimate-body.ts';
import { estimateText } from '../../translation/tokens/estimate-text.ts';
import { findTokenFamily } from '../../translation/tokens/find-token-family.ts';
import type { PlacedDialect } from './create-dialects.ts';
import type { createWires } from './create-wires.ts';

type Protocols = {
  dialects: PlacedDialect[];
  wires: ReturnType<typeof createWires>;
};

const model = 'warm-up';
const family = findTokenFamily({ upstreamModel: model, isSimulated: true });
const target: EncodeTarget = { upstreamModel: model, reasoning: false, reasoningEfforts: [] };

const request: CanonicalRequest = {
  model,
  stream: false,
  system: [{ kind: 'text', text: 'Answer briefly.' }],
  turns: [
    { role: 'user', parts: [{ kind: 'text', text: 'How warm is it in the room?' }] },
    {
      role: 'assistant',
      parts: [{ kind: 'tool-call', callId: 'call_1', name: 'measure', input: { kind: 'json', text: '{}' } }],
    },
    {
      role: 'user',
      parts: [{ kind: 'tool-result', callId: 'call_1', content: [{ kind: 'text', text: '20 degrees' }] }],
    },
  ],
  tools: [{ kind: 'function', name: 'measure', inputSchema: new RawJson('{"type":"object"}') }],
  maxOutputTokens: 64,
  sampling: { temperature: 0.2 },
  hints: {},
};

const response: CanonicalResponse = {
  responseId: model,
  model,
  parts: [{ kind: 'text', text: 'It has 20 degrees.' }],
  usage: { input: { uncached: 40 }, output: { visible: 6 } },
  stop: { kind: 'end-turn' },
};

const estimate = {
  input: () => 40,
  text: (text: string) => Math.ceil(estimateText(text, family.vocabulary) * family.textFactor),
};

/** The paths of the dialects that most clients speak. */
const WARM_PATHS = ['/v1/chat/completions', '/v1/messages', '/v1/responses'];

/** Reads and answers a request in the dialect, with an upstream of the dialect's own wire. */
function exercise(dialect: Dialect, codec: DialectCodec, wire: WireCodec): void {
  const body = acceptedOrError(parseBodyAtOnce(acceptedOrError(wire.encodeRequest(request, target)).body));
  dialect.inspect(body.value);
  dialect.patchRequest(acceptedOrError(dialect.read(body)), model, target);
  estimateBody(body, family);
  const head = {
    responseId: model,
    model,
    createdAt: 0,
    request: acceptedOrError(codec.decodeRequest(body)),
    body,
  };
  const answer = stringifyWithRaw(codec.encodeResponse(response, head));
  translateAnswer(answer, { dialect: codec, codec: wire, head, estimate });
}

/**
 * Runs the codecs of the chat dialects once, without a call, an entry, a record or a metric. Their schemas
 * are then compiled before the first request.
 */
export function warmUp({ dialects, wires }: Protocols): void {
  for (const { path, dialect } of dialects) {
    const wire = wires.get(dialect.wire);
    if (dialect.codec && wire && WARM_PATHS.includes(path)) exercise(dialect, dialect.codec, wire);
  }
}
