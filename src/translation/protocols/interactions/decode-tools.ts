import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { Tool } from '../../canonical/request.ts';
import { applyChoice, type ToolOptions } from '../google/apply-choice.ts';

/** Decodes the tools, and the choice among the functions. */
export function decodeTools(body: JsonBody): ToolOptions {
  const texts = elementsOf(memberText(body, 'tools'));
  const tools = listOf(body.value.tools).map((tool, index) => toolOf(objectOf(tool), texts[index] ?? '{}'));
  const { mode, allowed } = choiceOf(body.value);
  return applyChoice(tools, { kind: kindOf(mode), allowed });
}

function toolOf(tool: JsonObject, text: string): Tool {
  if (tool.type !== 'function') return { kind: 'opaque', issuer: 'interactions', tool: new RawJson(text) };
  const description = textOf(tool.description);
  return {
    kind: 'function',
    name: String(tool.name),
    ...(description && { description }),
    ...(isObject(tool.parameters) && { inputSchema: new RawJson(sliceJson(text, ['parameters']) ?? '{}') }),
  };
}

/** Returns the choice among the functions. */
export function choiceOf({ generation_config }: JsonObject): { mode: string | undefined; allowed: string[] } {
  const choice = objectOf(generation_config).tool_choice;
  if (typeof choice === 'string') return { mode: choice, allowed: [] };
  if (!isObject(choice)) return { mode: undefined, allowed: [] };
  const { mode, tools } = objectOf(choice.allowed_tools);
  return {
    mode: textOf(mode) ?? 'auto',
    allowed: listOf(tools).filter((name) => typeof name === 'string'),
  };
}

function kindOf(mode: string | undefined): 'none' | 'any' | 'auto' | undefined {
  return mode === undefined || mode === 'none' || mode === 'any' ? mode : 'auto';
}
