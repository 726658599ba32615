import { callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { field, printList } from './print-answer.ts';

const columns = [
  field('provider'),
  field('model'),
  field('member'),
  field('learned_at'),
  field('expires_at'),
  field('requests'),
  field('row'),
];

export const listRefusals: Run = async (invocation) => {
  const answer = await callAdmin(invocation, { path: '/refusals' });
  await printList(invocation, answer, { name: 'refusals', columns });
  return 0;
};

export const forgetRefusals: Run = async (invocation) => {
  const { forgotten } = await callAdmin(invocation, { path: '/refusals', method: 'DELETE' });
  invocation.terminal.print(`Forgot ${forgotten} ${forgotten === 1 ? 'refusal' : 'refusals'}.`);
  return 0;
};
