import { expect, test } from 'bun:test';
import { inputTotal, outputTotal } from '../../canonical/usage.ts';
import { findUsage } from './openai-usage.ts';
import { showsPrice, withoutPrice } from './shows-price.ts';

test('usage in choices counts the output of each choice, and their prompt once [CRD-15]', () => {
  const choiceOf = (completion: number) => ({ usage: { prompt_tokens: 10, completion_tokens: completion } });
  const usage = findUsage({ choices: [choiceOf(20), {}, choiceOf(30)] })!;
  expect({ input: inputTotal(usage), output: outputTotal(usage) }).toEqual({ input: 10, output: 50 });
});

test('members of a usage with a price are recognized by whole words', () => {
  const priced = {
    cost: 1,
    cost_details: {},
    estimated_cost: 1,
    is_byok: true,
    cost_in_usd_ticks: 1,
    costUsd: 1,
    totalCost: 1,
  };
  for (const name of Object.keys(priced)) expect([name, showsPrice({ [name]: 1 })]).toEqual([name, true]);
  const counts = { prompt_tokens: 1, costume_images: 2 };
  expect([showsPrice(counts), withoutPrice({ ...priced, ...counts })]).toEqual([false, counts]);
});
