import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { formatPath } from '../../../base/schema/format-path.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import { type CompletionsRequest, MAX_PROMPTS, promptsOf, requestSchema } from './request-schema.ts';

const invalid = (param: string, message: string): Refusal =>
  new Refusal('invalid_request', { param, message: `${param} ${message}` });

/** Creates the check that returns the request, or a refusal that names the first invalid field. */
export function createRequestCheck(): (body: JsonObject) => CompletionsRequest | Refusal {
  const validate = createValidator(requestSchema);
  return (body) => {
    const problem = validate(body);
    if (problem) return invalid(formatPath(problem.path), problem.message);
    const request = body as CompletionsRequest; // the schema describes the type
    if (promptsOf(request).length > MAX_PROMPTS)
      return invalid('prompt', `must have at most ${MAX_PROMPTS} elements`);
    const { n, best_of: written } = request;
    if (written != null && written < (n ?? 1)) return invalid('best_of', 'must not be less than n');
    return request;
  };
}
