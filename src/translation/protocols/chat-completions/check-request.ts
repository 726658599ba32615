import { invalidParam } from '../../../base/errors/invalid-param.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import type { ChatRequest } from './request-schema.ts';
import { toolNameIn } from './tool-name-in.ts';

/** Readers of the name of a tool, for each field that chooses one. */
const nameReaders = {
  tool_choice: toolNameIn,
  function_call: ({ name }: Fields): string | undefined => textOf(name),
};

/** Returns the request, or the refusal for one that is invalid on every wire. */
export function checkRequest(value: JsonObject, validate: Validator): ChatRequest | Refusal {
  const refusal = refuseInvalid(value, validate);
  if (refusal) return refusal;
  const request = value as ChatRequest;
  return findContradiction(request) ?? request;
}

/** Finds contradictions between fields that are valid on their own. */
function findContradiction(request: ChatRequest): Refusal | undefined {
  const { top_logprobs, logprobs, tools, tool_choice, functions, function_call } = request;
  if (top_logprobs && !logprobs) return invalidParam('top_logprobs', 'needs logprobs to be true');
  return (
    refuseChoice('tool_choice', tool_choice, tools) ?? refuseChoice('function_call', function_call, functions)
  );
}

/** Returns the refusal for a choice that none of the request's tools can meet. */
function refuseChoice(
  field: keyof typeof nameReaders,
  choice: string | Fields | null | undefined,
  tools: readonly Fields[] | null | undefined,
): Refusal | undefined {
  if (choice == null || choice === 'auto' || choice === 'none') return undefined;
  const names = (tools ?? []).map(nameReaders[field]);
  const chosen = typeof choice === 'string' ? undefined : chosenName(choice);
  if (chosen !== undefined && !names.includes(chosen)) {
    const name = JSON.stringify(chosen.slice(0, 64));
    return invalidParam(field, `names ${name}, which is not a tool of this request`);
  }
  if (names.length > 0 || !requiresCall(choice)) return undefined;
  return invalidParam(field, 'requires a call, but the request has no tools');
}

const chosenName = (choice: Fields): string | undefined => toolNameIn(choice) ?? textOf(choice.name);

/** Reports whether a choice requires a call of any tool. */
const requiresCall = (choice: string | Fields): boolean =>
  typeof choice === 'string'
    ? choice === 'required'
    : choice.type === 'required' || objectOf(choice.allowed_tools).mode === 'required';
