import { describe, expect } from 'bun:test';
import type { SavedPrompt } from '../../../customers/prompts/saved-prompt.ts';
import { type OpenStore, storeTest } from './store-test.ts';

const prompt = (fields: Partial<SavedPrompt> = {}): SavedPrompt => ({
  id: 'prompt_1',
  accountId: 'acct_a',
  name: 'Greeting',
  content: '{"turns":[]}',
  revision: 1,
  changedAt: 1_000,
  changedBy: 'ada@example.com',
  ...fields,
});

export function describePrompts(open: OpenStore): void {
  describe('saved prompts', () => {
    storeTest(open)('keeps the prompts of each account, and one of each name', async ({ store, reopen }) => {
      const { prompts } = store;
      expect(await prompts.addPrompt(prompt(), 9)).toBe('added');
      expect(await prompts.addPrompt(prompt({ id: 'prompt_2' }), 9)).toBe('taken');
      expect(await prompts.addPrompt(prompt({ id: 'prompt_3', accountId: 'acct_b' }), 9)).toBe('added');
      expect(await prompts.addPrompt(prompt({ id: 'prompt_4', name: 'Apology' }), 9)).toBe('added');
      const { content: _, ...listed } = prompt();
      expect(await prompts.listPrompts('acct_a')).toEqual([
        { ...listed, id: 'prompt_4', name: 'Apology' },
        listed,
      ]);

      // The first of two changes wins, and a taken name changes nothing.
      const changed = prompt({ name: 'Welcome', content: '{}', changedBy: 'bob@example.com' });
      expect(await prompts.savePrompt(changed)).toBe(true);
      expect(await prompts.savePrompt(prompt({ name: 'Late' }))).toBe(false);
      expect(await prompts.savePrompt({ ...changed, revision: 2, name: 'Apology' })).toBe(false);
      expect(await prompts.savePrompt({ ...changed, revision: 2, accountId: 'acct_b' })).toBe(false);

      expect(await prompts.removePrompt('acct_b', 'prompt_4')).toBe(false);
      expect(await prompts.removePrompt('acct_a', 'prompt_4')).toBe(true);
      const again = (await reopen()).prompts;
      expect(await again.findPrompt('acct_a', 'prompt_1')).toEqual({ ...changed, revision: 2 });
      expect(await again.findPrompt('acct_b', 'prompt_1')).toBeUndefined();
      expect(await again.listPrompts('acct_a')).toHaveLength(1);
    });

    storeTest(open)('adds no prompt beyond the bound, even of additions at once', async ({ store }) => {
      const { prompts } = store;
      const names = Array.from({ length: 12 }, (_, index) => `Prompt ${index}`);
      const outcomes = await Promise.all(
        names.map((name, index) => prompts.addPrompt(prompt({ id: `prompt_${index}`, name }), 5)),
      );
      expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(5);
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(7);
      expect(await prompts.listPrompts('acct_a')).toHaveLength(5);
      expect(await prompts.addPrompt(prompt({ id: 'prompt_b', accountId: 'acct_b' }), 5)).toBe('added');
    });
  });
}
