import { invalidParam } from '../../../base/errors/invalid-param.ts';
import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import { contentMembers } from './content-members.ts';
import { choiceOf } from './decode-tools.ts';
import { FUNCTION_NAME } from './request-schema.ts';

type Problem = { param: string; problem: string };

/** Checks that the schema cannot express: conditions on values and between fields. */
const checks: readonly ((body: JsonObject) => Problem | undefined)[] = [
  ({ background, store }) =>
    background === true && store === false
      ? { param: 'store', problem: 'must not be false, since an interaction in the background is stored' }
      : undefined,
  ({ input, continuation_token }) =>
    input == null && continuation_token == null ? { param: 'input', problem: 'is required' } : undefined,
  ({ input }) => problemOfSteps(listOf(input)),
  ({ tools }) => problemOfTools(listOf(tools)),
  problemOfChoice,
];

/** The members that a step must have. */
const required: Readonly<Record<string, readonly string[]>> = {
  function_call: ['id', 'name'],
  function_result: ['call_id', 'result'],
};

function problemOfSteps(steps: readonly unknown[]): Problem | undefined {
  for (const [index, value] of steps.entries()) {
    const problem = problemOfStep(objectOf(value), `input[${index}]`);
    if (problem) return problem;
  }
  return undefined;
}

function problemOfStep(step: JsonObject, path: string): Problem | undefined {
  const missing = lookUp(required, String(step.type))?.find((name) => step[name] == null);
  if (missing !== undefined) return { param: `${path}.${missing}`, problem: 'is required' };
  const member = lookUp(contentMembers, String(step.type));
  return member && problemOfContents(listOf(step[member]), `${path}.${member}`);
}

const MEDIA: ReadonlySet<unknown> = new Set(['image', 'audio', 'document', 'video']);

function problemOfContents(contents: readonly unknown[], path: string): Problem | undefined {
  for (const [index, content] of contents.entries()) {
    const missing = missingMember(objectOf(content));
    if (missing !== undefined) return { param: `${path}[${index}].${missing}`, problem: 'is required' };
  }
  return undefined;
}

function missingMember({ type, text, data, uri, mime_type }: JsonObject): string | undefined {
  if (type === 'text' && typeof text !== 'string') return 'text';
  if (!MEDIA.has(type)) return undefined;
  if (!data && !uri) return 'data';
  return data && !mime_type ? 'mime_type' : undefined;
}

function problemOfTools(tools: readonly unknown[]): Problem | undefined {
  const names = new Set<string>();
  for (const [index, tool] of tools.map(objectOf).entries()) {
    if (tool.type !== 'function') continue;
    const name = textOf(tool.name) ?? '';
    const param = `tools[${index}].name`;
    if (!FUNCTION_NAME.test(name))
      return {
        param,
        problem: 'must be at most 128 letters, digits, dashes, dots, colons and underscores',
      };
    if (names.has(name)) return { param, problem: 'is already the name of another function' };
    names.add(name);
  }
  return undefined;
}

const CHOICE = 'generation_config.tool_choice';

function problemOfChoice(body: JsonObject): Problem | undefined {
  const names = listOf(body.tools).map((tool) => textOf(objectOf(tool).name));
  const { mode, allowed } = choiceOf(body);
  const unknown = allowed.findIndex((name) => !names.includes(name));
  if (unknown >= 0)
    return {
      param: `${CHOICE}.allowed_tools.tools[${unknown}]`,
      problem: 'is not the name of a function in this request',
    };
  return mode === 'any' && listOf(body.tools).length === 0
    ? { param: CHOICE, problem: 'requires a call, but the request has no functions' }
    : undefined;
}

/** Returns the refusal for a body that is invalid at every target. */
export function checkRequest(body: JsonObject, validate: Validator): Refusal | undefined {
  const { agent, model } = body;
  if (agent != null && model == null) return refuseAgent();
  if (typeof model !== 'string' || model === '') return invalidParam('model', 'is required');
  const refusal = refuseInvalid(body, validate);
  if (refusal) return refusal;
  for (const check of checks) {
    const invalid = check(body);
    if (invalid) return invalidParam(invalid.param, invalid.problem);
  }
  return undefined;
}

/** The vendor's agents have no model of the catalog, so no provider can get such a request. */
const refuseAgent = (): Refusal =>
  new Refusal('route_not_qualified', {
    param: 'agent',
    message: 'agent: the gateway has models and no agents; name a model instead',
  });
