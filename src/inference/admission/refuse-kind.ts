import { Refusal } from '../../base/errors/refusal.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { endpointsOf } from '../../settings/catalog/endpoints-of.ts';
import type { Model } from '../../settings/catalog/model.ts';
import type { ModelKind } from '../../translation/canonical/model-kind.ts';

/** Refuses a model of a different kind than the endpoint needs. */
export const refuseKind = ({ model }: CatalogEntry, kind: ModelKind): Refusal | undefined =>
  model.kind === kind ? undefined : wrongKind(model, kind);

const wrongKind = ({ id, kind }: Model, endpointKind: ModelKind): Refusal =>
  new Refusal('route_not_qualified', {
    param: 'model',
    message:
      kind === 'chat'
        ? `${id} is a chat model; ${endpointsOf.chat[0]} serves it, and this endpoint takes ${plural(endpointKind)} only.`
        : `${id} is ${withArticle(kind)} model; use it on ${endpointsOf[kind].join(' or ')}.`,
  });

const plural = (kind: ModelKind): string => `${kind} models`;
const withArticle = (kind: ModelKind): string => (/^[aei]/.test(kind) ? `an ${kind}` : `a ${kind}`);
