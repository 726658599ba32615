import type { AnswerReader } from './answer-reader.ts';
import type { AssistantTurn, ToolCall } from './conversation.ts';

type Block = {
  type: string;
  text?: string;
  thinking?: string;
  signature?: string;
  id?: string;
  name?: string;
  input?: unknown;
};
type Message = { content: Block[]; stop_reason: string | null };
type Delta = { type: string; text?: string; thinking?: string; signature?: string; partial_json?: string };
type Event = {
  type: string;
  index?: number;
  content_block?: Block;
  delta?: Delta & { stop_reason?: string | null };
};

/** Reads answers of the messages API, whole or as a stream. */
export function readMessages(): AnswerReader {
  const blocks: Block[] = [];
  const inputs = new Map<number, string>();
  let stop: string | null = null;
  return {
    readEvent(data) {
      const { type, index = 0, content_block, delta } = data as Event;
      if (type === 'content_block_start' && content_block) blocks[index] = { ...content_block };
      if (type === 'content_block_delta' && delta) grow(blocks, inputs, index, delta);
      if (type === 'content_block_stop' && inputs.has(index)) close(blocks[index]!, inputs.get(index)!);
      if (type === 'message_delta') stop = delta?.stop_reason ?? stop;
      return turnOf(blocks, inputs);
    },
    readWhole(answer) {
      const { content, stop_reason } = answer as Message;
      stop = stop_reason;
      return turnOf(content, inputs);
    },
    stopReason: () => stop,
  };
}

function grow(blocks: Block[], inputs: Map<number, string>, index: number, delta: Delta): void {
  const block = blocks[index];
  if (!block) return;
  if (delta.text !== undefined) block.text = (block.text ?? '') + delta.text;
  if (delta.thinking !== undefined) block.thinking = (block.thinking ?? '') + delta.thinking;
  if (delta.signature !== undefined) block.signature = (block.signature ?? '') + delta.signature;
  if (delta.partial_json !== undefined) inputs.set(index, (inputs.get(index) ?? '') + delta.partial_json);
}

function close(block: Block, input: string): void {
  try {
    block.input = JSON.parse(input === '' ? '{}' : input);
  } catch {
    block.input = {};
  }
}

function turnOf(all: readonly Block[], inputs: ReadonlyMap<number, string>): AssistantTurn {
  const blocks = all.filter(Boolean);
  const textOf = (type: string, member: 'text' | 'thinking'): string =>
    blocks.flatMap((block) => (block.type === type ? [block[member] ?? ''] : [])).join('\n\n');
  const calls = all.flatMap((block, index): ToolCall[] =>
    block?.type === 'tool_use'
      ? [
          {
            id: block.id ?? '',
            name: block.name ?? '',
            input: inputs.get(index) ?? JSON.stringify(block.input ?? {}),
          },
        ]
      : [],
  );
  return {
    role: 'assistant',
    text: textOf('text', 'text'),
    thinking: textOf('thinking', 'thinking'),
    calls,
    own: { dialect: 'messages', content: blocks.map((block) => ({ ...block })) },
  };
}
