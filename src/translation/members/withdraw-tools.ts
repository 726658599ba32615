import type { JsonObject } from '../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { Path } from '../../base/schema/format-path.ts';
import { hostedKindOf } from './hosted-kind-of.ts';
import type { HostedTool } from './inspection.ts';
import { pruneLists } from './prune-lists.ts';

type Offer = {
  body: JsonObject;
  /** The tools that are not served. */
  unserved: readonly UnservedTool[];
  /** The number of tools of any kind. */
  tools: number;
};

/** `extra` is undefined if the tool has no price of its own. */
type UnservedTool = Pick<HostedTool, 'path' | 'name'> & { extra?: HostedTool['extra'] | undefined };

/** The paths to remove, or the reason why the answer depends on an unserved tool, with its place. */
export type Withdrawal = { removed: Path[] } | { path: Path; problem: string };

/** The members that vendors refuse if there are no tools. */
const membersOfTools: readonly [string][] = [['tool_choice'], ['parallel_tool_calls']];

/**
 * Removes hosted tools that are not served, unless the answer depends on one.
 * Agents offer hosted tools with every request.
 */
export function withdrawTools({ body, unserved, tools }: Offer): Withdrawal {
  const [first] = unserved;
  if (first === undefined) return { removed: [] };
  const { tool_choice: choice } = body;
  const type = isObject(choice) ? choice.type : choice;
  const forcedTool = isObject(choice) ? unserved.find((tool) => namesOneOf([tool])(choice)) : undefined;
  if (forcedTool) return { path: ['tool_choice'], problem: `forces a call of ${forcedTool.name}` };
  const paths = pruneLists(
    body,
    unserved.map(({ path }) => path),
  );
  const disallowed = type === 'allowed_tools' ? limitChoice(objectOf(choice), unserved) : [];
  if (disallowed === undefined)
    return { path: ['tool_choice'], problem: 'allows only calls of hosted tools' };
  if (unserved.length < tools) return { removed: [...paths, ...disallowed] };
  // The request forbids calls, so the request works without any tool.
  if (type === 'none') return { removed: [...paths, ...membersOfTools.filter(([name]) => name in body)] };
  return { path: first.path, problem: `the only tool is ${first.name}` };
}

/**
 * Makes a test for choices that name one of the tools by its name, or by its type, which vendors extend with
 * dates. A request can have many choices and many tools.
 */
function namesOneOf(tools: readonly UnservedTool[]): (choice: JsonObject) => boolean {
  const names = new Set<unknown>(tools.map(({ name }) => name));
  const types = new Set<unknown>(tools.filter(({ extra }) => extra === undefined).map(({ name }) => name));
  const extras = new Set(tools.map(({ extra }) => extra));
  return (choice) => {
    const { type } = choice;
    if (type === 'allowed_tools') return false;
    const toolName = textOf(choice.name) ?? textOf(objectOf(choice.function).name);
    if (toolName !== undefined && names.has(toolName)) return true;
    if (types.has(type)) return true;
    const extra = type === 'shell' ? type : hostedKindOf(choice)?.extra;
    return extra !== undefined && extras.has(extra);
  };
}

/** Returns the paths of unserved tools in the list of allowed ones, or undefined if it has no others. */
function limitChoice(choice: JsonObject, unserved: readonly UnservedTool[]): Path[] | undefined {
  const isFlat = Array.isArray(choice.tools);
  const allowed = listOf(isFlat ? choice.tools : objectOf(choice.allowed_tools).tools).map(objectOf);
  const listPath = ['tool_choice', ...(isFlat ? [] : ['allowed_tools']), 'tools'];
  const isUnserved = namesOneOf(unserved);
  const removed = allowed.flatMap((allowedTool, index) =>
    isUnserved(allowedTool) ? [[...listPath, index]] : [],
  );
  return removed.length > 0 && removed.length === allowed.length ? undefined : removed;
}
