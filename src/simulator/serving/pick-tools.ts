import { stringEnd } from '../../base/json/scan-json.ts';
import { BadInput } from '../model/bad-input.ts';
import { parseJson } from '../model/parse-json.ts';
import type { Prompt, PromptTool } from '../model/prompt.ts';
import { findMentions } from './find-mentions.ts';
import { lastUserText } from './prompt-text.ts';
import { removeAgentBlocks } from './remove-agent-blocks.ts';
import { sampleSchema } from './sample-schema.ts';

/** A tool to call with its encoded arguments. */
export type PickedCall = { name: string; namespace?: string | undefined; input: string; freeform: boolean };

const ANY_TOOL = /\buse (?:a|any|the|some) tools?\b/i;
/** The most calls of one answer. Each samples a schema. */
const MAX_CALLS = 32;

/**
 * Picks the calls that the request requires, or that the user's text orders:
 *
 *   use a tool               calls the first tool
 *   NAME                     calls this tool; two names call both tools
 *   call NAME with {JSON}    calls this tool with exactly these arguments
 */
export function pickTools(prompt: Prompt): PickedCall[] {
  const text = removeAgentBlocks(lastUserText(prompt));
  const chosen = chooseTools(prompt, text);
  const calls = prompt.allowsParallelCalls ? chosen : chosen.slice(0, 1);
  return calls.map((tool) => ({
    name: tool.name,
    ...(tool.namespace !== undefined && { namespace: tool.namespace }),
    input: orderedInput(tool.name, text) ?? sampleInput(tool),
    freeform: tool.schema === undefined,
  }));
}

function chooseTools(prompt: Prompt, text: string): PromptTool[] {
  const { tools, toolChoice } = prompt;
  if (toolChoice.kind === 'none' || (tools.length === 0 && toolChoice.kind === 'auto')) return [];
  if (toolChoice.kind === 'named') {
    const tool = tools.find(({ name }) => name === toolChoice.name);
    if (!tool) throw new BadInput(`Tool choice names the unknown tool '${toolChoice.name}'.`, 'tool_choice');
    return [tool];
  }
  const isMentioned = findMentions(text);
  const mentioned = tools.filter(({ name }) => isMentioned(name)).slice(0, MAX_CALLS);
  if (mentioned.length > 0) return mentioned;
  const first = tools.slice(0, 1);
  if (toolChoice.kind === 'auto') return ANY_TOOL.test(text) ? first : [];
  if (first.length === 0)
    throw new BadInput('Tool choice requires a tool, but no tools were given.', 'tool_choice');
  return first;
}

/** Returns the JSON after the words that order a call with these arguments. */
function orderedInput(name: string, text: string): string | undefined {
  const start = text.indexOf(`call ${name} with {`);
  if (start < 0) return undefined;
  const from = text.indexOf('{', start);
  const candidate = text.slice(from, endOfObject(text, from));
  return parseJson(candidate) === undefined ? undefined : candidate;
}

/** Returns the end of the object that begins here, or the end of the text if the object has none. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = stringEnd(text, at) - 1;
    else if (sign === '{') depth++;
    else if (sign === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Returns arguments that the tool accepts. */
function sampleInput(tool: PromptTool): string {
  return tool.schema === undefined
    ? `simulated input for ${tool.name}`
    : JSON.stringify(sampleSchema(tool.schema));
}
