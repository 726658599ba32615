import type { ListedPrompt, SavedPrompt } from './saved-prompt.ts';

/** `taken`: the organization has a prompt of this name. `full`: it has the maximum number of prompts. */
export type AddOutcome = 'added' | 'taken' | 'full';

/** Keeps saved prompts. */
export interface PromptStore {
  /** Adds a prompt to the fewer than `limit` ones of its organization. */
  addPrompt(prompt: SavedPrompt, limit: number): Promise<AddOutcome>;
  /**
   * Writes the prompt with the next revision. Returns false if another change came first, or if the name is
   * taken.
   */
  savePrompt(prompt: SavedPrompt): Promise<boolean>;
  findPrompt(accountId: string, id: string): Promise<SavedPrompt | undefined>;
  /** The prompts of an organization by their names. */
  listPrompts(accountId: string): Promise<ListedPrompt[]>;
  removePrompt(accountId: string, id: string): Promise<boolean>;
}
