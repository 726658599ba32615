import { Refusal } from '../../base/errors/refusal.ts';
import { printable } from '../../base/schema/printable.ts';

/**
 * Returns the distinct public ids of the models that a key is limited to, or the spellings that are unknown.
 */
export function resolveModelIds(
  spellings: readonly string[] | null,
  resolve: (spelling: string) => string | undefined,
): string[] | null | Refusal {
  if (spellings === null) return null;
  const ids = spellings.map(resolve);
  const unknown = ids.indexOf(undefined);
  if (unknown === -1) return [...new Set(ids as string[])];
  const param = `allowed_models[${unknown}]`;
  const message = `${param}: there is no model '${printable(spellings[unknown]!)}' in the catalog.`;
  return new Refusal('invalid_request', { message, param });
}
