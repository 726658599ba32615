/** Returns an object of which a test gives only the members that the tested code reads. */
export const partial = <T extends object>(members: Partial<NoInfer<T>>): T => members as T;
