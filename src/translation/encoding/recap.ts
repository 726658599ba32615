import { openText, sealText } from '../../base/lib/seal-bytes.ts';

/** Marks a summary that the gateway wrote in the opaque field of a compaction item. */
export const RECAP = 'tollgate-recap-v2:';

/**
 * Seals the summary of a conversation.
 * Only the gateway can read it, so it opens for every wire, and no client can forge one.
 */
export const packRecap = (summary: string, key: Uint8Array): string => RECAP + sealText(summary, key);

/** Reports whether an item is a compaction that claims to be the gateway's own. */
export const isRecap = ({ type, encrypted_content: packed }: Readonly<Record<string, unknown>>): boolean =>
  type === 'compaction' && typeof packed === 'string' && packed.startsWith(RECAP);

/** Unpacks a summary. Returns undefined if the gateway did not pack it. */
export const unpackRecap = (packed: string, key: Uint8Array): string | undefined =>
  packed.startsWith(RECAP) ? openText(packed.slice(RECAP.length), key) : undefined;

/** The instruction in place of a compaction trigger. */
export const RECAP_ORDER = [
  'Write a summary of the conversation above. It will replace the conversation, so another model must be able to',
  'continue the work from it alone. Keep: the goal, instructions and preferences of the user; decisions and their',
  'reasons; files, names, commands and exact values that matter; results of tools; what is done; what is left, and',
  'the next step. Answer with the summary only. Do not call tools.',
].join(' ');

/** Returns the text that stands for the summarized part of a conversation. */
export const recapText = (summary: string): string =>
  `This summary replaces the earlier part of the conversation:\n\n${summary}`;
