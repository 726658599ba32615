/** Returns the name of a new series of numbered calls. A number of an earlier series does not count in it. */
export const newLaneName = (): string => crypto.randomUUID();
