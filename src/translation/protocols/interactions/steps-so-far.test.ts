import { expect, test } from 'bun:test';
import { StepsSoFar } from './steps-so-far.ts';

const textStep = (...texts: (string | undefined)[]) => {
  const steps = new StepsSoFar();
  const [first, ...others] = texts.map((text) => ({ type: 'text', text }));
  steps.add({ event_type: 'step.start', index: 0, step: { type: 'model_output', content: [first] } });
  for (const delta of others) steps.add({ event_type: 'step.delta', index: 0, delta });
  return JSON.parse(steps.add({ event_type: 'step.stop', index: 0 })!);
};

test('a text without its own member adds nothing to the text of its step', () => {
  const step = { type: 'model_output', content: [{ type: 'text', text: 'Hi' }] };
  expect(textStep(undefined, 'Hi')).toEqual(step);
  expect(textStep('Hi', undefined)).toEqual(step);
});
