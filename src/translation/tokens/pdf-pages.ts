/** Where the pages cannot be told: scanned ones are larger, text alone is smaller. */
const BYTES_PER_PAGE = 50_000;

/** `/Type /Page`, but not `/Type /Pages`. */
const PAGE = /\/Type\s{0,8}\/Page(?![a-zA-Z])/g;
/** What the root of the pages says; in newer files the pages themselves are packed away. */
const COUNT = /\/Count\s{1,8}(\d{1,5})\b/g;

/** As many as the file itself tells of. */
export function countPdfPages(base64: string): number {
  const file = Buffer.from(base64, 'base64').toString('latin1');
  let pages = file.match(PAGE)?.length ?? 0;
  for (const [, count] of file.matchAll(COUNT)) pages = Math.max(pages, Number(count));
  return pages > 0 ? pages : Math.max(1, Math.ceil(file.length / BYTES_PER_PAGE));
}

/** The same from the size alone, without a look into the file. */
export const guessPdfPages = (base64Length: number): number =>
  Math.max(1, Math.ceil((base64Length * 0.75) / BYTES_PER_PAGE));
