import type { ListedPrompt, SavedPrompt } from './saved-prompt.ts';

/** Keeps saved prompts. */
export interface PromptStore {
  /** Returns false if the organization has a prompt of this name. */
  addPrompt(prompt: SavedPrompt): Promise<boolean>;
  /**
   * Writes the prompt with the next revision.
   * Returns false if another change came first, or if the name is taken.
   */
  savePrompt(prompt: SavedPrompt): Promise<boolean>;
  findPrompt(accountId: string, id: string): Promise<SavedPrompt | undefined>;
  /** The prompts of an organization by their names. */
  listPrompts(accountId: string): Promise<ListedPrompt[]>;
  removePrompt(accountId: string, id: string): Promise<boolean>;
}
