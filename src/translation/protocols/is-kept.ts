/** Reports whether the answer must be stored, which is the default. */
export const isKept = ({ store }: Readonly<Record<string, unknown>>): boolean => store !== false;
