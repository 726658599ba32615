/** Who goes first where capacity is short, in this order: live requests, then items of batches, then those of batches that have time. */
export const planClasses = ['paid', 'free', 'batch', 'flex'] as const;
export type PlanClass = (typeof planClasses)[number];
