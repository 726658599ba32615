import { textOf } from '../../base/json/read-json.ts';
import { type MemberEdit, setAllMembers } from '../../base/json/set-members.ts';
import { valueAt } from '../../base/json/value-at.ts';
import { undated } from '../../settings/catalog/find-upstream-model.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { type ConsultedCatalog, findFurtherModel } from '../cost/find-further-model.ts';
import { furtherModels } from '../cost/further-models.ts';

/** Models other than the request's own are named in tools, in turns that add tools, and in these members. */
const MEMBER = 'fallbacks';

/**
 * Replaces the public names of advisors and fallbacks with the target's own. A name that the target's
 * provider knows stays.
 */
export function nameForVendor(
  request: InferenceRequest,
  { provider }: Pick<Target, 'provider'>,
  catalog: ConsultedCatalog,
): InferenceRequest {
  if (request.runsTools !== true && request.body.value[MEMBER] === undefined) return request;
  const { body } = request;
  const edits: MemberEdit[] = [];
  for (const { name, path } of furtherModels(body.value)) {
    const ownName = name && vendorName(name, provider.id, catalog);
    const holder = path.slice(0, -1);
    // A fallback can also be a text, which has no members.
    if (ownName && holder.length > 0 && textOf(valueAt(body.value, path)) === name)
      edits.push({ path: holder, members: { model: ownName } });
  }
  return edits.length === 0 ? request : { ...request, body: setAllMembers(body, edits) };
}

function vendorName(name: string, providerId: string, catalog: ConsultedCatalog): string | undefined {
  const targets =
    findFurtherModel(name, catalog)?.targets.filter(({ provider }) => provider.id === providerId) ?? [];
  const isKnown = targets.some(({ upstreamModel }) => undated(upstreamModel) === undated(name));
  return isKnown ? undefined : targets[0]?.upstreamModel;
}
