import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { newId } from '../../base/lib/ids.ts';
import { limitReached } from '../../money/accounts/limit-reached.ts';
import type { PromptStore } from './prompt-store.ts';
import type { ListedPrompt, SavedPrompt } from './saved-prompt.ts';

/** The most prompts of an organization. */
export const MAX_PROMPTS = 200;
/** The most characters of a prompt, with its images. */
export const MAX_CHARACTERS = 512 * 1_024;

export type PromptOrder = { name: string; content: string };
/** A change without a revision applies to the latest state, no matter who made it. */
export type PromptChange = Partial<PromptOrder> & { revision?: number | undefined };

/** The saved prompts of organizations. */
export class Prompts {
  readonly #store: PromptStore;
  readonly #clock: Clock;

  constructor({ store, clock }: { store: PromptStore; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  list(accountId: string): Promise<ListedPrompt[]> {
    return this.#store.listPrompts(accountId);
  }

  async find(accountId: string, id: string): Promise<SavedPrompt | Refusal> {
    return (await this.#store.findPrompt(accountId, id)) ?? noSuchPrompt();
  }

  async add(accountId: string, order: PromptOrder, by: string): Promise<SavedPrompt | Refusal> {
    const refusal = refuseLong(order.content);
    if (refusal) return refusal;
    const prompt = {
      id: newId('prompt_'),
      accountId,
      revision: 1,
      changedAt: this.#clock.now(),
      changedBy: by,
      ...order,
    };
    const outcome = await this.#store.addPrompt(prompt, MAX_PROMPTS);
    if (outcome === 'full') return limitReached('saved prompts', MAX_PROMPTS);
    return outcome === 'taken' ? nameTaken(order.name) : prompt;
  }

  async change(
    { accountId, id }: Pick<SavedPrompt, 'accountId' | 'id'>,
    { revision, ...change }: PromptChange,
    by: string,
  ): Promise<SavedPrompt | Refusal> {
    const refusal = refuseLong(change.content);
    if (refusal) return refusal;
    const before = await this.#store.findPrompt(accountId, id);
    if (!before) return noSuchPrompt();
    if (revision !== undefined && revision !== before.revision) return changedMeanwhile(before);
    const next = { ...before, ...change, changedAt: this.#clock.now(), changedBy: by };
    if (await this.#store.savePrompt(next)) return { ...next, revision: before.revision + 1 };
    const latest = await this.#store.findPrompt(accountId, id);
    if (!latest) return noSuchPrompt();
    return latest.revision === before.revision ? nameTaken(next.name) : changedMeanwhile(latest);
  }

  async remove(accountId: string, id: string): Promise<Refusal | undefined> {
    return (await this.#store.removePrompt(accountId, id)) ? undefined : noSuchPrompt();
  }
}

const noSuchPrompt = (): Refusal =>
  new Refusal('not_found', { message: 'The organization has no saved prompt with this id.' });

const nameTaken = (name: string): Refusal =>
  new Refusal('conflict', { param: 'name', message: `The organization has a prompt named ${name} already.` });

const changedMeanwhile = ({ changedBy }: SavedPrompt): Refusal =>
  new Refusal('conflict', {
    message: `${changedBy} has changed this prompt since you opened it. Open it again, or save it under another name.`,
  });

const refuseLong = (content: string | undefined): Refusal | undefined =>
  content === undefined || content.length <= MAX_CHARACTERS
    ? undefined
    : new Refusal('invalid_request', {
        param: 'content',
        message: `The prompt has ${content.length} characters. At most ${MAX_CHARACTERS} are kept.`,
      });
