import { createHash } from 'node:crypto';
import { handlerOf, type KindTable } from '../../canonical/kind-table.ts';
import type {
  CacheBreakpoint,
  Part,
  ReplayToken,
  ToolResultContent,
  ToolResultPart,
} from '../../canonical/part.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import type { Unit } from '../../encoding/join-turns.ts';
import { EMPTY_RESULT } from '../../encoding/stand-in.ts';
import { encodeCachePoint } from './encode-cache-point.ts';
import {
  type BedrockBlock,
  encodeAudio,
  encodeDocument,
  encodeImage,
  type MediaContext,
} from './encode-media.ts';
import type { Family } from './family.ts';

const USABLE = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns a call id that this vendor accepts. The same id always gives the same result. */
function callIdFor(callId: string): string {
  if (USABLE.test(callId)) return callId;
  return `tooluse_${createHash('sha256').update(callId).digest('hex').slice(0, 32)}`;
}

type PartContext = MediaContext & { family: Family };

/** Encodes a part as blocks that stay together, with its cache point last. */
export function encodePart(part: Part, context: PartContext): Unit<BedrockBlock> {
  const blocks = handlerOf(encoders, part)(part, context);
  const { notes, family } = context;
  const point = encodeCachePoint(cacheOf(part), { notes, isSupported: family.cachesPrompt });
  return {
    blocks: blocks.length > 0 ? [...blocks, ...point] : [],
    ...(part.kind === 'tool-result' && { answers: part.callId }),
  };
}

/**
 * Returns the cache breakpoint of a part. A result's content cannot hold one, so it moves after the result.
 */
function cacheOf(part: Part): CacheBreakpoint | undefined {
  if (part.kind === 'tool-result')
    return part.cache ?? part.content.findLast(({ cache }) => cache !== undefined)?.cache;
  return 'cache' in part ? part.cache : undefined;
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
  thinking: ({ text, replay }, { notes }) => {
    const signature = ownToken(replay, notes);
    if (signature !== undefined) return [{ reasoningContent: { reasoningText: { text, signature } } }];
    if (text !== '') notes.lose('thinking-block');
    return [];
  },
  'redacted-thinking': ({ replay }, { notes }) => {
    const redactedContent = ownToken(replay, notes);
    return redactedContent === undefined ? [] : [{ reasoningContent: { redactedContent } }];
  },
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

/** Returns the data of a token of this vendor's. The vendor refuses thinking without its own signature. */
function ownToken(replay: ReplayToken | undefined, notes: EncodeNotes): string | undefined {
  if (replay?.issuer === 'bedrock') return replay.data;
  if (replay) notes.lose('replay-token');
  return undefined;
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
