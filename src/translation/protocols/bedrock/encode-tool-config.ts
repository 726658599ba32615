import type { CanonicalRequest, FunctionTool, ToolChoice } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuseToolChoice } from '../../encoding/refuse-tool-choice.ts';
import { encodeCachePoint } from './encode-cache-point.ts';
import type { Family } from './family.ts';

const NO_INPUT = { type: 'object', properties: {} };

/**
 * Encodes the tool configuration. Returns undefined if there are no tools. A conversation with calls must
 * define tools, even if the model may not call them.
 */
export function encodeToolConfig(
  request: CanonicalRequest,
  { family, notes }: { family: Family; notes: EncodeNotes },
): object | undefined {
  const { toolChoice } = request;
  if (request.tools.some(({ kind }) => kind === 'opaque')) notes.lose('opaque-tool');
  const offered = request.tools.filter((tool) => tool.kind === 'function');
  const choice = choiceOf(toolChoice, offered, notes);
  const called = namesCalled(request);
  const isForbidden = toolChoice?.kind === 'none';
  if (isForbidden && called.length > 0) notes.lose('tool-choice');
  const tools = isForbidden || offered.length === 0 ? toolsOfCalls(offered, called) : offered;
  if (tools.length === 0) return undefined;
  return {
    tools: tools.flatMap((tool) => [
      { toolSpec: specOf(tool) },
      ...encodeCachePoint(tool.cache, { notes, isSupported: family.cachesTools }),
    ]),
    ...(choice && { toolChoice: choice }),
  };
}

/**
 * Returns the tools that the conversation's calls need. A conversation with calls keeps all its tools. If
 * none are offered, the called tools are defined by name only.
 */
function toolsOfCalls(offered: readonly FunctionTool[], called: readonly string[]): readonly FunctionTool[] {
  if (called.length === 0) return [];
  return offered.length > 0 ? offered : called.map((name) => ({ kind: 'function', name }));
}

const namesCalled = ({ turns }: CanonicalRequest): string[] => [
  ...new Set(
    turns.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool-call' ? [part.name] : []))),
  ),
];

const specOf = ({ name, description, inputSchema }: FunctionTool) => ({
  name,
  ...(description?.trim() && { description }),
  inputSchema: { json: inputSchema ?? NO_INPUT },
});

/** Encodes the tool choice. This wire has no `none`, so that choice is omitted. */
function choiceOf(
  choice: ToolChoice | undefined,
  offered: readonly FunctionTool[],
  notes: EncodeNotes,
): object | undefined {
  if (choice === undefined || choice.kind === 'none') return undefined;
  if (choice.kind === 'named') {
    if (!offered.some(({ name }) => name === choice.name)) refuseToolChoice(choice, notes);
    return { tool: { name: choice.name } };
  }
  if (choice.kind === 'auto') return offered.length > 0 ? { auto: {} } : undefined;
  if (offered.length === 0) refuseToolChoice(choice, notes);
  return { any: {} };
}
