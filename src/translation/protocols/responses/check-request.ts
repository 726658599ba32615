import { invalidParam } from '../../../base/errors/invalid-param.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import { type BodyCheck, checkBody } from '../check-body.ts';

const checks: readonly BodyCheck[] = [
  ({ background, store }) =>
    background === true && store === false
      ? invalidParam('store', 'must not be false, since a response in the background is stored')
      : undefined,
  ({ input, prompt }) =>
    input === undefined && prompt == null ? invalidParam('input', 'is required') : undefined,
  ({ conversation, previous_response_id }) =>
    conversation != null && previous_response_id != null
      ? invalidParam('conversation', 'cannot be used together with previous_response_id')
      : undefined,
  ({ conversation, store }) =>
    conversation != null && store === false
      ? invalidParam('store', 'must not be false, since the conversation keeps the response')
      : undefined,
  ({ input }) => refuseMedia(input),
  refuseChoice,
];

/** The fields that can hold the source of each kind of media. One of them is required. */
const sources: Readonly<Record<string, readonly string[]>> = {
  input_image: ['image_url', 'file_id'],
  input_file: ['file_data', 'file_url', 'file_id'],
};

/** Checks a body that needs no input if it continues a conversation. */
export const checkPrompt = (body: JsonObject, validate: Validator): Refusal | undefined =>
  checkRequest(
    body.input === undefined && (body.previous_response_id ?? body.conversation) != null
      ? withInput(body)
      : body,
    validate,
  );

const withInput = (body: JsonObject): JsonObject => ({ ...body, input: '' });

/** Returns the refusal for a body that is invalid at every target. */
export function checkRequest(body: JsonObject, validate: Validator): Refusal | undefined {
  return checkBody(body, validate, checks);
}

function refuseMedia(input: unknown): Refusal | undefined {
  for (const [index, item] of listOf(input).entries()) {
    for (const field of ['content', 'output']) {
      for (const [place, content] of listOf(objectOf(item)[field]).entries()) {
        const missing = missingSource(objectOf(content));
        if (missing) return invalidParam(`input[${index}].${field}[${place}].${missing}`, 'is required');
      }
    }
  }
  return undefined;
}

function missingSource(content: JsonObject): string | undefined {
  const fields = lookUp(sources, String(content.type));
  return fields?.every((field) => content[field] == null) ? fields[0] : undefined;
}

/** Checks the tool choice. Input items can add tools, so the check is skipped if there are any. */
function refuseChoice({ tools, tool_choice, input }: JsonObject): Refusal | undefined {
  const offered = listOf(tools).map(objectOf);
  if (listOf(input).some((item) => objectOf(item).type === 'additional_tools')) return undefined;
  const { type, name } = objectOf(tool_choice);
  if (offered.length === 0 && (tool_choice === 'required' || type === 'function' || type === 'custom'))
    return invalidParam('tool_choice', 'requires a call, but the request has no tools');
  if (type !== 'function' && type !== 'custom') return undefined;
  const names = offered
    .flatMap((tool) => [tool, ...listOf(tool.tools).map(objectOf)])
    .map((tool) => textOf(tool.name));
  return names.includes(textOf(name))
    ? undefined
    : invalidParam('tool_choice.name', 'is not the name of a tool in this request');
}
