import type { AdminArguments, AdminItem } from '../../console/admin/admin-calls.ts';
import { MAX_CREDITS, MAX_USD } from '../../settings/plans/amounts.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { balances } from './account-balances.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { UsageError } from './command-failure.ts';
import { confirm } from './confirm.ts';
import { findAccount } from './find-account.ts';
import type { Column } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { pageOf } from './page-options.ts';
import { field, printFields, printList } from './print-answer.ts';

const columns: readonly Column<AdminItem<'GET /accounts'>>[] = [
  field('id'),
  field('name'),
  field('email'),
  field('plan'),
  field('pending_plan', 'pending'),
  field('status'),
  { title: 'credits left', cell: ({ credits }) => credits.remaining },
  field('purchased_credits', 'purchased'),
];

export const createAccount: Run = async (invocation) => {
  const name = invocation.positional('NAME') ?? invocation.text('name');
  if (name === undefined) throw new UsageError('NAME is missing');
  const email = invocation.text('email');
  const plan = invocation.choice('plan', planIds) ?? 'free';
  const body = { name, plan, ...(email !== undefined && { email }) };
  printFields(invocation, await callAdmin(invocation, 'POST /accounts', { body }));
  return 0;
};

export const listAccounts: Run = async (invocation) => {
  const query = { search: invocation.text('search'), ...pageOf(invocation) };
  const answer = await callAdmin(invocation, 'GET /accounts', { query });
  await printList(invocation, answer, { key: 'GET /accounts', columns });
  return 0;
};

export const showAccount: Run = async (invocation) => {
  const params = { id: await findAccount(invocation) };
  printFields(invocation, await callAdmin(invocation, 'GET /accounts/{id}', { params }));
  return 0;
};

type AccountChange = AdminArguments<'PATCH /accounts/{id}'>['body'];

/** Makes a command that changes an account. */
const change =
  (bodyOf: (invocation: Invocation) => AccountChange): Run =>
  async (invocation) => {
    const params = { id: await findAccount(invocation) };
    const call = { params, body: bodyOf(invocation) };
    printFields(invocation, await callAdmin(invocation, 'PATCH /accounts/{id}', call));
    return 0;
  };

// The command's row requires the plan.
export const setPlan = change((invocation) => ({ plan: invocation.choice('PLAN', planIds)! }));
export const suspendAccount = change(() => ({ status: 'suspended' }));
export const reopenAccount = change(() => ({ status: 'active' }));

export const closeAccount: Run = async (invocation) => {
  const params = { id: await findAccount(invocation) };
  // The question names the account. Without a terminal there is no question.
  const isAsked = invocation.terminal.ask && !invocation.flag('yes');
  const name = isAsked ? (await callAdmin(invocation, 'GET /accounts/{id}', { params })).name : '';
  await confirm(invocation, `Close the account ${params.id} ('${name}')? Its keys stop working.`);
  const call = { params, body: { status: 'closed' as const } };
  printFields(invocation, await callAdmin(invocation, 'PATCH /accounts/{id}', call));
  return 0;
};

export const clearShortfall: Run = async (invocation) => {
  const params = { id: await findAccount(invocation) };
  printFields(invocation, await callAdmin(invocation, 'POST /accounts/{id}/shortfall/clear', { params }));
  return 0;
};

export const grantCredits: Run = async (invocation) => {
  const credits = amountOf(invocation, { name: 'CREDITS', limit: MAX_CREDITS });
  const body = { credits, reason: invocation.text('reason') ?? 'granted on the command line' };
  const params = { id: await findAccount(invocation) };
  printFields(invocation, await callAdmin(invocation, 'POST /accounts/{id}/grants', { params, body }));
  return 0;
};

export const purchaseCredit: Run = async (invocation) => {
  const body = { usd: amountOf(invocation, { name: 'USD', limit: MAX_USD }) };
  const params = { id: await findAccount(invocation) };
  printFields(invocation, await callAdmin(invocation, 'POST /accounts/{id}/purchases', { params, body }));
  return 0;
};

export const adjustBalance: Run = async (invocation) => {
  const body = {
    credits: correctionOf(invocation),
    balance: invocation.choice('balance', balances) ?? 'monthly',
    reason: invocation.text('reason') ?? 'adjusted on the command line',
  };
  const params = { id: await findAccount(invocation) };
  printFields(invocation, await callAdmin(invocation, 'POST /accounts/{id}/adjustments', { params, body }));
  return 0;
};

/** Returns an amount that can be negative. */
function correctionOf(invocation: Invocation): number {
  const text = invocation.required('CREDITS');
  const amount = Number(text);
  if (text.trim() !== '' && amount !== 0 && Math.abs(amount) <= MAX_CREDITS) return amount;
  throw new UsageError(`CREDITS must be a number other than 0 and at most ${MAX_CREDITS}, not '${text}'`);
}

function amountOf(invocation: Invocation, { name, limit }: { name: string; limit: number }): number {
  const text = invocation.required(name);
  const amount = Number(text);
  if (text.trim() !== '' && amount > 0 && amount <= limit) return amount;
  throw new UsageError(`${name} must be a number above 0 and at most ${limit}, not '${text}'`);
}
