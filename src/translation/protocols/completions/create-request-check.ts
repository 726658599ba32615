import { invalidParam } from '../../../base/errors/invalid-param.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import { type CompletionsRequest, MAX_PROMPTS, promptsOf, requestSchema } from './request-schema.ts';

/** Creates the check that returns the request, or a refusal that names the first invalid field. */
export function createRequestCheck(): (body: JsonObject) => CompletionsRequest | Refusal {
  const validate = createValidator(requestSchema);
  return (body) => {
    const refusal = refuseInvalid(body, validate);
    if (refusal) return refusal;
    const request = body as CompletionsRequest; // the schema describes the type
    if (promptsOf(request).length > MAX_PROMPTS)
      return invalidParam('prompt', `must have at most ${MAX_PROMPTS} elements`);
    const { n, best_of: written } = request;
    if (written != null && written < (n ?? 1)) return invalidParam('best_of', 'must not be less than n');
    return request;
  };
}
