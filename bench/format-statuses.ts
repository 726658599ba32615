/** Counts answers by status, like `812 × 200, 3 × 503`. The status 0 stands for no answer. */
export function formatStatuses(statuses: readonly number[]): string {
  const byStatus = Map.groupBy(statuses, (status) => status);
  return [...byStatus].map(([status, { length }]) => `${length} × ${status || 'no answer'}`).join(', ');
}
