import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import { acceptsField } from '../../settings/hosts/accepts-field.ts';
import { findFurtherModel } from '../cost/find-further-model.ts';
import { fallbacksOf, modelsInTools } from '../cost/further-models.ts';
import { quotedName } from './quoted-name.ts';
import { type ModelQuestion, refuseModel } from './refuse-model.ts';

/**
 * Refuses a request that names a further model that the catalog lacks or the caller may not use. Fallbacks
 * count only if a target's provider accepts the field.
 */
export function refuseFurtherModels(body: JsonObject, question: ModelQuestion): Refusal | undefined {
  const { targets } = question.entry;
  const fallbacks = targets.some(({ provider }) => acceptsField(provider, 'fallbacks'))
    ? fallbacksOf(body)
    : [];
  for (const { name, path } of [...modelsInTools(body), ...fallbacks]) {
    if (name === undefined) continue;
    const entry = findFurtherModel(name, question.snapshot.catalog);
    const refusal = entry ? refuseModel({ ...question, entry }) : unknownModel(name, formatPath(path));
    if (refusal) return refusal;
  }
  return undefined;
}

const unknownModel = (name: string, param: string): Refusal =>
  new Refusal('route_not_qualified', {
    param,
    message: `There is no model '${quotedName(name)}'; GET /v1/models lists the models.`,
  });
