import type { PartHead } from '../../canonical/event.ts';
import type { Citation, OutputPart, ReplayToken, ThinkingPart, ToolCallPart } from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import { flatToolName, objectInput } from '../../encoding/flat-tool.ts';
import { packReplay } from '../../encoding/replay-token.ts';
import { encodeCitation } from './encode-citation.ts';
import type { ThinkingView } from './thinking-view.ts';

export type Block = Record<string, unknown>;

/** Packs a token of any vendor as a signature. Clients require the member, so it can be empty. */
export const signatureOf = (replay: ReplayToken | undefined): string =>
  replay === undefined ? '' : packReplay('messages', replay);

/**
 * Returns a block as it opens, before its deltas.
 * Citations are a list, since a widely used client refuses null.
 */
export function openBlock(head: PartHead): Block {
  switch (head.kind) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: '', citations: [] };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool-call':
      return {
        type: 'tool_use',
        id: head.callId,
        name: flatToolName(head),
        input: {},
        caller: { type: 'direct' },
      };
    case 'redacted-thinking':
      return redactedBlock(head.replay);
    case 'opaque':
      return head.block as Block;
  }
}

const redactedBlock = (replay: ReplayToken): Block => ({
  type: 'redacted_thinking',
  data: signatureOf(replay),
});

/**
 * Puts a call's token in a block before the call, which names it.
 * Calls have no field for a token in this protocol.
 */
export const callProof = (callId: string, replay: ReplayToken): Block =>
  redactedBlock({ ...replay, itemId: callId });

/** Reports whether the client gets a part, in whole or in part. */
export function isShown(part: PartHead | OutputPart, view: ThinkingView): boolean {
  if (part.kind === 'opaque') return part.issuer === 'messages';
  return view !== 'none' || (part.kind !== 'thinking' && part.kind !== 'redacted-thinking');
}

/** Returns a part's blocks in a whole message. They equal the sum of the part's stream events. */
export function encodeBlocks(part: OutputPart, view: ThinkingView): Block[] {
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

/** Reports whether clients take a block for the answer. */
export const isAnswer = ({ type }: Block): boolean => type === 'text' || type === 'tool_use';

/**
 * Moves thinking at the end of an answer before its last text or call, since clients read the last block as
 * the answer. An answer of thinking alone stays as it is.
 */
export function withAnswerLast(blocks: readonly Block[]): Block[] {
  const index = blocks.findLastIndex(isAnswer);
  return index < 0 ? [...blocks] : [...blocks.toSpliced(index, 1), ...blocks.slice(index, index + 1)];
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
