import type { Refusal } from '../../../base/errors/refusal.ts';
import { JSON_IN_WORDS } from '../../../base/json/json-in-words.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, OutputFormat } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodedRequest } from '../../contract/wire-codec.ts';
import { EncodeNotes } from '../../encoding/encode-notes.ts';
import { flattenTools } from '../../encoding/flatten-tools.ts';
import { type Conversation, hoistSystem } from '../../encoding/join-turns.ts';
import { markPrompt } from '../../encoding/mark-prompt.ts';
import { ownFieldsFor } from '../../encoding/own-fields.ts';
import { renameTools } from '../../encoding/rename-tools.ts';
import { LONG_NAME } from '../../encoding/tool-names.ts';
import { encodeMessages } from './encode-messages.ts';
import { encodeHints, encodeSampling, noteUnsupported } from './encode-options.ts';
import { encodeText } from './encode-request-part.ts';
import { encodeThinking } from './encode-thinking.ts';
import { encodeToolChoice, encodeTools } from './encode-tools.ts';

/**
 * The token limit if neither the client nor the model states one.
 * The least capable of the vendor's models accepts it.
 */
const DEFAULT_MAX_TOKENS = 4_096;

/**
 * The models that cache only what is marked. Other models on this wire cache by themselves, and some hosts
 * refuse marks or charge for them.
 */
const CLAUDE = /claude/i;

/** Encodes a request. Requirements that this wire cannot express are refused, and hints are lost. */
export function encodeRequest(original: CanonicalRequest, target: EncodeTarget): EncodedRequest | Refusal {
  const { request, losses } = flattenTools(renameTools(original, LONG_NAME), { wrapFreeform: true });
  const notes = new EncodeNotes();
  noteUnsupported(request, notes);
  const conversation = marked(hoistSystem(request, notes), request, target);
  const messages = encodeMessages(conversation, { target, notes });
  const maxTokens = ceilingOf(request, target);
  const { thinking, effort } = encodeThinking(request, { target, maxTokens, messages }, notes);
  const thinks = thinking !== undefined && thinking.type !== 'disabled';
  const system = [
    ...conversation.system.flatMap((part) => encodeText(part, notes)),
    ...jsonInstruction(request.format, notes),
  ];
  const body = {
    model: target.upstreamModel,
    max_tokens: maxTokens,
    stream: request.stream || undefined,
    ...ownFieldsFor('messages', request, notes),
    tools: encodeTools(request, notes),
    tool_choice: encodeToolChoice(request, notes),
    system: system.length > 0 ? system : undefined,
    messages,
    thinking,
    output_config: encodeOutputConfig(request.format, effort),
    ...encodeSampling(request.sampling, thinks, notes),
    ...encodeHints(request, notes),
  };
  return notes.refusal ?? { body: stringifyWithRaw(body), losses: [...losses, ...notes.losses] };
}

/**
 * Marks the prompt for Claude models. The vendor caches turns by the tool choice. A compaction forbids calls,
 * so it could not read its turns, and no later request would read what it writes.
 */
function marked(conversation: Conversation, request: CanonicalRequest, { upstreamModel }: EncodeTarget) {
  if (!CLAUDE.test(upstreamModel)) return conversation;
  return markPrompt(conversation, request, { inTurns: !request.compacts || request.tools.length === 0 });
}

function ceilingOf({ maxOutputTokens }: CanonicalRequest, { maxOutput }: EncodeTarget): number {
  const ceiling = maxOutputTokens ?? maxOutput ?? DEFAULT_MAX_TOKENS;
  return Math.min(ceiling, maxOutput ?? ceiling);
}

function encodeOutputConfig(format: OutputFormat | undefined, effort: string | undefined) {
  if (format?.kind !== 'json-schema' && effort === undefined) return undefined;
  return {
    ...(effort !== undefined && { effort }),
    ...(format?.kind === 'json-schema' && { format: { type: 'json_schema', schema: format.schema } }),
  };
}

function jsonInstruction(format: OutputFormat | undefined, notes: EncodeNotes): object[] {
  if (format?.kind !== 'json-object') return [];
  notes.lose('output-format');
  return [{ type: 'text', text: JSON_IN_WORDS }];
}
