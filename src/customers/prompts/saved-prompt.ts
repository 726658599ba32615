/**
 * A prompt that the members of an organization share on the playground. `content` is JSON: its settings and
 * its turns.
 */
export type SavedPrompt = {
  id: string;
  accountId: string;
  /** Unique in the organization. */
  name: string;
  content: string;
  /** 1 for a new prompt. It grows with each change. */
  revision: number;
  changedAt: number;
  /** The address of the person who changed it last. */
  changedBy: string;
};

/** A prompt as a list has it. */
export type ListedPrompt = Omit<SavedPrompt, 'content'>;
