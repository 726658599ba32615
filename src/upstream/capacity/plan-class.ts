/**
 * The classes in their order of service: live requests, then items of batches, then items of batches that are
 * not urgent.
 */
export const planClasses = ['paid', 'free', 'batch', 'flex'] as const;
export type PlanClass = (typeof planClasses)[number];
