/** Marks a summary that the gateway wrote in the opaque field of a compaction item. */
export const RECAP = 'tollgate-recap-v1:';

/** Packs the summary of a conversation, so that every wire can continue it. */
export const packRecap = (summary: string): string => RECAP + Buffer.from(summary).toString('base64url');

/** Does the reverse. Returns undefined for a compaction that a vendor encrypted. */
export const unpackRecap = (packed: string): string | undefined =>
  packed.startsWith(RECAP) ? Buffer.from(packed.slice(RECAP.length), 'base64url').toString() : undefined;

/** The instruction in place of a compaction trigger. */
export const RECAP_ORDER = [
  'Write a summary of the conversation above. It will replace the conversation, so another model must be able to',
  'continue the work from it alone. Keep: the goal, instructions and preferences of the user; decisions and their',
  'reasons; files, names, commands and exact values that matter; results of tools; what is done; what is left, and',
  'the next step. Answer with the summary only. Do not call tools.',
].join(' ');

export const recapText = (summary: string): string =>
  `This summary replaces the earlier part of the conversation:\n\n${summary}`;
