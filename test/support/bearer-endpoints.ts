import { chatBody } from './call.ts';

/** Every endpoint that takes its key as a bearer token, with a valid request. */
export const bearerEndpoints = [
  { path: '/v1/chat/completions', body: (model: string) => chatBody(model) },
  { path: '/v1/completions', body: (model: string) => ({ model, prompt: 'hello' }) },
  { path: '/v1/responses', body: (model: string) => ({ model, input: 'hello' }) },
] as const;
