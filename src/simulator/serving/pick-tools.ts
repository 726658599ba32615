import { BadInput } from '../model/bad-input.ts';
import type { Prompt, PromptTool } from '../model/prompt.ts';
import { lastUserText } from './prompt-text.ts';
import { sampleSchema } from './sample-schema.ts';
import { withoutContext } from './without-context.ts';

/** A tool to call with its encoded arguments. */
export type PickedCall = { name: string; namespace?: string | undefined; input: string; freeform: boolean };

const ANY_TOOL = /\buse (?:a|any|the|some) tools?\b/i;
const ORDER = /\b(?:us(?:e|ing)|call|invoke|run|execute|tools?)\b/i;

/** Names of agents' tools that are also words of requests. Asking to read or write orders no call. */
const ordinaryWords: ReadonlySet<string> = new Set(
  (
    'agent ask bash browser computer edit exec explore fetch find glob grep list ls monitor open patch plan python ' +
    'question read replace run search shell skill task think todo update view wait web workflow write'
  ).split(' '),
);

/**
 * Picks the calls that the request requires, or that the user's text orders:
 *
 *   use a tool               calls the first tool
 *   NAME                     calls this tool; two names call both tools
 *   call NAME with {JSON}    calls this tool with exactly these arguments
 */
export function pickTools(prompt: Prompt): PickedCall[] {
  const text = withoutContext(lastUserText(prompt));
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
  const mentioned = tools.filter(({ name }) => mentions(text, name));
  if (mentioned.length > 0) return mentioned;
  const first = tools.slice(0, 1);
  if (toolChoice.kind === 'auto') return ANY_TOOL.test(text) ? first : [];
  if (first.length === 0)
    throw new BadInput('Tool choice requires a tool, but no tools were given.', 'tool_choice');
  return first;
}

/**
 * Tests whether the text orders a call of the tool. Its name is enough if it stands alone. Names that are
 * ordinary words of requests need a sentence that orders a call: "use the read tool", "call Bash and Write".
 */
function mentions(text: string, name: string): boolean {
  const escaped = name.replace(/[^\w]/g, '\\$&');
  const alone = new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`);
  if (!ordinaryWords.has(name.toLowerCase())) return alone.test(text);
  return text.split(/[.!?\n]/).some((sentence) => ORDER.test(sentence) && alone.test(sentence));
}

/** Returns the JSON after the words that order a call with these arguments. */
function orderedInput(name: string, text: string): string | undefined {
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

/** Returns arguments that the tool accepts. */
function sampleInput(tool: PromptTool): string {
  return tool.schema === undefined
    ? `simulated input for ${tool.name}`
    : JSON.stringify(sampleSchema(tool.schema));
}
