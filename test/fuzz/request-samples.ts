import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { projectRoot } from '../../src/base/lib/testing/project-root.ts';
import type { Json } from '../support/call.ts';
import { richBodies } from './edge/rich-bodies.ts';

const inputs = [
  {
    type: 'user_input',
    content: [{ type: 'image', mime_type: 'image/png', data: 'AAAA', resolution: 'low' }],
  },
  { type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'hm' }] },
  { type: 'function_call', id: 'c', name: 'find', arguments: { a: 'b' } },
  { type: 'function_result', call_id: 'c', name: 'find', result: [{ type: 'text', text: 'x' }] },
];
const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
const shell = { type: 'local_shell_call', call_id: 'c', status: 'completed', action: { type: 'exec' } };

/** Requests that no other test has as a whole. */
const further: [path: string, body: Json][] = [
  [
    '/v1beta/interactions',
    {
      model: 'm',
      input: inputs,
      tools: [{ type: 'function', name: 'find', parameters: { type: 'object' } }, { type: 'google_search' }],
      generation_config: { thinking_level: 'low', tool_choice: 'auto' },
      response_format: { type: 'text', mime_type: 'application/json', schema: { type: 'object' } },
      service_tier: 'flex',
    },
  ],
  ['/v1/responses', { model: 'm', input: [{ role: 'user', content: [audio] }, shell], service_tier: 'flex' }],
  [
    '/v1/responses',
    { model: 'm', input: 'a', tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } },
  ],
  [
    '/v1/images/generations',
    { model: 'm', prompt: 'a', size: '64x64', quality: 'low', output_format: 'png' },
  ],
  ['/v1/audio/speech', { model: 'm', input: 'a', voice: 'alloy', response_format: 'mp3' }],
  ['/v1/rerank', { model: 'm', query: 'a', documents: ['b', { text: 'c' }] }],
  ['/v1/moderations', { model: 'm', input: [{ type: 'text', text: 'a' }] }],
  ['embedContent', { content: { parts: [{ text: 'a' }] }, taskType: 'RETRIEVAL_QUERY' }],
];

const folders = { chat: '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' };
const requests = join(projectRoot, 'test', 'fixtures', 'requests');
/** Requests of every dialect by their paths, which use many of its members. */
export const requestSamples: [path: string, body: Json][] = [
  ...richBodies.map(({ path, body }): [string, Json] => [path, body('m')]),
  ...further,
  ...Object.entries(folders).flatMap(([folder, path]) =>
    [...new Glob('*.json').scanSync(join(requests, folder))].map((file): [string, Json] => [
      path,
      JSON.parse(readFileSync(join(requests, folder, file), 'utf8')).body,
    ]),
  ),
];
