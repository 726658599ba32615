/** Returns the tags that a text has, with commas between. Each one counts once. */
export const readTags = (text: string): string[] => [
  ...new Set(text.split(',').flatMap((tag) => tag.trim() || [])),
];
