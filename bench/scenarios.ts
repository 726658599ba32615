import type { ScenarioName } from './benchmark-report.ts';
import { requestBodies } from './workload.ts';

export type Scenario = {
  name: ScenarioName;
  method: 'GET' | 'POST';
  path: string;
  body: string | null;
  /** A text that a correct answer contains. The first answer of each system is checked for it. */
  expects: string;
  /** True if only Tollgate runs it. */
  isOwn: boolean;
  /** The scenario whose haproxy measurement is the baseline of this one's ratios. */
  floor: 'unary' | 'agent' | 'stream';
};

const chatPath = '/v1/chat/completions';

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  unary: {
    name: 'unary',
    method: 'POST',
    path: chatPath,
    body: requestBodies.unary,
    expects: '"chat.completion"',
    isOwn: false,
    floor: 'unary',
  },
  agent: {
    name: 'agent',
    method: 'POST',
    path: chatPath,
    body: requestBodies.agent,
    expects: '"chat.completion"',
    isOwn: false,
    floor: 'agent',
  },
  stream: {
    name: 'stream',
    method: 'POST',
    path: chatPath,
    body: requestBodies.stream,
    expects: 'data: [DONE]',
    isOwn: false,
    floor: 'stream',
  },
  translated: {
    name: 'translated',
    method: 'POST',
    path: '/v1/messages',
    body: requestBodies.messages,
    expects: 'message_stop',
    isOwn: true,
    floor: 'stream',
  },
  models: {
    name: 'models',
    method: 'GET',
    path: '/v1/models',
    body: null,
    expects: '"data"',
    isOwn: true,
    floor: 'unary',
  },
};
