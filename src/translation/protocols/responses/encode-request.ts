import type { Refusal } from '../../../base/errors/refusal.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, OutputFormat } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodedRequest } from '../../contract/wire-codec.ts';
import { EncodeNotes } from '../../encoding/encode-notes.ts';
import { fitHint, MAX_OPENAI_HINT_LENGTH } from '../../encoding/fit-hint.ts';
import { ownFieldsFor } from '../../encoding/own-fields.ts';
import { refuseWhatEventsLack } from '../../encoding/refuse-what-events-lack.ts';
import { renameTools } from '../../encoding/rename-tools.ts';
import { LONG_NAME } from '../../encoding/tool-names.ts';
import { encodeInput } from './encode-input.ts';
import { encodeReasoning } from './encode-reasoning.ts';
import { encodeToolChoice, encodeTools } from './encode-tools.ts';
import { fitCeiling } from './fit-ceiling.ts';

/** The gateway stores answers itself and never asks the upstream to. */
const KEEPS_NOTHING = { store: false };

const tiers = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']);

/** Another vendor's names of the default tier. */
const ordinaryTiers = new Set(['standard', 'standard_only']);

/** Encodes a request. Requirements that this wire cannot express are refused, and hints are lost. */
export function encodeRequest(original: CanonicalRequest, target: EncodeTarget): EncodedRequest | Refusal {
  const request = renameTools(original, LONG_NAME);
  const { maxOutputTokens } = request;
  const notes = new EncodeNotes();
  const system = request.turns.length > 0 ? encodeSystem(request, notes) : undefined;
  const leading = system !== undefined && target.systemAs === 'developer' ? [developerMessage(system)] : [];
  refuseWhatEventsLack(request, notes);
  noteUnsupported(request, notes);
  const tools = encodeTools(request.tools, notes);
  const ownFields = ownFieldsFor('responses', request, notes);
  const body = {
    model: target.upstreamModel,
    instructions: leading.length > 0 ? undefined : system,
    tools: tools.length > 0 ? tools : undefined,
    input: [...leading, ...encodeInput(withTurn(request), target, notes)],
    ...ownFields,
    tool_choice: encodeToolChoice(request, notes),
    parallel_tool_calls: request.parallelToolCalls,
    max_output_tokens: maxOutputTokens === undefined ? undefined : fitCeiling(maxOutputTokens, target),
    temperature: request.sampling.temperature,
    top_p: request.sampling.topP,
    text: encodeText(request),
    ...encodeReasoning(request, target, notes),
    ...encodeHints(request, notes),
    ...KEEPS_NOTHING,
    stream: request.stream,
  };
  return notes.refusal ?? { body: stringifyWithRaw(body), losses: notes.losses };
}

/** Writes instructions as a leading message of the developer, which some models cache instead. */
const developerMessage = (text: string) => ({
  type: 'message',
  role: 'developer',
  content: [{ type: 'input_text', text }],
});

/** Turns a lone system prompt into a turn, since at least one item is required. */
const withTurn = (request: CanonicalRequest): CanonicalRequest =>
  request.turns.length > 0 ? request : { ...request, turns: [{ role: 'system', parts: request.system }] };

/** Notes what this wire cannot express. */
function noteUnsupported({ sampling }: CanonicalRequest, notes: EncodeNotes): void {
  if (sampling.topK !== undefined) notes.lose('top-k');
  if (sampling.frequencyPenalty || sampling.presencePenalty) notes.lose('penalty');
  if (sampling.seed !== undefined) notes.lose('seed');
}

function encodeSystem({ system }: CanonicalRequest, notes: EncodeNotes): string | undefined {
  if (system.some(({ cache }) => cache)) notes.lose('cache-breakpoint');
  return system.length > 0 ? system.map(({ text }) => text).join('\n\n') : undefined;
}

function encodeText({ format, verbosity }: CanonicalRequest): object | undefined {
  if (format === undefined && verbosity === undefined) return undefined;
  return { ...(format && { format: encodeFormat(format) }), verbosity };
}

function encodeFormat(format: OutputFormat): unknown {
  if (format.kind === 'text') return { type: 'text' };
  if (format.kind === 'json-object') return { type: 'json_object' };
  const { name = 'answer', description, schema, strict } = format;
  return { type: 'json_schema', name, description, schema, strict };
}

function encodeHints({ hints }: CanonicalRequest, notes: EncodeNotes) {
  const { cacheKey, user, serviceTier, cacheRetention } = hints;
  const knowsTier = serviceTier === undefined || tiers.has(serviceTier);
  if (!knowsTier && !ordinaryTiers.has(serviceTier)) notes.lose('service-tier');
  return {
    prompt_cache_key: fitHint(cacheKey, MAX_OPENAI_HINT_LENGTH),
    prompt_cache_retention: cacheRetention,
    safety_identifier: fitHint(user, MAX_OPENAI_HINT_LENGTH),
    service_tier: knowsTier ? serviceTier : undefined,
  };
}
