import { objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, FunctionTool, Tool, ToolChoice } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuseToolChoice } from '../../encoding/refuse-tool-choice.ts';
import { encodeCache } from './cache-control.ts';

const choiceTypes: Readonly<Record<ToolChoice['kind'], string>> = {
  auto: 'auto',
  any: 'any',
  named: 'tool',
  none: 'none',
};

/** Encodes the tools of a flattened request. Freeform tools are functions by now. */
export function encodeTools(
  { tools }: CanonicalRequest,
  notes: EncodeNotes,
): (object | RawJson)[] | undefined {
  const encoded = tools.flatMap((tool): (object | RawJson)[] => {
    if (tool.kind === 'function') return [encodeFunction(tool)];
    if (tool.kind === 'opaque' && tool.issuer === 'messages') return [tool.tool];
    notes.lose('opaque-tool');
    return [];
  });
  return encoded.length > 0 ? encoded : undefined;
}

const encodeFunction = ({ name, description, inputSchema, strict, cache }: FunctionTool): object => ({
  name,
  ...(description !== undefined && { description }),
  input_schema: encodeSchema(inputSchema),
  ...(strict !== undefined && { strict }),
  ...encodeCache(cache),
});

/** Adds the type `object` to a schema without a type, since the vendor requires it. */
function encodeSchema(schema: RawJson | undefined): unknown {
  const value = schema?.parse();
  if (!isObject(value)) return { type: 'object', properties: {} };
  return value.type === undefined ? { type: 'object', ...value } : schema;
}

/** Reports whether the model must call a tool. */
export const isForced = (choice: ToolChoice | undefined): boolean =>
  choice?.kind === 'any' || choice?.kind === 'named';

/** Encodes the tool choice. A choice that no tool of the target can meet is refused. */
export function encodeToolChoice(request: CanonicalRequest, notes: EncodeNotes): object | undefined {
  const { tools, toolChoice, parallelToolCalls } = request;
  const isAlone = parallelToolCalls === false && toolChoice?.kind !== 'none';
  const choice = toolChoice ?? (isAlone ? { kind: 'auto' as const } : undefined);
  if (choice === undefined) return undefined;
  if (!tools.some((tool) => tool.kind !== 'opaque' || tool.issuer === 'messages')) {
    if (isForced(choice)) refuseToolChoice(choice, notes);
    return undefined;
  }
  if (choice.kind === 'named' && !canCall(choice.name, tools)) refuseToolChoice(choice, notes);
  return {
    type: choiceTypes[choice.kind],
    ...(choice.kind === 'named' && { name: choice.name }),
    ...(isAlone && { disable_parallel_tool_use: true }),
  };
}

const canCall = (name: string, tools: readonly Tool[]): boolean =>
  tools.some((tool) =>
    tool.kind === 'opaque'
      ? tool.issuer === 'messages' && objectOf(tool.tool.parse()).name === name
      : tool.name === name,
  );
