/**
 * The text of a user turn that a vendor requires and the conversation lacks, or has only without content.
 * Some protocols accept a conversation without it, and a client cannot know that its model's provider does
 * not.
 */
export const STAND_IN = '…';

/** The text of an empty result of a tool, where a vendor requires one that is not blank. */
export const EMPTY_RESULT = '(empty)';
