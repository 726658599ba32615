/** The fields whose values no message may show. */
export const SECRET_FIELDS = new Set<unknown>([
  'api_key',
  'headers',
  'token',
  'database_url',
  'listen_url',
  'base_url',
  'aws',
  'azure',
  'google',
  'url',
  'secret',
  'secret_key',
  'webhook_secrets',
  'client_secret',
  'password',
]);
