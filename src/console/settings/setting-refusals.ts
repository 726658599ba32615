import { Refusal } from '../../base/errors/refusal.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** Refuses a change of a revision that is not the current one any more. */
export const changedMeanwhile = (): Refusal =>
  new Refusal('conflict', { message: 'The row has changed since it was read. Load it again.' });

/** Refuses a row with an invalid field. */
export function invalidField({ path, message }: SchemaProblem): Refusal {
  const param = formatPath(path);
  return new Refusal('invalid_request', {
    message: `${param === '' ? 'The row' : param} ${message}.`,
    param: param || null,
  });
}

/** Refuses the id of a provider that does not exist, and suggests a similar one. */
export function unknownProvider(id: string, { providers }: Snapshot): Refusal {
  const hint = didYouMean(id, providers.keys());
  return new Refusal('not_found', { message: `There is no such provider${hint === '' ? '.' : hint}` });
}
