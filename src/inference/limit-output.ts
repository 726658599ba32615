import type { CatalogEntry } from '../catalog/catalog.ts';
import { Refusal } from '../errors/refusal.ts';
import { parseJsonObject } from '../http/json-body.ts';
import { isOpenaiModel } from '../protocols/chat-completions/openai-models.ts';
import type { Dialect, InferenceRequest } from '../protocols/dialect.ts';
import { patchJson } from '../protocols/patch-json.ts';

/**
 * The same request as if its client had asked for no longer an answer, in the name that its first target knows for that. Without a figure
 * it stays as it is.
 */
export function limitOutput(
  request: InferenceRequest,
  tokens: number | undefined,
  { dialect, entry }: { dialect: Dialect; entry: CatalogEntry },
): InferenceRequest | Refusal {
  if (tokens === undefined) return request;
  const { ceilings: [newer = 'max_tokens', older = newer] = [] } = dialect;
  const name = isOpenaiModel(entry.targets[0]?.upstreamModel ?? '') ? newer : older;
  const { text, members } = request.body;
  const body = parseJsonObject(patchJson(text, members, { [name]: String(tokens) }));
  if (body instanceof Refusal) return body;
  const read = dialect.read(body);
  return read instanceof Refusal ? read : { ...request, ...read };
}
