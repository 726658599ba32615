import type { Field } from '../model/field.ts';
import type { PromptTool, PromptToolChoice } from '../model/prompt.ts';

/** The items whose tools the model has from then on. */
const ADDING: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output']);

/** Reads the tools of the request, and those that items of its input add. */
export const readResponsesTools = (body: Field): PromptTool[] =>
  [...body.at('tools').items(), ...addedTools(body.at('input'))].flatMap((tool) => readTool(tool));

const addedTools = (input: Field): Field[] =>
  input.isText()
    ? []
    : input
        .items()
        .filter((item) => ADDING.has(item.at('type').value))
        .flatMap((item) => item.at('tools').items());

/** Hosted tools run at the vendor. The simulator accepts them and never calls them. */
function readTool(tool: Field, namespace?: string): PromptTool[] {
  const type = tool.at('type').text();
  if (type === 'namespace' && namespace === undefined) {
    const name = tool.at('name').text();
    return tool
      .at('tools')
      .someItems()
      .flatMap((member) => readTool(member, name));
  }
  if (type !== 'function' && type !== 'custom') return [];
  const named = {
    name: tool.at('name').text(),
    description: tool.at('description').optionalText() ?? '',
    ...(namespace !== undefined && { namespace }),
  };
  if (type === 'custom') return [named];
  const parameters = tool.at('parameters');
  return [{ ...named, schema: parameters.present ? parameters.record() : {} }];
}

export function readResponsesToolChoice(choice: Field): PromptToolChoice {
  if (!choice.present) return { kind: 'auto' };
  if (!choice.isText() && choice.at('type').value !== 'allowed_tools') return readNamedChoice(choice);
  const mode = (choice.isText() ? choice : choice.at('mode')).oneOf(['auto', 'none', 'required']);
  return { kind: mode === 'required' ? 'any' : mode };
}

const readNamedChoice = (choice: Field): PromptToolChoice =>
  choice.at('name').present ? { kind: 'named', name: choice.at('name').text() } : { kind: 'auto' };
