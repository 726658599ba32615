import type { EncodeSituation } from '../../encoding/encode-situation.ts';
import { type Conversation, callIdsOf, joinTurns } from '../../encoding/join-turns.ts';
import { STAND_IN } from '../../encoding/stand-in.ts';
import type { Block } from './block.ts';
import { encodeRequestPart } from './encode-request-part.ts';

export type VendorMessage = { role: 'user' | 'assistant'; content: Block[] };

/** The first turn if the conversation does not begin with the user's, as the vendor requires. */
const OPENING: VendorMessage = { role: 'user', content: [{ type: 'text', text: STAND_IN }] };

/** Encodes the conversation. Its turns alternate and begin with the user's, as the vendor requires. */
export function encodeMessages(conversation: Conversation, situation: EncodeSituation): VendorMessage[] {
  const turns = conversation.turns.map(({ role, parts }) => ({
    role,
    units: parts.map((part) => encodeRequestPart(part, situation)),
  }));
  const messages = joinTurns(turns, callIdsOf(conversation)).map(({ role, blocks }) => ({
    role,
    content: blocks,
  }));
  if (messages[0]?.role !== 'user') messages.unshift(OPENING);
  const last = messages.at(-1);
  return last ? messages.with(-1, trimAnswer(last)) : messages;
}

/** Trims the end of a partial answer, since the vendor refuses trailing white space there. */
function trimAnswer(message: VendorMessage): VendorMessage {
  const { role, content } = message;
  const last = content.at(-1);
  if (role !== 'assistant' || last?.type !== 'text') return message;
  return { role, content: content.with(-1, { ...last, text: String(last.text).trimEnd() }) };
}
