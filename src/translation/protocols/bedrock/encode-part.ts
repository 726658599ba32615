import { handlerOf, type KindTable } from '../../canonical/kind-table.ts';
import type { Part, ReplayToken, ToolResultContent, ToolResultPart } from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import type { Unit } from '../../encoding/join-turns.ts';
import { callIdFor } from './call-id-for.ts';
import { encodeCachePoint } from './encode-cache-point.ts';
import {
  type BedrockBlock,
  encodeAudio,
  encodeDocument,
  encodeImage,
  type MediaContext,
} from './encode-media.ts';
import type { Family } from './family.ts';

export type PartContext = MediaContext & { family: Family };

/** The text of an empty result, since this wire requires a text that is not blank. */
const EMPTY_RESULT = '(empty)';

export function encodePart(part: Part, context: PartContext): Unit<BedrockBlock> {
  const blocks = handlerOf(encoders, part)(part, context);
  const { notes, family } = context;
  const cache = cacheOf(part);
  const point = encodeCachePoint(cache, { notes, isTaken: family.cachesPrompt });
  return {
    blocks: blocks.length > 0 ? [...blocks, ...point] : [],
    ...(part.kind === 'tool-result' && { answers: part.callId }),
  };
}

/**
 * Returns the cache breakpoint of a part. A result's content cannot hold one, so it moves after the result.
 */
function cacheOf(part: Part) {
  if (!('cache' in part) && part.kind !== 'tool-result') return undefined;
  return (
    part.cache ??
    (part.kind === 'tool-result' ? part.content.findLast(({ cache }) => cache)?.cache : undefined)
  );
}

const textBlocks = (text: string): BedrockBlock[] => (text.trim() === '' ? [] : [{ text }]);

const encoders: KindTable<Part, [context: PartContext], BedrockBlock[]> = {
  text: ({ text, citations }, { notes }) => {
    if (citations !== undefined) notes.lose('citation');
    return textBlocks(text);
  },
  refusal: ({ text }) => textBlocks(text),
  image: encodeImage,
  document: encodeDocument,
  audio: encodeAudio,
  thinking: ({ text, replay }, context) => {
    if (!isOwn(replay, context)) {
      if (text !== '') context.notes.lose('thinking-block');
      return [];
    }
    return [{ reasoningContent: { reasoningText: { text, signature: replay.data } } }];
  },
  'redacted-thinking': ({ replay }, context) =>
    isOwn(replay, context) ? [{ reasoningContent: { redactedContent: replay.data } }] : [],
  'tool-call': ({ callId, name, input, replay }, { notes }) => {
    if (replay) notes.lose('replay-token');
    return [{ toolUse: { toolUseId: callIdFor(callId), name, input: new RawJson(objectInput(input)) } }];
  },
  'tool-result': encodeResult,
  opaque: ({ issuer, block }, { notes }) => {
    if (issuer === 'bedrock') return [block as BedrockBlock];
    notes.lose('opaque-block');
    return [];
  },
};

/** Returns true for a token of this vendor's. The vendor refuses thinking without its own signature. */
function isOwn(replay: ReplayToken | undefined, { notes }: PartContext): replay is ReplayToken {
  if (replay?.issuer === 'bedrock') return true;
  if (replay) notes.lose('replay-token');
  return false;
}

function encodeResult({ callId, content, isError }: ToolResultPart, context: PartContext): BedrockBlock[] {
  const blocks = content.flatMap((part) => encodeResultContent(part, context));
  const toolResult = {
    toolUseId: callIdFor(callId),
    content: blocks.length > 0 ? blocks : [{ text: EMPTY_RESULT }],
    ...(isError && { status: 'error' }),
  };
  return [{ toolResult }];
}

const encodeResultContent = (part: ToolResultContent, context: PartContext): BedrockBlock[] =>
  handlerOf(encoders, part)(part, context);
