import { expect, test } from 'bun:test';
import { refuseMachineCredential } from './refuse-machine-credential.ts';

const own = { client_id: 'a', tenant_id: 'b', client_secret: 'c' };

test.each([
  { base_url: 'https://elsewhere.example', azure: {} },
  { base_url: 'https://elsewhere.example', azure: { source: 'managed_identity', client_secret: 'c' } },
  { base_url: 'https://x.openai.azure.com.elsewhere.example', azure: {} },
  { base_url: 'https://machine.westeurope.cloudapp.azure.com', azure: {} },
  { base_url: 'http://x.openai.azure.com', azure: {} },
  { base_url: 'https://x.openai.azure.com', google: {} },
  { base_url: 'https://googleapis.com.elsewhere.example', google: { credentials_file: '/a' } },
  { base_url: 'https://evilgoogleapis.com', google: {} },
])('refuses %j', (fields) => {
  expect(refuseMachineCredential(fields)).toMatchObject({ code: 'permission_denied' });
});

test('the refusal names the fields that can have a credential', () => {
  const base_url = 'https://elsewhere.example';
  const messageOf = (fields: object) => refuseMachineCredential({ base_url, ...fields })?.message;
  expect(messageOf({ azure: {} })).toEndWith('a credential in azure.client_secret or api_key.');
  expect(messageOf({ google: {} })).toEndWith('a credential in api_key.');
});

test.each([
  { base_url: 'https://elsewhere.example', azure: own },
  { base_url: 'https://elsewhere.example', azure: null, api_key: 'sk' },
  { base_url: 'https://elsewhere.example', aws: { region: 'eu-west-1' } },
  { base_url: 'https://x.openai.azure.com/openai/v1', azure: {} },
  { base_url: 'https://x.services.ai.azure.com/anthropic/v1', azure: {} },
  { base_url: 'https://eu-aiplatform.googleapis.com/v1', google: {} },
  { google: { region: 'eu' } },
])('accepts %j', (fields) => {
  expect(refuseMachineCredential(fields)).toBeUndefined();
});
