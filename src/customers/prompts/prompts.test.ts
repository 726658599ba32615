import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import type { PromptStore } from './prompt-store.ts';
import { MAX_CHARACTERS, Prompts } from './prompts.ts';
import type { SavedPrompt } from './saved-prompt.ts';

const saved = (fields: Partial<SavedPrompt> = {}): SavedPrompt => ({
  id: 'prompt_1',
  accountId: 'acct_a',
  name: 'Greeting',
  content: '{}',
  revision: 3,
  changedAt: 1,
  changedBy: 'bob@example.com',
  ...fields,
});

const promptsOver = (store: Partial<PromptStore>) =>
  new Prompts({ store: store as PromptStore, clock: { now: () => 2_000 } });

const refusalOf = (outcome: SavedPrompt | Refusal) =>
  outcome instanceof Refusal ? [outcome.code, outcome.details.param ?? null, outcome.message] : [];

test('refuses a prompt that is too long, one too many or under a taken name', async () => {
  const full = promptsOver({ addPrompt: async () => 'full' });
  const taken = promptsOver({ addPrompt: async () => 'taken' });
  const order = { name: 'Greeting', content: '{}' };
  expect(refusalOf(await full.add('acct_a', order, 'ada'))[0]).toBe('limit_reached');
  expect(refusalOf(await taken.add('acct_a', order, 'ada')).slice(0, 2)).toEqual(['conflict', 'name']);
  const long = { ...order, content: 'x'.repeat(MAX_CHARACTERS + 1) };
  expect(refusalOf(await full.add('acct_a', long, 'ada')).slice(0, 2)).toEqual([
    'invalid_request',
    'content',
  ]);
});

test('the second of two people who change a prompt is refused with the name of the first', async () => {
  let now = saved();
  const prompts = promptsOver({
    findPrompt: async () => now,
    async savePrompt(next) {
      if (next.revision !== now.revision || next.name === 'Taken') return false;
      now = { ...next, revision: next.revision + 1 };
      return true;
    },
  });
  const at = { accountId: 'acct_a', id: 'prompt_1' };
  expect(await prompts.change(at, { content: '{"a":1}', revision: 3 }, 'ada')).toEqual(
    saved({ content: '{"a":1}', revision: 4, changedAt: 2_000, changedBy: 'ada' }),
  );
  const [code, , message] = refusalOf(await prompts.change(at, { content: '{}', revision: 3 }, 'cleo'));
  expect({ code, message }).toEqual({
    code: 'conflict',
    message: expect.stringContaining('ada has changed'),
  });
  expect(refusalOf(await prompts.change(at, { name: 'Taken', revision: 4 }, 'cleo'))[1]).toBe('name');
  const gone = promptsOver({ findPrompt: async () => undefined, removePrompt: async () => false });
  expect(refusalOf(await gone.change(at, { name: 'x' }, 'ada'))[0]).toBe('not_found');
  expect((await gone.remove('acct_a', 'prompt_1'))?.code).toBe('not_found');
});
