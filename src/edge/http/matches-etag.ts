/** Reports whether an `if-none-match` header names the current version. */
export const matchesEtag = (header: string | null, etag: string): boolean =>
  header !== null &&
  (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));
