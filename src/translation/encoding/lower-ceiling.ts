/** Returns the ceiling that was asked for, or the model's if that is lower. */
export const lowerCeiling = (ceiling: number | undefined, limit: number | undefined): number | undefined =>
  ceiling === undefined || limit === undefined ? ceiling : Math.min(ceiling, limit);
