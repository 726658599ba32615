import type { Refusal } from '../../../base/errors/refusal.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodedRequest } from '../../contract/wire-codec.ts';
import { EncodeNotes } from '../../encoding/encode-notes.ts';
import { flattenTools } from '../../encoding/flatten-tools.ts';
import { type Conversation, hoistSystem } from '../../encoding/join-turns.ts';
import { noteUnsupported } from '../../encoding/note-unsupported.ts';
import { ownFieldsFor } from '../../encoding/own-fields.ts';
import { renameTools } from '../../encoding/rename-tools.ts';
import { GOOGLE_NAME } from '../../encoding/tool-names.ts';
import { PRICED_TIERS } from '../google/decode-tier.ts';
import { encodeFormat, encodeGeneration } from './encode-generation.ts';
import { encodeSteps } from './encode-steps.ts';
import { encodeToolChoice, encodeTools } from './encode-tools.ts';

/** The gateway stores answers itself and never asks the upstream to. */
const KEEPS_NOTHING = { store: false };

/** Encodes a request. Requirements that this wire cannot express are refused, and hints are lost. */
export function encodeRequest(original: CanonicalRequest, target: EncodeTarget): EncodedRequest | Refusal {
  const { request, losses } = flattenTools(renameTools(original, GOOGLE_NAME), { wrapFreeform: true });
  const notes = new EncodeNotes();
  noteUnsupported(request, notes, PRICED_TIERS);
  const { serviceTier = '' } = request.hints;
  const ownFields = ownFieldsFor('interactions', request, notes);
  const conversation = hoistSystem(request, notes);
  const toolChoice = encodeToolChoice(request, notes);
  const body = {
    model: target.upstreamModel,
    system_instruction: encodeSystem(conversation, notes),
    tools: encodeTools(request.tools, notes),
    input: encodeSteps(conversation, notes),
    response_format: encodeFormat(request.format),
    generation_config: encodeGeneration(request, toolChoice, { target, notes }),
    service_tier: PRICED_TIERS.has(serviceTier) ? serviceTier : undefined,
    ...ownFields,
    ...KEEPS_NOTHING,
    stream: request.stream ? true : undefined,
  };
  return notes.refusal ?? { body: stringifyWithRaw(body), losses: [...losses, ...notes.losses] };
}

function encodeSystem({ system }: Conversation, notes: EncodeNotes): string | undefined {
  if (system.some(({ cache }) => cache)) notes.lose('cache-breakpoint');
  const text = system
    .map((part) => part.text)
    .filter((text) => text !== '')
    .join('\n\n');
  return text === '' ? undefined : text;
}
