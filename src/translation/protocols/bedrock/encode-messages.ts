import { JSON_IN_WORDS } from '../../../base/json/json-in-words.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import type { OutputFormat } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { type Conversation, callIdsOf, joinTurns } from '../../encoding/join-turns.ts';
import { STAND_IN } from '../../encoding/stand-in.ts';
import { DocumentNames } from './document-names.ts';
import { encodeCachePoint } from './encode-cache-point.ts';
import type { BedrockBlock } from './encode-media.ts';
import { encodePart } from './encode-part.ts';
import type { Family } from './family.ts';

export type BedrockMessage = { role: 'user' | 'assistant'; content: BedrockBlock[] };
type MessageContext = { family: Family; notes: EncodeNotes };

/** The first message if the conversation begins with the model's. This wire requires a user's first. */
const OPENING: BedrockMessage = { role: 'user', content: [{ text: STAND_IN }] };

/** Encodes the turns of a conversation. Their documents have names that are unique in the request. */
export function encodeMessages(
  conversation: Conversation,
  { family, notes }: MessageContext,
): BedrockMessage[] {
  const context = { family, notes, documentNames: new DocumentNames() };
  const turns = conversation.turns.map(({ role, parts }) => ({
    role,
    units: parts.map((part) => encodePart(part, context)),
  }));
  const messages = joinTurns(turns, callIdsOf(conversation)).map(({ role, blocks }) => ({
    role,
    content: withText(movePoints(blocks, notes)),
  }));
  const opened = messages[0]?.role === 'user' ? messages : [OPENING, ...messages];
  return opened.with(-1, trimAnswer(opened.at(-1)!)); // it has the user's turn at least
}

/** Trims the end of a partial answer, since this wire refuses trailing white space there. */
function trimAnswer({ role, content }: BedrockMessage): BedrockMessage {
  const index = content.findLastIndex((block) => !('cachePoint' in block));
  const text = content[index]?.text;
  if (role !== 'assistant' || typeof text !== 'string') return { role, content };
  return { role, content: content.with(index, { text: text.trimEnd() }) };
}

/**
 * Moves cache points from behind documents to the place before them, since this wire refuses a point that
 * follows a document other than PDF. A point at the beginning of a turn has nothing to cache, and is lost.
 */
function movePoints(blocks: BedrockBlock[], notes: EncodeNotes): BedrockBlock[] {
  const placed: BedrockBlock[] = [];
  for (const block of blocks) {
    const place = placeOfPoint(placed);
    if (!isPoint(block)) placed.push(block);
    else if (place === 0) notes.lose('cache-breakpoint');
    else if (!isPoint(placed[place - 1]!)) placed.splice(place, 0, block);
  }
  return placed;
}

/** Returns the place after the last block that is not a document, or that is a PDF. */
const placeOfPoint = (blocks: readonly BedrockBlock[]): number =>
  blocks.findLastIndex(({ document }) => document === undefined || objectOf(document).format === 'pdf') + 1;

const isPoint = (block: BedrockBlock): boolean => 'cachePoint' in block;

/** Adds the document's name as a text to a turn with a document, since this wire requires a text there. */
function withText(blocks: BedrockBlock[]): BedrockBlock[] {
  const holder = blocks.find((block) => 'document' in block);
  if (holder === undefined || blocks.some((block) => 'text' in block)) return blocks;
  return [...blocks, { text: objectOf(holder.document).name }];
}

/** Encodes the system prompt. It also asks for JSON without a schema, which this wire has no field for. */
export function encodeSystem(
  { system }: Conversation,
  format: OutputFormat | undefined,
  { family, notes }: MessageContext,
): object[] | undefined {
  const blocks: object[] = system
    .filter(({ text }) => text.trim() !== '')
    .flatMap(({ text, cache }) => [
      { text },
      ...encodeCachePoint(cache, { notes, isSupported: family.cachesPrompt }),
    ]);
  if (format?.kind === 'json-object') blocks.push({ text: JSON_IN_WORDS });
  return blocks.length > 0 ? blocks : undefined;
}

/** Reports whether the last turn answers calls that the model made without thinking first. */
export function continuesWithoutThinking(messages: readonly BedrockMessage[]): boolean {
  const [calls, results] = messages.slice(-2);
  if (!results?.content.some((block) => 'toolResult' in block)) return false;
  return calls?.content[0]?.reasoningContent === undefined;
}
