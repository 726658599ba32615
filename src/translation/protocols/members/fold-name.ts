const PLAIN = /^[a-z0-9_]*$/;

/**
 * The name as readers take it that match without regard to case. Both ways, since encoding/json of Go also takes the long s for an s, and
 * the sign for kelvin for a k.
 */
export const foldName = (name: string): string =>
  PLAIN.test(name) ? name : name.toUpperCase().toLowerCase();
