/** Returns the present as Unix time in whole seconds, as the objects of vendors have it. */
export const unixSeconds = (): number => Math.floor(Date.now() / 1_000);
