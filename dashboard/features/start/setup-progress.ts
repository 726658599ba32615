import type { WelcomeView } from '../../../src/console/dashboard/welcome-schema.ts';

type Counts = Pick<WelcomeView, 'models' | 'simulated_models'>;

/** Reports whether a provider answers for a model. */
export const hasLiveModel = ({ models, simulated_models: simulated }: Counts): boolean => simulated < models;

/** Where the browser keeps the time at which the first model of a provider was seen. */
const KEPT = 'setup-live-since';
const SIMULATED = 'simulated';

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
type Answered = { ended_at: string; refusal: unknown };

/**
 * Reports whether an operator still sets the server up: all answers are simulated, or none has come from a provider since then.
 * A browser that has never seen simulated answers shows no steps.
 */
export function isInSetup(
  welcome: Counts,
  requests: readonly Answered[],
  { kept, now }: { kept: Kept; now: Date },
): boolean {
  if (!hasLiveModel(welcome)) {
    kept.setItem(KEPT, SIMULATED);
    return true;
  }
  const since = kept.getItem(KEPT);
  if (since === null) return false;
  if (since === SIMULATED) {
    kept.setItem(KEPT, now.toISOString());
    return true;
  }
  const isDone = requests.some(({ ended_at, refusal }) => refusal === null && ended_at > since);
  if (isDone) kept.removeItem(KEPT);
  return !isDone;
}
