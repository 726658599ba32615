import type { AnswerReader } from './answer-reader.ts';
import type { AssistantTurn, ToolCall } from './conversation.ts';
import { jsonOrText } from './request-body.ts';

type Block = {
  type: string;
  text?: string;
  thinking?: string;
  signature?: string;
  id?: string;
  name?: string;
  input?: unknown;
};
type WholeMessage = { content: Block[]; stop_reason: string | null };
type Delta = { type: string; text?: string; thinking?: string; signature?: string; partial_json?: string };
type StreamEvent = {
  type: string;
  index?: number;
  content_block?: Block;
  delta?: Delta & { stop_reason?: string | null };
};

/** A block of a stream. `inputText` is the JSON text of its input so far. */
type StreamedBlock = { block: Block; inputText?: string | undefined };

/** Reads answers of the messages API, whole or as a stream. */
export function readMessages(): AnswerReader {
  const streamedBlocks: StreamedBlock[] = [];
  let stopReason: string | null = null;
  return {
    readEvent(data) {
      const { type, index = 0, content_block, delta } = data as StreamEvent;
      const streamed = streamedBlocks[index];
      if (type === 'content_block_start' && content_block) streamedBlocks[index] = { block: content_block };
      if (streamed && type === 'content_block_delta' && delta)
        streamedBlocks[index] = withDelta(streamed, delta);
      if (streamed && type === 'content_block_stop') streamedBlocks[index] = withInput(streamed);
      if (type === 'message_delta') stopReason = delta?.stop_reason ?? stopReason;
      return turnOf(streamedBlocks.filter(Boolean));
    },
    readWhole(answer) {
      const { content, stop_reason } = answer as WholeMessage;
      stopReason = stop_reason;
      return turnOf(content.map((block) => ({ block })));
    },
    stopReason: () => stopReason,
  };
}

function withDelta({ block, inputText }: StreamedBlock, delta: Delta): StreamedBlock {
  const { text, thinking, signature, partial_json } = delta;
  return {
    block: {
      ...block,
      ...(text !== undefined && { text: (block.text ?? '') + text }),
      ...(thinking !== undefined && { thinking: (block.thinking ?? '') + thinking }),
      ...(signature !== undefined && { signature: (block.signature ?? '') + signature }),
    },
    inputText: partial_json === undefined ? inputText : (inputText ?? '') + partial_json,
  };
}

/** Returns a block that has ended, with its whole input. An input that is not valid JSON is empty. */
function withInput({ block, inputText }: StreamedBlock): StreamedBlock {
  if (inputText === undefined) return { block };
  const input = jsonOrText(inputText);
  return { block: { ...block, input: typeof input === 'string' ? {} : input }, inputText };
}

function turnOf(streamedBlocks: readonly StreamedBlock[]): AssistantTurn {
  const blocks = streamedBlocks.map(({ block }) => block);
  const textOf = (type: 'text' | 'thinking'): string =>
    blocks.flatMap((block) => (block.type === type ? [block[type] ?? ''] : [])).join('\n\n');
  return {
    role: 'assistant',
    text: textOf('text'),
    thinking: textOf('thinking'),
    calls: streamedBlocks.filter(({ block }) => block.type === 'tool_use').map(callOf),
    own: { dialect: 'messages', content: blocks },
  };
}

const callOf = ({ block: { id = '', name = '', input }, inputText }: StreamedBlock): ToolCall => ({
  id,
  name,
  input: inputText ?? JSON.stringify(input ?? {}),
});
