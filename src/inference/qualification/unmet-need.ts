import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { listed } from '../../base/schema/describe-value.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { effortsOf } from '../../settings/catalog/efforts-of.ts';
import type { Need, NeedFinders, NeedPlace } from '../../translation/canonical/need.ts';

/** The refusal of a request that needs what the model lacks. */
type Lack = {
  code: ErrorCode;
  problem: (value: string, entry: CatalogEntry) => string;
  /** Reports whether the model honours this value, for needs that depend on the value. */
  honours?: (entry: CatalogEntry, value: string) => boolean;
};

const MAX_SHOWN = 40;

const lacks: Readonly<Record<Need, Lack>> = {
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
    problem: (effort, entry) =>
      `does not support the effort ${JSON.stringify(effort.slice(0, MAX_SHOWN))}; ${effortsHint(entry)}`,
    honours: (entry, effort) =>
      effortsOf(entry).includes(effort) || (effort === 'none' && !entry.model.capabilities.reasoning),
  },
};

function effortsHint(entry: CatalogEntry): string {
  const efforts = effortsOf(entry);
  return efforts.length === 0
    ? 'it has no effort levels, so omit the effort'
    : `it takes ${listed(efforts, 'and')}`;
}

/**
 * Returns the refusal for the first thing that the request needs and the model lacks. Only needs that the
 * model lacks are searched for.
 */
export function unmetNeed(
  entry: CatalogEntry,
  needs: NeedFinders,
  body: Readonly<Record<string, unknown>>,
): Refusal | undefined {
  for (const need of entry.lacks) {
    const place = needs[need]?.(body);
    if (place && !lacks[need].honours?.(entry, place.value ?? ''))
      return refuseLack(lacks[need], entry, place);
  }
  return undefined;
}

const refuseLack = ({ code, problem }: Lack, entry: CatalogEntry, { path, value = '' }: NeedPlace): Refusal =>
  new Refusal(code, { param: path, message: `${path}: ${entry.model.id} ${problem(value, entry)}` });
