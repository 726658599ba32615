/**
 * The numbers of the advisory locks, by what is done under them. A function in SQL has its number in its
 * text. The locks of one name or one key, such as those of an account's keys, have numbers made of a hash.
 */
export const advisoryLocks = {
  migrate: 7_465_823_641,
  rollUpUsage: 7_465_823_642,
  archiveEntries: 7_465_823_643,
  sweepChanges: 7_465_823_644,
  sweepResponses: 7_465_823_645,
  recordAudit: 7_465_823_646,
  sweepRequests: 7_465_823_647,
  makeRequestMonth: 7_465_823_648,
  sweepRequestMonths: 7_465_823_649,
} as const;
