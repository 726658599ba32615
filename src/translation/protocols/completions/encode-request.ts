import type { Refusal } from '../../../base/errors/refusal.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodedRequest } from '../../contract/wire-codec.ts';
import { EncodeNotes } from '../../encoding/encode-notes.ts';
import { noteUnsupported } from '../../encoding/note-unsupported.ts';
import { ownFieldsFor } from '../../encoding/own-fields.ts';
import { planThinking } from '../../encoding/plan-thinking.ts';
import { stopsForWire } from '../../encoding/stops-for-wire.ts';
import { outputCeiling } from './output-ceiling.ts';
import { PROTOCOL } from './protocol.ts';
import { isTranscript, NEXT_SPEAKER, writePrompt } from './write-prompt.ts';

const MAX_STOPS = 4;

/** Encodes a request for hosts that only continue a text. Anything other than text is refused. */
export function encodeRequest(request: CanonicalRequest, target: EncodeTarget): EncodedRequest | Refusal {
  const notes = new EncodeNotes();
  noteUnsupported(request, notes);
  noteNonText(request, notes);
  if (planThinking(request, target, notes)) notes.lose('thinking-budget');
  const { sampling, maxOutputTokens, stream } = request;
  const body = {
    model: target.upstreamModel,
    prompt: writePrompt(request, notes),
    max_tokens: outputCeiling(maxOutputTokens, target),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    seed: sampling.seed,
    stop: stopsOf(request),
    ...ownFieldsFor(PROTOCOL, request, notes),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  };
  return notes.refusal ?? { body: JSON.stringify(body), losses: notes.losses };
}

/** Notes the options for an answer other than plain text. */
function noteNonText({ tools, toolChoice, format, sampling }: CanonicalRequest, notes: EncodeNotes): void {
  if (tools.length > 0 && toolChoice?.kind !== 'none')
    notes.refuseField('tools', 'the chosen model cannot call tools');
  if (format?.kind === 'json-schema' && format.strict)
    notes.refuseField('response_format', 'the chosen model cannot follow a schema');
  else if (format && format.kind !== 'text') notes.lose('output-format');
  if (sampling.topK !== undefined) notes.lose('top-k');
}

/** Returns the stop sequences of the client, and the one that ends an answer in a transcript. */
function stopsOf(request: CanonicalRequest): string[] | undefined {
  const added = isTranscript(request) ? [NEXT_SPEAKER] : [];
  const limit = MAX_STOPS - added.length;
  const stops = [...(stopsForWire(request.sampling.stopSequences, { limit }) ?? []), ...added];
  return stops.length > 0 ? stops : undefined;
}
