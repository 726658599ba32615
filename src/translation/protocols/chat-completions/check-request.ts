import { invalidParam } from '../../../base/errors/invalid-param.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import type { ChatRequest } from './request-schema.ts';
import { toolNameIn } from './tool-name-in.ts';

/** Returns the request, or the refusal for one that is invalid on every wire. */
export function checkRequest(value: JsonObject, validate: Validator): ChatRequest | Refusal {
  const refusal = refuseInvalid(value, validate);
  if (refusal) return refusal;
  const request = value as ChatRequest;
  return findContradiction(request) ?? request;
}

/** Finds contradictions between fields that are valid on their own. */
function findContradiction(request: ChatRequest): Refusal | undefined {
  if (request.top_logprobs && !request.logprobs)
    return invalidParam('top_logprobs', 'needs logprobs to be true');
  const { tools, functions } = request;
  const isLegacy = functions != null && tools == null;
  const field = isLegacy ? 'function_call' : 'tool_choice';
  const choice = request[field];
  if (choice == null || choice === 'auto' || choice === 'none') return undefined;
  const names = isLegacy ? functions.map(({ name }) => name) : (tools ?? []).map(toolNameIn);
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
