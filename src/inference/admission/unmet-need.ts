import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Model } from '../../settings/catalog/model.ts';
import type { Need, NeedFinders, NeedPlace } from '../../translation/canonical/need.ts';

type Row = {
  code: ErrorCode;
  problem: (value: string) => string;
  /** Reports whether the model honours this value, for needs that depend on the value. */
  honours?: (model: Model, value: string) => boolean;
};

const rows: Readonly<Record<Need, Row>> = {
  vision: { code: 'invalid_request', problem: () => 'does not accept images' },
  documents: { code: 'invalid_request', problem: () => 'does not accept documents' },
  'forced-tool-choice': { code: 'route_not_qualified', problem: () => 'cannot be forced to call a tool' },
  tools: { code: 'route_not_qualified', problem: () => 'does not support tools' },
  'strict-format': {
    code: 'route_not_qualified',
    problem: () => 'does not support this response format',
  },
  effort: {
    code: 'route_not_qualified',
    problem: (effort) => `does not support the effort ${JSON.stringify(effort.slice(0, MAX_SHOWN))}`,
    honours: ({ capabilities, reasoningEfforts }, effort) =>
      reasoningEfforts.includes(effort) || (effort === 'none' && !capabilities.reasoning),
  },
};

const MAX_SHOWN = 40;

/** Returns the refusal for the first thing that the request needs and the model lacks. Only needs that the model lacks are searched for. */
export function unmetNeed(
  { model, lacks }: CatalogEntry,
  needs: NeedFinders,
  body: Readonly<Record<string, unknown>>,
): Refusal | undefined {
  for (const need of lacks) {
    const place = needs[need]?.(body);
    if (place && !rows[need].honours?.(model, place.value ?? '')) return refusal(rows[need], model, place);
  }
  return undefined;
}

const refusal = ({ code, problem }: Row, { id }: Model, { path, value = '' }: NeedPlace): Refusal =>
  new Refusal(code, { param: path, message: `${path}: ${id} ${problem(value)}` });
