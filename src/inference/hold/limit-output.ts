import { Refusal } from '../../base/errors/refusal.ts';
import { type JsonBody, knownBody } from '../../base/json/json-body.ts';
import { patchJson } from '../../base/json/patch-json.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { isOpenaiModel } from '../../translation/protocols/chat-completions/is-openai-model.ts';

/**
 * Sets a ceiling for the output, in the member that the first target accepts. OpenAI's newer models accept
 * only the first of the dialect's ceilings, and some hosts know only the second.
 */
export function limitOutput(
  request: InferenceRequest,
  tokens: number,
  { dialect, entry }: { dialect: Dialect; entry: CatalogEntry },
): InferenceRequest | Refusal {
  const [newer, older = newer] = dialect.ceilings ?? [];
  if (newer === undefined) return request;
  const name = isOpenaiModel(entry.targets[0]?.upstreamModel ?? '') ? newer : older!;
  const limitedRequest = dialect.read(withNumber(request.body, name, tokens));
  return limitedRequest instanceof Refusal ? limitedRequest : { ...request, ...limitedRequest };
}

/** Sets one numeric member of the body. The body is not parsed again, since nothing else in it changes. */
const withNumber = ({ text, members, value }: JsonBody, name: string, number: number): JsonBody =>
  knownBody(patchJson(text, members, { [name]: String(number) }), { ...value, [name]: number });
