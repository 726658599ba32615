import type { Viewer } from '../../api/models/model-view.ts';
import type { Plan } from '../../settings/plans/plan.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** The viewer of an organization's pages. */
export type OrganizationViewer = Viewer & { plan: Plan };

/**
 * Returns the viewer of an organization's pages. An account on the pay-as-you-go plan sees what this mode
 * shows.
 */
export const viewerOf = (
  { names, plans, config }: Snapshot,
  plan: Plan,
  now: number,
): OrganizationViewer => ({
  now,
  plan,
  payg: plan.id === 'payg',
  names,
  plans,
  listsUnavailable: config.catalog.list_unavailable,
});
