/** Returns the id of a model as a part of a path. Its slashes stay. */
export const modelPath = (id: string): string => id.split('/').map(encodeURIComponent).join('/');
