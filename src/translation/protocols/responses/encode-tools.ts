import { objectOf } from '../../../base/json/read-json.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type {
  CanonicalRequest,
  FreeformTool,
  FunctionTool,
  Tool,
  ToolChoice,
} from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuseToolChoice } from '../../encoding/refuse-tool-choice.ts';

const NO_INPUT = new RawJson('{"type":"object","properties":{}}');

const choiceWords: Readonly<Record<ToolChoiceWord, string>> = { auto: 'auto', none: 'none', any: 'required' };

/** Encodes tools. Consecutive tools of one namespace share a group. */
export function encodeTools(tools: readonly Tool[], notes: EncodeNotes): unknown[] {
  const encoded: unknown[] = [];
  let group: { type: 'namespace'; name: string; description: string; tools: unknown[] } | undefined;
  for (const tool of tools) {
    const namespace = tool.kind === 'opaque' ? undefined : tool.namespace;
    if (namespace === undefined) {
      group = undefined;
      encoded.push(...encodeTool(tool, notes));
      continue;
    }
    if (group?.name !== namespace) {
      group = { type: 'namespace', name: namespace, description: namespace, tools: [] };
      encoded.push(group);
    }
    group.tools.push(...encodeTool(tool, notes));
  }
  return encoded;
}

/** Encodes a tool. Returns nothing for a tool of another vendor, which is lost. */
function encodeTool(tool: Tool, notes: EncodeNotes): unknown[] {
  if (tool.kind !== 'opaque') return [encodeOwnTool(tool, notes)];
  if (tool.issuer === 'responses') return [tool.tool];
  notes.lose('opaque-tool');
  return [];
}

function encodeOwnTool(tool: FunctionTool | FreeformTool, notes: EncodeNotes): unknown {
  const { name, description } = tool;
  const named = { name, ...(description !== undefined && { description }) };
  if (tool.kind === 'freeform')
    return { type: 'custom', ...named, ...(tool.format && { format: tool.format }) };
  if (tool.cache) notes.lose('cache-breakpoint');
  // An absent `strict` means true here, and a schema that is not made for strict mode would be refused.
  return {
    type: 'function',
    ...named,
    parameters: tool.inputSchema ?? NO_INPUT,
    strict: tool.strict ?? false,
  };
}

type NamedToolChoice = Extract<ToolChoice, { kind: 'named' }>;
type ToolChoiceWord = Exclude<ToolChoice, NamedToolChoice>['kind'];

/** Encodes the tool choice. A choice that no tool of the target can meet is refused. */
export function encodeToolChoice({ toolChoice, tools }: CanonicalRequest, notes: EncodeNotes): unknown {
  if (toolChoice === undefined) return undefined;
  const callable = tools.filter((tool) => tool.kind !== 'opaque' || tool.issuer === 'responses');
  if (toolChoice.kind === 'named') return encodeNamed(toolChoice, callable, notes);
  if (callable.length > 0) return choiceWords[toolChoice.kind];
  if (toolChoice.kind === 'any') refuseToolChoice(toolChoice, notes);
  return undefined;
}

/** Encodes a named choice. The vendor's own tools are named by their type. */
function encodeNamed(choice: NamedToolChoice, tools: readonly Tool[], notes: EncodeNotes): unknown {
  const { name, namespace } = choice;
  const chosen = tools.find((tool) =>
    tool.kind === 'opaque'
      ? objectOf(tool.tool.parse()).type === name
      : tool.name === name && tool.namespace === namespace,
  );
  if (chosen === undefined) {
    refuseToolChoice(choice, notes);
    return undefined;
  }
  if (chosen.kind === 'opaque') return { type: name };
  const type = chosen.kind === 'freeform' ? 'custom' : 'function';
  return { type, name, ...(namespace !== undefined && { namespace }) };
}
