import type { ArchivedEntries } from './ledger-care.ts';

/** Shows the result of an archive in the form of the admin API and the command line. */
export const archiveView = (before: string, { entries, segments, bytes }: ArchivedEntries) => ({
  before,
  entries,
  segments,
  bytes,
});
