/** Items of the tab's storage with this prefix are forgotten when the person signs out. */
export const DRAFT = 'draft:';

/** Removes what pages have kept for the tab. */
export function forgetDrafts(storage: Storage): void {
  for (const name of Object.keys(storage)) if (name.startsWith(DRAFT)) storage.removeItem(name);
}
