import type { JsonBody } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Part, TextPart } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';
import { attachProofs } from '../../encoding/call-proofs.ts';
import { PartDecoder } from './part-decoder.ts';

/** Decodes the instructions. Only texts are instructions. */
export const decodeSystem = ({ systemInstruction }: Fields): TextPart[] =>
  listOf(objectOf(systemInstruction).parts)
    .map((part) => textOf(objectOf(part).text) ?? '')
    .filter((text) => text !== '')
    .map((text) => ({ kind: 'text', text }));

/** Decodes turns. Consecutive turns of one role become one, and empty turns are dropped. */
export function decodeContents(body: JsonBody): Turn[] {
  const decoder = new PartDecoder(body);
  const turns: Turn[] = [];
  for (const [contentIndex, content] of listOf(body.value['contents']).map(objectOf).entries()) {
    const role = content.role === 'model' ? 'assistant' : 'user';
    const decoded = listOf(content.parts).flatMap((part, partIndex) =>
      decoder.decode(objectOf(part), { contentIndex, partIndex }),
    );
    const parts = role === 'assistant' ? attachProofs('google', joinThoughts(decoded)) : decoded;
    const last = turns.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === role) last.parts.push(...parts);
    else turns.push({ role, parts });
  }
  return turns;
}

/** Joins the pieces of a streamed thought. Its signature came with the last of them. */
function joinThoughts(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.kind === 'thinking' && last.replay === undefined && part.kind === 'thinking')
      joined[joined.length - 1] = { ...part, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}
