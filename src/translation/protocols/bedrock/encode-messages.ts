import { JSON_IN_WORDS } from '../../../base/json/json-in-words.ts';
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
type Context = { family: Family; notes: EncodeNotes };

/** The first turn if the conversation does not begin with the user's, as this wire requires. */
const OPENING: BedrockMessage = { role: 'user', content: [{ text: STAND_IN }] };

export function encodeMessages(conversation: Conversation, { family, notes }: Context): BedrockMessage[] {
  const context = { family, notes, documentNames: new DocumentNames() };
  const turns = conversation.turns.map(({ role, parts }) => ({
    role,
    units: parts.map((part) => encodePart(part, context)),
  }));
  const messages = joinTurns(turns, callIdsOf(conversation)).map(({ role, blocks }) => ({
    role,
    content: withText(blocks),
  }));
  return messages[0]?.role === 'user' ? messages : [OPENING, ...messages];
}

/** Adds a text to a turn with a document, since this wire requires one. */
function withText(blocks: BedrockBlock[]): BedrockBlock[] {
  const document = blocks.find((block) => 'document' in block)?.document as { name: string } | undefined;
  const isTextNeeded = document !== undefined && !blocks.some((block) => 'text' in block);
  return isTextNeeded ? [...blocks, { text: document.name }] : blocks;
}

export function encodeSystem(
  { system }: Conversation,
  format: OutputFormat | undefined,
  { family, notes }: Context,
): object[] | undefined {
  const blocks: object[] = system
    .filter(({ text }) => text.trim() !== '')
    .flatMap(({ text, cache }) => [
      { text },
      ...encodeCachePoint(cache, { notes, isTaken: family.cachesPrompt }),
    ]);
  if (format?.kind === 'json-object') blocks.push({ text: JSON_IN_WORDS });
  return blocks.length > 0 ? blocks : undefined;
}

/** Reports whether the last turn answers calls that the model made without thinking first. */
export function goesOnWithoutThinking(messages: readonly BedrockMessage[]): boolean {
  const [asked, answered] = messages.slice(-2);
  if (!answered?.content.some((block) => 'toolResult' in block)) return false;
  return asked?.content[0]?.reasoningContent === undefined;
}
