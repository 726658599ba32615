import { Refusal } from '../../base/errors/refusal.ts';
import { printable } from '../../base/schema/printable.ts';

/**
 * Returns the distinct public ids of the models that a key is limited to, or the refusal of the first unknown
 * spelling.
 */
export function resolveModelIds(
  spellings: readonly string[] | null,
  resolve: (spelling: string) => string | undefined,
): string[] | null | Refusal {
  if (spellings === null) return null;
  const ids = new Set<string>();
  for (const [index, spelling] of spellings.entries()) {
    const id = resolve(spelling);
    if (id === undefined) return refuseUnknown(index, spelling);
    ids.add(id);
  }
  return [...ids];
}

function refuseUnknown(index: number, spelling: string): Refusal {
  const param = `allowed_models[${index}]`;
  const message = `${param}: there is no model '${printable(spelling)}' in the catalog.`;
  return new Refusal('invalid_request', { message, param });
}
