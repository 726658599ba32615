import type { PartHead, StreamEvent } from '../canonical/event.ts';
import type { ToolCallPart } from '../canonical/part.ts';
import type { Tool } from '../canonical/request.ts';
import { freeformText } from './flat-tool.ts';
import { type NamedTool, type ToolName, toolNames } from './tool-names.ts';

type CallHead = Extract<PartHead, { kind: 'tool-call' }>;

/**
 * Restores the client's tool names and inputs in the calls of a whole answer. It is the inverse of
 * flattenTools.
 */
export function restoreCall(tools: readonly Tool[]): (call: ToolCallPart) => ToolCallPart {
  const names = toolNames(tools);
  return (call) => {
    const tool = names.toolOf(call);
    if (tool === undefined) return call;
    const input = isWrapped(tool, call.input.kind)
      ? { kind: 'freeform' as const, text: freeformText(call.input.text) }
      : call.input;
    const { namespace: _, ...plain } = call;
    return { ...plain, ...nameOf(tool), input };
  };
}

/**
 * Restores the client's tool names and inputs in the calls of a stream. A wrapped input arrives in one piece,
 * since part of a JSON string cannot be read.
 */
export function restoreTools(tools: readonly Tool[]): (event: StreamEvent) => StreamEvent[] {
  const names = toolNames(tools);
  const wrapped = new Map<number, string>();
  const restoreHead = (index: number, head: CallHead): CallHead => {
    const tool = names.toolOf(head);
    if (tool === undefined) return head;
    const { namespace: _, ...plain } = head;
    if (!isWrapped(tool, head.inputKind)) return { ...plain, ...nameOf(tool) };
    wrapped.set(index, '');
    return { ...plain, ...nameOf(tool), inputKind: 'freeform' };
  };
  return (event) => {
    if (event.type === 'part-start' && event.part.kind === 'tool-call')
      return [{ ...event, part: restoreHead(event.index, event.part) }];
    if (event.type === 'part-delta' && event.delta.kind === 'tool-input' && wrapped.has(event.index)) {
      wrapped.set(event.index, wrapped.get(event.index) + event.delta.text);
      return [];
    }
    if (event.type !== 'part-end' || !wrapped.has(event.index)) return [event];
    const text = freeformText(wrapped.get(event.index) ?? '');
    return [{ type: 'part-delta', index: event.index, delta: { kind: 'tool-input', text } }, event];
  };
}

const isWrapped = (tool: NamedTool, inputKind: 'json' | 'freeform'): boolean =>
  tool.kind === 'freeform' && inputKind === 'json';

const nameOf = ({ name, namespace }: NamedTool): ToolName =>
  namespace === undefined ? { name } : { name, namespace };
