import { invalidParam } from '../../../base/errors/invalid-param.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { callingOf, DECLARATIONS } from './decode-tools.ts';

const CALLING_PATH = 'toolConfig.functionCallingConfig';

/** Checks the functions and the choice among them against each other. */
export function checkTools(body: JsonObject): Refusal | undefined {
  const declared = listOf(body['tools']).flatMap((tool, toolIndex) =>
    listOf(objectOf(tool)[DECLARATIONS]).map((declaration, index) => ({
      name: textOf(objectOf(declaration).name) ?? '',
      path: `tools[${toolIndex}].${DECLARATIONS}[${index}].name`,
    })),
  );
  const names = new Set<string>();
  for (const { name, path } of declared) {
    if (names.has(name)) return invalidParam(path, 'is already the name of another function');
    names.add(name);
  }
  const { mode, allowed } = callingOf(body);
  const unknown = allowed.findIndex((name) => !names.has(name));
  if (unknown >= 0)
    return invalidParam(
      `${CALLING_PATH}.allowedFunctionNames[${unknown}]`,
      'is not the name of a function in this request',
    );
  return mode === 'ANY' && names.size === 0
    ? invalidParam(`${CALLING_PATH}.mode`, 'requires a call, but the request has no functions')
    : undefined;
}
