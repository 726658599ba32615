import type { JsonBody } from '../../base/json/json-body.ts';
import { removePaths } from '../../base/json/remove-paths.ts';
import { valueAt } from '../../base/json/value-at.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { Refuses } from '../canonical/refused-word.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { type Preference, refusablePreferences, textValueOf } from './refusable-preferences.ts';
import { replaceBudget, replaceTextBudget, textHasBudget } from './replace-budget.ts';

const BUDGET = 'thinking_budget';

/** The part of a request that its target refuses. It is decided once, for both forms of the request. */
type Refused = {
  preferences: readonly Preference[];
  hasBudget: boolean;
  /** The words of the `refuses` list that applied. */
  words: readonly string[];
  losses: readonly LossCode[];
};

const NOTHING_REFUSED: Refused = { preferences: [], hasBudget: false, words: [], losses: [] };

/**
 * Returns what the target refuses of a request that is translated.
 * Stop sequences are not refused, since the gateway ends the answer itself.
 */
export function refusedOf(request: CanonicalRequest, refuses: Refuses): Refused {
  if (refuses === undefined) return NOTHING_REFUSED;
  const hasBudget = refuses.has(BUDGET) && request.thinking?.budgetTokens !== undefined;
  return decide({ valueFor: (preference) => preference.value(request), hasBudget, refuses });
}

/** Returns what a target that speaks the client's protocol refuses of the client's own text. */
export function refusedOfText({ value }: Pick<JsonBody, 'value'>, refuses: Refuses): Refused {
  if (refuses === undefined) return NOTHING_REFUSED;
  const hasBudget = refuses.has(BUDGET) && textHasBudget(value);
  return decide({ valueFor: (preference) => textValueOf(preference, value), hasBudget, refuses });
}

/** Drops what the target refuses from a request. */
export function dropRefused(
  request: CanonicalRequest,
  { preferences, hasBudget }: Refused,
): CanonicalRequest {
  const accepted = preferences.reduce((changed, { drop }) => drop(changed), request);
  return hasBudget ? replaceBudget(accepted) : accepted;
}

/** Drops what the target refuses from the client's own text. Members that are null go too. */
export function removeRefused(body: JsonBody, { preferences, hasBudget }: Refused): JsonBody {
  const paths = preferences
    .flatMap(({ members }) => members)
    .filter((path) => valueAt(body.value, path) !== undefined);
  const accepted = paths.length > 0 ? removePaths(body, paths) : body;
  return hasBudget ? replaceTextBudget(accepted) : accepted;
}

/** Returns the request without stop sequences, as it is encoded for a target that refuses them. */
export function withoutStops(request: CanonicalRequest, refuses: Refuses): CanonicalRequest {
  if (!refuses?.has('stop') || request.sampling.stopSequences === undefined) return request;
  const { stopSequences: _stops, ...sampling } = request.sampling;
  return { ...request, sampling };
}

type Deciding = {
  /** Returns the value of a preference in one form of the request. */
  valueFor: (preference: Preference) => unknown;
  /** True if the request has a budget, which the target refuses. */
  hasBudget: boolean;
  refuses: ReadonlySet<string>;
};

function decide({ valueFor, hasBudget, refuses }: Deciding): Refused {
  const wordFor = (preference: Preference): string | undefined => {
    const { word, refusingWord } = preference;
    if (refusingWord) return refusingWord(valueFor(preference), refuses);
    return refuses.has(word) ? word : undefined;
  };
  const stays = (preference: Preference) => wordFor(preference) === undefined && valueFor(preference) != null;
  const preferences: Preference[] = [];
  const words = new Set<string>();
  const losses = new Set<LossCode>();
  for (const preference of refusablePreferences) {
    const { refusedWith, loss } = preference;
    const word = wordFor(preference);
    if (word === undefined || (refusedWith && !stays(refusedWith))) continue;
    const value = valueFor(preference);
    if (value === undefined) continue;
    preferences.push(preference);
    if (value === null) continue; // nothing is lost
    words.add(word);
    losses.add(loss);
  }
  if (hasBudget) {
    words.add(BUDGET);
    losses.add('thinking-budget');
  }
  return { preferences, hasBudget, words: [...words], losses: [...losses] };
}
