import { MOST_CREDITS, MOST_USD } from '../../settings/plans/amounts.ts';
import { type AdminAnswer, callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { UsageError } from './command-failure.ts';
import { confirm } from './confirm.ts';
import { findAccount } from './find-account.ts';
import type { Invocation } from './invocation.ts';
import { pageQueryOf } from './page-options.ts';
import { field, printFields, printList } from './print-answer.ts';

const columns = [
  field('id'),
  field('name'),
  field('email'),
  field('plan'),
  field('pending_plan', 'pending'),
  field('status'),
  { title: 'credits left', cell: (row: { credits: { remaining: number | null } }) => row.credits.remaining },
  field('purchased_credits', 'purchased'),
];

const pathOf = async (invocation: Invocation, rest = ''): Promise<string> =>
  `/accounts/${encodeURIComponent(await findAccount(invocation))}${rest}`;

export const createAccount: Run = async (invocation) => {
  const name = invocation.positional('NAME') ?? invocation.text('name');
  if (name === undefined) throw new UsageError('NAME is missing');
  const email = invocation.text('email');
  const body = { name, plan: invocation.text('plan') ?? 'free', ...(email !== undefined && { email }) };
  printFields(invocation, await callAdmin(invocation, { method: 'POST', path: '/accounts', body }));
  return 0;
};

export const listAccounts: Run = async (invocation) => {
  const search = invocation.text('search');
  const path = `/accounts${pageQueryOf(invocation, search === undefined ? {} : { search })}`;
  await printList(invocation, await callAdmin(invocation, { path }), { name: 'accounts', columns });
  return 0;
};

export const showAccount: Run = async (invocation) => {
  printFields(invocation, await callAdmin(invocation, { path: await pathOf(invocation) }));
  return 0;
};

const change =
  (bodyOf: (invocation: Invocation) => unknown): Run =>
  async (invocation) => {
    const call = { method: 'PATCH', path: await pathOf(invocation), body: bodyOf(invocation) } as const;
    printFields(invocation, await callAdmin(invocation, call));
    return 0;
  };

export const setPlan = change((invocation) => ({ plan: invocation.positional('PLAN') }));
export const suspendAccount = change(() => ({ status: 'suspended' }));

export const closeAccount: Run = async (invocation) => {
  const path = await pathOf(invocation);
  const { id, name }: AdminAnswer = await nameOf(invocation, path);
  await confirm(invocation, `Close the account ${id} ('${name}')? Its keys stop working.`);
  const call = { method: 'PATCH', path, body: { status: 'closed' } } as const;
  printFields(invocation, await callAdmin(invocation, call));
  return 0;
};

/** Reads the account for the question. Without a terminal there is none. */
const nameOf = async (invocation: Invocation, path: string): Promise<AdminAnswer> =>
  invocation.terminal.ask && !invocation.flag('yes') ? await callAdmin(invocation, { path }) : {};

export const reopenAccount = change(() => ({ status: 'active' }));

const add =
  (rest: string, bodyOf: (invocation: Invocation) => unknown): Run =>
  async (invocation) => {
    const body = bodyOf(invocation);
    const call = { method: 'POST', path: await pathOf(invocation, rest), body } as const;
    printFields(invocation, await callAdmin(invocation, call));
    return 0;
  };

export const clearShortfall = add('/shortfall/clear', () => undefined);

export const grantCredits = add('/grants', (invocation) => ({
  credits: amountOf(invocation, { name: 'CREDITS', most: MOST_CREDITS }),
  reason: invocation.text('reason') ?? 'granted on the command line',
}));

export const purchaseCredit = add('/purchases', (invocation) => ({
  usd: amountOf(invocation, { name: 'USD', most: MOST_USD }),
}));

function amountOf(invocation: Invocation, { name, most }: { name: string; most: number }): number {
  const text = invocation.positional(name)!;
  const amount = Number(text);
  if (text.trim() !== '' && amount > 0 && amount <= most) return amount;
  throw new UsageError(`${name} must be a number above 0 and at most ${most}, not '${text}'`);
}
