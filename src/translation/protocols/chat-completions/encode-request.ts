import type { Refusal } from '../../../base/errors/refusal.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, OutputFormat } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodedRequest } from '../../contract/wire-codec.ts';
import { EncodeNotes } from '../../encoding/encode-notes.ts';
import { flattenTools } from '../../encoding/flatten-tools.ts';
import { ownFieldsFor } from '../../encoding/own-fields.ts';
import { refuseWhatEventsLack } from '../../encoding/refuse-what-events-lack.ts';
import { renameTools } from '../../encoding/rename-tools.ts';
import { SHORT_NAME } from '../../encoding/tool-names.ts';
import { encodeHints } from './encode-hints.ts';
import { encodeMessages } from './encode-messages.ts';
import { encodeMaxTokens, encodeSampling } from './encode-options.ts';
import { encodeThinking } from './encode-thinking.ts';
import { encodeTools } from './encode-tools.ts';
import { PROTOCOL } from './protocol.ts';

/** Encodes a request for the hosts of chat completions. */
export function encodeRequest(original: CanonicalRequest, target: EncodeTarget): EncodedRequest | Refusal {
  const { request, losses } = flattenTools(renameTools(original, SHORT_NAME), { wrapFreeform: true });
  const notes = new EncodeNotes();
  refuseWhatEventsLack(request, notes);
  const body = {
    model: target.upstreamModel,
    messages: encodeMessages(request, { target, notes }),
    ...encodeTools(request, notes),
    response_format: encodeFormat(request.format),
    ...encodeThinking(request, target, notes),
    ...encodeMaxTokens(request, target),
    ...encodeSampling(request, target, notes),
    ...encodeHints(request, target, notes),
    ...ownFieldsFor(PROTOCOL, request, notes),
    ...(request.stream && { stream: true, stream_options: { include_usage: true } }),
  };
  return notes.refusal ?? { body: stringifyWithRaw(body), losses: [...losses, ...notes.losses] };
}

/** Encodes the output format. The wire requires a name for a schema. */
function encodeFormat(format: OutputFormat | undefined): object | undefined {
  if (format === undefined) return undefined;
  if (format.kind !== 'json-schema') return { type: format.kind === 'text' ? 'text' : 'json_object' };
  const { name = 'answer', description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}
