/** Who goes first where capacity is short, in this order. */
export const planClasses = ['paid', 'free'] as const;
export type PlanClass = (typeof planClasses)[number];
