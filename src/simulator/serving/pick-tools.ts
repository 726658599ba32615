import { BadInput } from '../model/bad-input.ts';
import type { Prompt, SimulatorTool } from '../model/prompt.ts';
import { lastUserText } from './read-turns.ts';
import { sampleSchema } from './sample-schema.ts';

/** A tool to call with its encoded arguments. */
export type PickedCall = { name: string; input: string; freeform: boolean };

const ANY_TOOL = /\buse (?:a|any|the|some) tools?\b/i;

export function pickTools(prompt: Prompt): PickedCall[] {
  const text = lastUserText(prompt);
  const chosen = chooseTools(prompt, text);
  const kept = prompt.parallelTools ? chosen : chosen.slice(0, 1);
  return kept.map((tool) => ({
    name: tool.name,
    input: askedInput(tool.name, text) ?? sampleInput(tool),
    freeform: tool.schema === undefined,
  }));
}

function chooseTools(prompt: Prompt, text: string): SimulatorTool[] {
  const { tools, toolChoice } = prompt;
  if (toolChoice.kind === 'none' || (tools.length === 0 && toolChoice.kind === 'auto')) return [];
  if (toolChoice.kind === 'named') {
    const tool = tools.find(({ name }) => name === toolChoice.name);
    if (!tool) throw new BadInput(`Tool choice names the unknown tool '${toolChoice.name}'.`, 'tool_choice');
    return [tool];
  }
  const mentioned = tools.filter(({ name }) => mentions(text, name));
  if (mentioned.length > 0) return mentioned;
  const first = tools.slice(0, 1);
  if (toolChoice.kind === 'auto') return ANY_TOOL.test(text) ? first : [];
  if (first.length === 0)
    throw new BadInput('Tool choice requires a tool, but no tools were given.', 'tool_choice');
  return first;
}

/** Tests whether the text has the name as a whole word: "reader" does not name the tool "read". */
function mentions(text: string, name: string): boolean {
  const escaped = name.replace(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(text);
}

function askedInput(name: string, text: string): string | undefined {
  const start = text.indexOf(`call ${name} with {`);
  if (start < 0) return undefined;
  const from = text.indexOf('{', start);
  for (let end = text.indexOf('}', from); end >= 0; end = text.indexOf('}', end + 1)) {
    const candidate = text.slice(from, end + 1);
    if (isJson(candidate)) return candidate;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function sampleInput(tool: SimulatorTool): string {
  return tool.schema === undefined
    ? `simulated input for ${tool.name}`
    : JSON.stringify(sampleSchema(tool.schema));
}
