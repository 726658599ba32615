/** Returns the ceiling that was asked for, or the model's if that is lower. */
export const lowerCeiling = (ceiling: number | undefined, most: number | undefined): number | undefined =>
  ceiling === undefined || most === undefined ? ceiling : Math.min(ceiling, most);
