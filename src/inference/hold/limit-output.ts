import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { membersOf, patchJson } from '../../base/json/patch-json.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { isOpenaiModel } from '../../translation/protocols/chat-completions/is-openai-model.ts';

/**
 * Returns the request with an output ceiling, set in the member that its first target accepts. Without a
 * figure the request is unchanged.
 */
export function limitOutput(
  request: InferenceRequest,
  tokens: number | undefined,
  { dialect, entry }: { dialect: Dialect; entry: CatalogEntry },
): InferenceRequest | Refusal {
  if (tokens === undefined) return request;
  const { ceilings: [newer = 'max_tokens', older = newer] = [] } = dialect;
  const name = isOpenaiModel(entry.targets[0]?.upstreamModel ?? '') ? newer : older;
  const limitedRequest = dialect.read(withNumber(request.body, name, tokens));
  return limitedRequest instanceof Refusal ? limitedRequest : { ...request, ...limitedRequest };
}

/** Sets one numeric member of the body. The body is not parsed again, since nothing else in it changes. */
function withNumber({ text, members, value }: JsonBody, name: string, number: number): JsonBody {
  const patched = patchJson(text, members, { [name]: String(number) });
  let places: JsonBody['members'] | undefined;
  return {
    text: patched,
    value: { ...value, [name]: number },
    get members() {
      places ??= membersOf(patched);
      return places;
    },
  };
}
