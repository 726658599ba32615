/** Returns the ceiling that was asked for, or the model's if that is lower. */
export const lowerCeiling = (asked: number | undefined, most: number | undefined): number | undefined =>
  asked === undefined || most === undefined ? asked : Math.min(asked, most);
