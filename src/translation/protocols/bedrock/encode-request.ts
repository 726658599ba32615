import type { Refusal } from '../../../base/errors/refusal.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, OutputFormat } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodedRequest } from '../../contract/wire-codec.ts';
import { EncodeNotes } from '../../encoding/encode-notes.ts';
import { flattenTools } from '../../encoding/flatten-tools.ts';
import { hoistSystem } from '../../encoding/join-turns.ts';
import { markPrompt } from '../../encoding/mark-prompt.ts';
import { noteUnsupported } from '../../encoding/note-unsupported.ts';
import { ownFieldsFor } from '../../encoding/own-fields.ts';
import { renameTools } from '../../encoding/rename-tools.ts';
import { SHORT_NAME } from '../../encoding/tool-names.ts';
import { encodeMessages, encodeSystem } from './encode-messages.ts';
import { encodeModelFields } from './encode-model-fields.ts';
import { encodeToolConfig } from './encode-tool-config.ts';
import { familyOf } from './family.ts';

/** Encodes a request for Converse. Fields that Converse leaves open depend on the model's family. */
export function encodeRequest(original: CanonicalRequest, target: EncodeTarget): EncodedRequest | Refusal {
  const { request, losses } = flattenTools(renameTools(original, SHORT_NAME), { wrapFreeform: true });
  const notes = new EncodeNotes();
  noteUnsupported(request, notes);
  ownFieldsFor('bedrock', request, notes); // notes the fields of other protocols; Bedrock lacks such fields
  const family = familyOf(target.upstreamModel);
  const unmarked = hoistSystem(request, notes);
  const conversation = family.needsMarks ? markPrompt(unmarked, request) : unmarked;
  const messages = encodeMessages(conversation, { family, notes });
  const body = {
    toolConfig: encodeToolConfig(request, { family, notes }),
    system: encodeSystem(conversation, request.format, { family, notes }),
    messages,
    ...encodeModelFields(request, { target, family, notes, messages }),
    outputConfig: encodeFormat(request.format, notes),
  };
  return notes.refusal ?? { body: stringifyWithRaw(body), losses: [...losses, ...notes.losses] };
}

/**
 * Encodes the output format. The schema is sent as text.
 * JSON without a schema is requested in the system prompt.
 */
function encodeFormat(format: OutputFormat | undefined, notes: EncodeNotes): object | undefined {
  if (format?.kind === 'json-object') notes.lose('output-format');
  if (format?.kind !== 'json-schema') return undefined;
  const { schema, name, description } = format;
  const jsonSchema = { schema: schema.text, ...(name && { name }), ...(description && { description }) };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}
