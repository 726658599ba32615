import { type Conversation, callIdsOf, joinTurns } from '../join-turns.ts';
import { STAND_IN } from '../stand-in.ts';
import { type Context, encodePart } from './encode-part.ts';

// biome-ignore lint/suspicious/noExplicitAny: a block on its way to JSON
type Block = any;
export type MessageOut = { role: 'user' | 'assistant'; content: Block[] };

/** What stands in the place of the turn that the vendor asks for first. */
const OPENING: MessageOut = { role: 'user', content: [{ type: 'text', text: STAND_IN }] };

export function encodeMessages(conversation: Conversation, context: Context): MessageOut[] {
  const turns = conversation.turns.map(({ role, parts }) => ({
    role,
    units: parts.map((part) => encodePart(part, context)),
  }));
  const messages = joinTurns(turns, callIdsOf(conversation)).map(({ role, blocks }) => ({
    role,
    content: blocks,
  }));
  if (messages[0]?.role !== 'user') messages.unshift(OPENING);
  trimLast(messages.at(-1)!);
  return messages;
}

/** An answer that is to be continued may not end in white space. */
function trimLast({ role, content }: MessageOut): void {
  const last = content.at(-1);
  if (role !== 'assistant' || last?.type !== 'text') return;
  content[content.length - 1] = { ...last, text: last.text.trimEnd() };
}
