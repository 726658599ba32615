const DATA_FIELD = 'data:';

/** Returns the data of a frame. A comment has no data. */
export const dataOfFrame = (frame: string): string | undefined =>
  frame
    .split('\n')
    .find((line) => line.startsWith(DATA_FIELD))
    ?.slice(DATA_FIELD.length)
    .trim();
