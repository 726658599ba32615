import { base64Bytes } from './base64-bytes.ts';

/**
 * The size of a page in a document whose number of pages is unknown. Scanned pages are larger, and pages of
 * text alone are smaller.
 */
const BYTES_PER_PAGE = 50_000;

/** Matches `/Type /Page`, but not `/Type /Pages`. */
const PAGE = /\/Type\s{0,8}\/Page(?![a-zA-Z])/g;
/** The count in the root of the page tree. Newer files store the pages themselves compressed. */
const COUNT = /\/Count\s{1,8}(\d{1,5})\b/g;

/** Counts the pages that the file declares. */
export function countPdfPages(base64: string): number {
  const file = Buffer.from(base64, 'base64').toString('latin1');
  let pages = file.match(PAGE)?.length ?? 0;
  for (const [, count] of file.matchAll(COUNT)) pages = Math.max(pages, Number(count));
  return pages > 0 ? pages : Math.max(1, Math.ceil(file.length / BYTES_PER_PAGE));
}

/** Estimates the pages from the size alone, without reading the file. */
export const guessPdfPages = (base64Length: number): number =>
  Math.max(1, Math.ceil(base64Bytes(base64Length) / BYTES_PER_PAGE));
