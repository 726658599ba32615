import { lookUp } from '../../base/lib/records.ts';
import { joinRefused } from '../../translation/canonical/refused-word.ts';
import type { Target } from '../hosts/target.ts';
import type { Model } from './model.ts';

/** The request parameters behind words of `refuses` lists, if their names differ. */
const parametersOf: Readonly<Record<string, readonly string[]>> = {
  penalties: ['frequency_penalty', 'presence_penalty'],
  stop: [],
};

/** Returns the parameters of a model without those that all of its targets refuse. */
export function parametersLeft(
  { supportedParameters, refuses }: Model,
  targets: readonly Target[],
): readonly string[] {
  const [first = joinRefused([refuses]), ...otherRefusals] = targets.map((target) => target.refuses);
  if (first === undefined) return supportedParameters;
  const everywhere = [...first].filter((word) => otherRefusals.every((refusals) => refusals?.has(word)));
  const refusedNames = new Set(everywhere.flatMap((word) => lookUp(parametersOf, word) ?? [word]));
  const accepted = supportedParameters.filter((name) => !refusedNames.has(name));
  return accepted.length === supportedParameters.length ? supportedParameters : accepted;
}
