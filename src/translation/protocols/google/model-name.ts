/** Returns a model's name without the prefix of its full path, which some clients send. */
export const modelName = (name: string): string => name.replace(/^models\//, '');
