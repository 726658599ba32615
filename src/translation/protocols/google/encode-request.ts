import type { Refusal } from '../../../base/errors/refusal.ts';
import { stringifyWithRaw } from '../../canonical/raw-json.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodedRequest } from '../../contract/wire-codec.ts';
import { EncodeNotes } from '../../encoding/encode-notes.ts';
import { flattenTools } from '../../encoding/flatten-tools.ts';
import {
  type Conversation,
  callIdsOf,
  hoistSystem,
  joinTurns,
  namesOfCalls,
} from '../../encoding/join-turns.ts';
import { noteUnsupported } from '../../encoding/note-unsupported.ts';
import { ownFieldsFor } from '../../encoding/own-fields.ts';
import { renameTools } from '../../encoding/rename-tools.ts';
import { STAND_IN } from '../../encoding/stand-in.ts';
import { GOOGLE_NAME } from '../../encoding/tool-names.ts';
import { encodeGeneration } from './encode-generation.ts';
import type { GooglePart } from './encode-media.ts';
import { encodeToolChoice, encodeTools } from './encode-tools.ts';
import { isThirdGeneration } from './generation.ts';
import { TurnEncoder } from './turn-encoder.ts';

/**
 * The first turn if the conversation is empty, or begins with a turn of the model's.
 * A call must follow a user turn.
 */
const OPENING = { role: 'user', parts: [{ text: STAND_IN }] };

/** Encodes a request for Gemini. Fields of the vendor's own go back to their places. */
export function encodeRequest(original: CanonicalRequest, target: EncodeTarget): EncodedRequest | Refusal {
  const { request, losses } = flattenTools(renameTools(original, GOOGLE_NAME), { wrapFreeform: true });
  const notes = new EncodeNotes();
  noteUnsupported(request, notes);
  const { safetySettings, cachedContent, labels, ...ownConfig } = ownFieldsFor('google', request, notes);
  const conversation = hoistSystem(request, notes);
  const toolConfig = encodeToolChoice(request, notes);
  const body = {
    systemInstruction: encodeSystem(conversation, notes),
    tools: encodeTools(request.tools, notes),
    toolConfig,
    contents: encodeContents(conversation, target, notes),
    generationConfig: withOwn(encodeGeneration(request, target, notes), ownConfig),
    safetySettings,
    cachedContent,
    labels,
  };
  return notes.refusal ?? { body: stringifyWithRaw(body), losses: [...losses, ...notes.losses] };
}

/** Adds the members of the configuration that only this vendor's models understand. */
const withOwn = (config: object | undefined, own: object): object | undefined =>
  Object.keys(own).length === 0 ? config : { ...config, ...own };

function encodeSystem({ system }: Conversation, notes: EncodeNotes): { parts: GooglePart[] } | undefined {
  if (system.some(({ cache }) => cache)) notes.lose('cache-breakpoint');
  const parts = system.flatMap(({ text }) => (text === '' ? [] : [{ text }]));
  return parts.length > 0 ? { parts } : undefined;
}

function encodeContents(conversation: Conversation, target: EncodeTarget, notes: EncodeNotes): object[] {
  const context = {
    notes,
    namesOfCalls: namesOfCalls(conversation),
    isThirdGeneration: isThirdGeneration(target.upstreamModel),
  };
  const turns = conversation.turns.map(({ role, parts }) => new TurnEncoder(context).encode(role, parts));
  const contents = joinTurns(turns, callIdsOf(conversation)).map(({ role, blocks }) => ({
    role: role === 'assistant' ? 'model' : 'user',
    parts: blocks,
  }));
  return contents[0]?.role === 'user' ? contents : [OPENING, ...contents];
}
