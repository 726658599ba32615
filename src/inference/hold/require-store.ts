import type { Step } from '../request/step.ts';

/**
 * Refuses the request if its charge could not be written, since the store has been unavailable for too long.
 */
export const requireStore: Step = ({ services }) => {
  const problem = services.tabs.problem();
  if (problem) throw problem;
  return undefined;
};
