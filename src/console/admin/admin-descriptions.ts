import { writtenTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { accountChangeBody, keyBody, newAccountBody } from './account-bodies.ts';
import { adminAnswers } from './admin-answers.ts';
import { pageParameters } from './page-parameters.ts';
import { rotationBody } from './token-bodies.ts';

const accounts = { group: 'Admin: accounts', key: 'admin' } as const;
const keys = { group: 'Admin: API keys', key: 'admin' } as const;
const batches = { group: 'Admin: batches', key: 'admin' } as const;
const providers = { group: 'Admin: providers', key: 'admin' } as const;
const catalog = { group: 'Admin: catalog', key: 'admin' } as const;
const operation = { group: 'Admin: operation', key: 'admin' } as const;

/** Describes the routes of the admin API. */
export const adminDescriptions = {
  createAccount: {
    ...accounts,
    summary: 'Creates an account',
    body: newAccountBody.schema,
    bodyExample: { name: 'Ada', email: 'ada@example.com', plan: 'starter' },
    answer: 'The account. It is active and its first cycle has started.',
    answerStatus: 201,
    answerSchema: adminAnswers.account,
  },
  listAccounts: {
    ...accounts,
    summary: 'Lists the accounts, oldest first',
    query: [
      {
        name: 'search',
        description:
          'Only accounts with this text in their name or email, or with an id that begins with it.',
      },
      ...pageParameters,
    ],
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
    summary: 'Changes an account; upgrades apply immediately, downgrades at the renewal',
    body: accountChangeBody.schema,
    bodyExample: { plan: 'pro' },
    answer: 'The updated account.',
    answerSchema: adminAnswers.account,
    errors: ['not_found', 'conflict', 'account_closed'],
  },
  createKey: {
    ...keys,
    summary: 'Creates an API key',
    body: keyBody.schema,
    bodyExample: { name: 'production', monthly_cap_usd: 50 },
    answer: 'The key. The full key is shown only in this answer.',
    answerStatus: 201,
    answerSchema: adminAnswers.newKey,
    errors: ['not_found', 'account_closed', 'limit_reached'],
  },
  listKeys: {
    ...keys,
    summary: "Lists an account's API keys, revoked ones included",
    answer: 'The keys. Each one shows only its first characters.',
    answerSchema: adminAnswers.keys,
    errors: ['not_found'],
  },
  changeKey: {
    ...keys,
    summary: 'Changes an API key',
    body: keyBody.schema,
    bodyExample: { monthly_cap_usd: null },
    answer: 'The updated key.',
    answerSchema: adminAnswers.key,
    errors: ['not_found', 'conflict', 'account_closed'],
  },
  rotateKey: {
    ...keys,
    summary: 'Gives an API key another secret; the replaced one stays valid for `overlap_s`',
    body: rotationBody.schema,
    bodyExample: { overlap_s: 3_600 },
    answer: 'The key with its new secret, which is shown only in this answer. Its id and its settings stay.',
    answerSchema: adminAnswers.newKey,
    errors: ['not_found', 'conflict', 'account_closed'],
  },
  revokeKey: {
    ...keys,
    summary: 'Revokes an API key permanently',
    answer: 'The key, with the time of its revocation.',
    answerSchema: adminAnswers.key,
    errors: ['not_found'],
  },
  clearShortfall: {
    ...accounts,
    summary: 'Ends the stop of hosted tools of an account, and forgets the shortfalls that led to it',
    answer: 'The account.',
    answerSchema: adminAnswers.account,
    errors: ['not_found', 'conflict'],
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
    summary: 'Drains a provider: it accepts no new requests, and requests in flight finish',
    answer: 'The provider.',
    answerSchema: adminAnswers.provider,
    errors: ['not_found'],
  },
  undrainProvider: {
    ...providers,
    summary: 'Returns a drained provider to routing',
    answer: 'The provider.',
    answerSchema: adminAnswers.provider,
    errors: ['not_found'],
  },
  listBatches: {
    ...batches,
    summary: 'Lists the batches of all keys, with their throughput',
    query: [
      ...pageParameters,
      {
        name: 'status',
        description: 'Lists only batches that are in progress, or only ended ones.',
        schema: Type.Enum(['in_progress', 'ended']),
      },
    ],
    answer: 'The batches that have not expired, newest first.',
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
    answer: 'The model, by its id or one of its aliases.',
    answerSchema: adminAnswers.model,
    errors: ['unknown_model'],
  },
  listPlans: {
    ...catalog,
    summary: 'Lists the plans',
    answer: 'The plans as configured on this server. Null: no limit.',
    answerSchema: adminAnswers.plans,
  },
  listAudit: {
    ...operation,
    summary: 'Lists the audit log',
    query: [
      { name: 'actor', description: 'Only changes by this actor.' },
      { name: 'action', description: 'Only changes of this kind, like `key-revoke`.' },
      { name: 'target', description: 'Only changes of the object with this id.' },
      { name: 'since', description: 'Only changes at or after this time, ISO 8601.', schema: writtenTime },
      { name: 'until', description: 'Only changes at or before this time, ISO 8601.', schema: writtenTime },
      ...pageParameters,
    ],
    answer: 'A page of changes and events: actor, action, target, time, and the values before and after.',
    answerSchema: adminAnswers.audit,
    errors: ['invalid_request'],
  },
  reload: {
    ...operation,
    summary: 'Reloads the configuration; an invalid file leaves the running configuration in place',
    answer:
      'The generation number of the running configuration, the settings that need a restart, and warnings.',
    answerSchema: adminAnswers.reload,
    errors: ['invalid_request'],
  },
} satisfies Record<string, RouteDescription>;
