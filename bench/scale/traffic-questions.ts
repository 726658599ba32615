import type { TrafficInquiry } from '../../src/watch/traffic/traffic-report.ts';

/** Each question spans some days until today. */
export const trafficQuestions: Readonly<Record<string, [days: number, Partial<TrafficInquiry>]>> = {
  'an hour': [1 / 24, {}],
  'a day by model': [1, { groupBy: 'model' }],
  'a day by account': [1, { groupBy: 'account' }],
  '30 days by provider': [30, { groupBy: 'provider' }],
  '30 days by account': [30, { groupBy: 'account' }],
  '90 days by account': [90, { groupBy: 'account' }],
  'a year': [365, {}],
  'a year by model': [365, { groupBy: 'model' }],
  'a year by node': [365, { groupBy: 'node' }],
  'a year by account': [365, { groupBy: 'account' }],
  'a year by key': [365, { groupBy: 'key' }],
  'a year by account, of a model': [365, { groupBy: 'account', where: { model: 'model-3' } }],
  'a year by account, of a node': [365, { groupBy: 'account', where: { node: 'node_1' } }],
  'a year by account, of a provider': [365, { groupBy: 'account', where: { provider: 'provider-2' } }],
  'a year by account, of status 2xx': [365, { groupBy: 'account', where: { status: '2xx' } }],
  'a year by account, of status 4xx': [365, { groupBy: 'account', where: { status: '4xx' } }],
  'a year by account, of the API': [365, { groupBy: 'account', where: { source: 'api' } }],
  'a year by key, of a model': [365, { groupBy: 'key', where: { model: 'model-3' } }],
  'a year by account, of a model with 4xx': [
    365,
    { groupBy: 'account', where: { model: 'model-3', status: '4xx' } },
  ],
  'a year by status, of a key': [365, { groupBy: 'status', where: { key: 'key_7' } }],
  'a year by status': [365, { groupBy: 'status' }],
  'a year by provider, of a model': [365, { groupBy: 'provider', where: { model: 'model-3' } }],
  'half a year by account, compared': [180, { groupBy: 'account', withPrevious: true }],
  'a year by model, of an account': [365, { groupBy: 'model', where: { account: 'acct_7' } }],
  'a year of a key': [365, { where: { key: 'key_7' } }],
};
