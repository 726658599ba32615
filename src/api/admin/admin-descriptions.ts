import type { RouteDescription } from '../../edge/http/route.ts';
import { accountChangeBody, keyBody, newAccountBody } from './account-bodies.ts';
import { adminAnswers } from './admin-answers.ts';
import { pageParameters } from './page-parameters.ts';

const accounts = { group: 'Admin: accounts', key: 'admin' } as const;
const keys = { group: 'Admin: API keys', key: 'admin' } as const;
const batches = { group: 'Admin: batches', key: 'admin' } as const;
const providers = { group: 'Admin: providers', key: 'admin' } as const;
const catalog = { group: 'Admin: catalog', key: 'admin' } as const;
const operation = { group: 'Admin: operation', key: 'admin' } as const;

/** What the documentation says of the admin API's routes. */
export const adminDescriptions = {
  createAccount: {
    ...accounts,
    summary: 'Creates an account',
    body: newAccountBody.schema,
    bodyExample: { name: 'Ada', email: 'ada@example.com', plan: 'starter' },
    answer: 'The account, active and at the start of its first cycle.',
    answerStatus: 201,
    answerSchema: adminAnswers.account,
  },
  listAccounts: {
    ...accounts,
    summary: 'Lists the accounts, oldest first',
    query: pageParameters,
    answer: 'A page of accounts.',
    answerSchema: adminAnswers.accounts,
    errors: ['invalid_request'],
  },
  showAccount: {
    ...accounts,
    summary: 'Shows an account',
    answer: 'The account.',
    answerSchema: adminAnswers.account,
    errors: ['not_found'],
  },
  changeAccount: {
    ...accounts,
    summary: 'Changes an account: a dearer plan acts at once, a cheaper one at the renewal',
    body: accountChangeBody.schema,
    bodyExample: { plan: 'pro' },
    answer: 'The account as it is now.',
    answerSchema: adminAnswers.account,
    errors: ['not_found', 'conflict'],
  },
  createKey: {
    ...keys,
    summary: 'Creates an API key',
    body: keyBody.schema,
    bodyExample: { name: 'production', monthly_cap_usd: 50 },
    answer: 'The key. This is the only time that it is shown.',
    answerStatus: 201,
    answerSchema: adminAnswers.newKey,
    errors: ['not_found'],
  },
  listKeys: {
    ...keys,
    summary: "Lists an account's API keys, revoked ones included",
    answer: 'The keys, each with its first characters only.',
    answerSchema: adminAnswers.keys,
    errors: ['not_found'],
  },
  changeKey: {
    ...keys,
    summary: 'Changes an API key',
    body: keyBody.schema,
    bodyExample: { monthly_cap_usd: null },
    answer: 'The key as it is now.',
    answerSchema: adminAnswers.key,
    errors: ['not_found', 'conflict'],
  },
  revokeKey: {
    ...keys,
    summary: 'Revokes an API key for good',
    answer: 'The key, with the time of its revocation.',
    answerSchema: adminAnswers.key,
    errors: ['not_found'],
  },
  listProviders: {
    ...providers,
    summary: 'Lists the providers with their health and load',
    answer: 'All providers.',
    answerSchema: adminAnswers.providers,
  },
  showProvider: {
    ...providers,
    summary: 'Shows a provider',
    answer: 'The provider.',
    answerSchema: adminAnswers.provider,
    errors: ['not_found'],
  },
  drainProvider: {
    ...providers,
    summary: 'Takes a provider out of routing; what it is answering goes on',
    answer: 'The provider.',
    answerSchema: adminAnswers.provider,
    errors: ['not_found'],
  },
  undrainProvider: {
    ...providers,
    summary: 'Puts a drained provider back',
    answer: 'The provider.',
    answerSchema: adminAnswers.provider,
    errors: ['not_found'],
  },
  listBatches: {
    ...batches,
    summary: 'Lists the batches that are being run, with how fast they go on',
    query: pageParameters,
    answer: 'Those that have not ended, the oldest first.',
    answerSchema: adminAnswers.batches,
    errors: ['invalid_request'],
  },
  showBatch: {
    ...batches,
    summary: 'Shows a batch',
    answer: 'The batch.',
    answerSchema: adminAnswers.batch,
    errors: ['not_found'],
  },
  listCatalog: {
    ...catalog,
    summary: 'Lists the models with their routes',
    answer: 'All models.',
    answerSchema: adminAnswers.models,
  },
  showModel: {
    ...catalog,
    summary: 'Shows a model with its routes',
    answer: 'The model, by any name that requests may use.',
    answerSchema: adminAnswers.model,
    errors: ['unknown_model'],
  },
  listPlans: {
    ...catalog,
    summary: 'Lists the plans',
    answer: "The plans with this server's figures. Null: no such limit.",
    answerSchema: adminAnswers.plans,
  },
  listAudit: {
    ...operation,
    summary: 'Lists the audit log',
    query: pageParameters,
    answer: 'A page of changes: who, what, when, before and after.',
    answerSchema: adminAnswers.audit,
    errors: ['invalid_request'],
  },
  reload: {
    ...operation,
    summary: 'Reloads the configuration; a wrong one keeps the old',
    answer: 'The number of the configuration that is in use now.',
    answerSchema: adminAnswers.reload,
    errors: ['invalid_request'],
  },
} satisfies Record<string, RouteDescription>;
