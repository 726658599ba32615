const PLAIN = /^[a-z0-9_]*$/;

/**
 * Folds a name as case-insensitive readers do. Both conversions are needed: Go's encoding/json also treats
 * the long s as an s and the Kelvin sign as a k.
 */
export const foldName = (name: string): string =>
  PLAIN.test(name) ? name : name.toUpperCase().toLowerCase();
