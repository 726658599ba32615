import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { formatPath, type Path } from '../../../base/schema/format-path.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import type { ChatRequest } from './request-schema.ts';

/** Returns the refusal for a request that is invalid on every wire. */
export function findFault(value: JsonObject, validate: Validator): Refusal | undefined {
  const problem = validate(value);
  return problem ? invalid(problem.path, problem.message) : findContradiction(value as ChatRequest);
}

const invalid = (path: Path, message: string): Refusal => {
  const param = formatPath(path);
  return new Refusal('invalid_request', { param, message: `${param} ${message}` });
};

/** Finds contradictions between fields that are valid on their own. */
function findContradiction(request: ChatRequest): Refusal | undefined {
  if (request.top_logprobs && !request.logprobs)
    return invalid(['top_logprobs'], 'needs logprobs to be true');
  const { tools, functions } = request;
  const isLegacy = functions != null && tools == null;
  const field = isLegacy ? 'function_call' : 'tool_choice';
  const choice = request[field];
  if (choice == null || choice === 'auto' || choice === 'none') return undefined;
  const names = isLegacy ? functions.map(({ name }) => name) : (tools ?? []).flatMap(nameOf);
  const wanted = typeof choice === 'string' ? undefined : nameIn(choice);
  if (wanted !== undefined && !names.includes(wanted)) {
    const name = JSON.stringify(wanted.slice(0, 64));
    return invalid([field], `names ${name}, which is not a tool of this request`);
  }
  if (!asksForAny(choice) || (tools ?? functions ?? []).length > 0) return undefined;
  return invalid([field], 'requires a call, but the request has no tools');
}

type Tool = NonNullable<ChatRequest['tools']>[number];
type Choice = NonNullable<ChatRequest['tool_choice'] | ChatRequest['function_call']>;

function nameOf(tool: Tool): string[] {
  if ('function' in tool) return [tool.function.name];
  return 'custom' in tool ? [tool.custom.name] : [];
}

function nameIn(choice: Exclude<Choice, string>): string | undefined {
  if ('function' in choice) return choice.function.name;
  if ('custom' in choice) return choice.custom.name;
  return 'name' in choice ? choice.name : undefined;
}

function asksForAny(choice: Choice): boolean {
  if (typeof choice === 'string') return choice === 'required';
  if ('allowed_tools' in choice) return choice.allowed_tools.mode === 'required';
  return 'type' in choice && choice.type === 'required';
}
