import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Part, RedactedThinkingPart, ThinkingPart, ToolCallPart } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';
import { attachProofs } from '../../encoding/call-proofs.ts';
import { unpackReplay } from '../../encoding/replay-token.ts';
import { cacheOf } from './cache-control.ts';
import { decodeDocument, decodeImage, decodeSearchResult } from './decode-media.ts';
import { decodeText, decodeTexts } from './decode-text.ts';
import { decodeToolResult } from './decode-tool-result.ts';
import type { InputTexts } from './input-texts.ts';

type Decoder = (block: Fields, inputText: () => string) => Part[];

/** The decoders of blocks that other vendors know too. */
const decoders: Readonly<Record<string, Decoder>> = {
  text: (block) => [decodeText(block)],
  image: (block) => [decodeImage(block)],
  document: decodeDocument,
  search_result: (block) => [decodeSearchResult(block)],
  tool_result: (block) => [decodeToolResult(block)],
  tool_use: (block, inputText) => [decodeToolUse(block, inputText())],
  thinking: (block) => [decodeThinkingBlock(block)],
  redacted_thinking: decodeRedacted,
};

const decodeToolUse = (block: Fields, input: string): ToolCallPart => ({
  kind: 'tool-call',
  callId: String(block.id),
  name: String(block.name),
  input: { kind: 'json', text: input },
  ...cacheOf(block),
});

function decodeThinkingBlock({ thinking, signature }: Fields): ThinkingPart {
  const replay = signature ? unpackReplay('messages', String(signature)) : undefined;
  return { kind: 'thinking', form: 'full', text: String(thinking), ...(replay && { replay }) };
}

function decodeRedacted({ data }: Fields): RedactedThinkingPart[] {
  const replay = unpackReplay('messages', String(data));
  return replay ? [{ kind: 'redacted-thinking', replay }] : [];
}

/** Decodes turns. Consecutive turns of one role become one, and empty turns are dropped. */
export function decodeTurns(messages: readonly unknown[], inputs: InputTexts): Turn[] {
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    const { role, content } = objectOf(message);
    const decoded = decodeContent(content, (block) => inputs(index, block));
    const parts = role === 'assistant' ? attachProofs('messages', decoded) : decoded;
    const turnRole = role === 'user' || role === 'assistant' ? role : 'system';
    const last = turns.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === turnRole) last.parts.push(...parts);
    else turns.push({ role: turnRole, parts });
  }
  return turns;
}

function decodeContent(content: unknown, inputText: (block: number) => string): Part[] {
  if (typeof content === 'string') return decodeTexts(content);
  return listOf(content).flatMap((item, index): Part[] => {
    const block = objectOf(item);
    const decode = lookUp(decoders, textOf(block.type));
    if (!decode) return [{ kind: 'opaque', issuer: 'messages', block }];
    return decode(block, () => inputText(index));
  });
}
