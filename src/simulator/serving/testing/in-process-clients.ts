import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Simulator } from '../simulator.ts';

/** Returns official clients that call a simulator in the process, without a port. */
export function inProcessClients(simulator: Simulator, apiKey: string) {
  const fetch = (url: string | URL | Request, init?: RequestInit): Promise<Response> =>
    simulator.handle(url instanceof Request ? url : new Request(String(url), init));
  const options = { apiKey, maxRetries: 0, fetch };
  return {
    openai: new OpenAI({ ...options, baseURL: 'http://simulator/v1' }),
    anthropic: new Anthropic({ ...options, baseURL: 'http://simulator' }),
  };
}
