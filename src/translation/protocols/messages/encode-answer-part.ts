import type { PartHead } from '../../canonical/event.ts';
import type { Citation, OutputPart, ThinkingPart, ToolCallPart } from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import type { Block } from './block.ts';
import { encodeCitation } from './encode-citation.ts';
import { openBlock } from './open-block.ts';
import { callProof, signatureOf } from './signature-blocks.ts';
import type { ThinkingView } from './thinking-view.ts';

/** Reports whether the client gets a part, in whole or in part. */
export function isShown(part: PartHead | OutputPart, view: ThinkingView): boolean {
  if (part.kind === 'opaque') return part.issuer === 'messages';
  return view !== 'none' || (part.kind !== 'thinking' && part.kind !== 'redacted-thinking');
}

/** Returns a part's blocks in a whole message. They equal the sum of the part's stream events. */
export function encodeAnswerPart(part: OutputPart, view: ThinkingView): Block[] {
  if (!isShown(part, view)) return [];
  switch (part.kind) {
    case 'text':
      return textBlocks(part.text, part.citations);
    case 'refusal':
      return textBlocks(part.text, undefined);
    case 'thinking':
      return thinkingBlocks(part, view);
    case 'tool-call':
      return callBlocks(part, view);
    case 'redacted-thinking':
      return [openBlock(part)];
    case 'opaque':
      return [part.block as Block];
  }
}

/** Returns no block for an empty text, since no vendor accepts one in a later request. */
function textBlocks(text: string, citations: Citation[] | undefined): Block[] {
  const encoded = citations?.map(encodeCitation).filter((citation) => citation !== undefined) ?? [];
  if (text === '' && encoded.length === 0) return [];
  return [{ type: 'text', text, citations: encoded }];
}

function thinkingBlocks({ text, replay }: ThinkingPart, view: ThinkingView): Block[] {
  const thinking = view === 'whole' ? text : '';
  if (thinking === '' && replay === undefined) return [];
  return [{ type: 'thinking', thinking, signature: signatureOf(replay) }];
}

function callBlocks(call: ToolCallPart, view: ThinkingView): Block[] {
  const { input, replay, ...head } = call;
  const block = openBlock({ ...head, inputKind: input.kind });
  const proof = replay !== undefined && view !== 'none' ? [callProof(call.callId, replay)] : [];
  return [...proof, { ...block, input: new RawJson(objectInput(input)) }];
}
