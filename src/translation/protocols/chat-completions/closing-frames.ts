import type { Usage } from '../../canonical/usage.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { formatUsage } from '../openai/openai-usage.ts';
import { wantsUsage } from '../openai/patch-openai-request.ts';
import { usageFrame } from './completion-envelope.ts';

/** Returns the frames after the last choice: the usage, if the client asked for it, and `[DONE]`. */
export const closingFrames = (head: ResponseHead, usage: Usage | undefined): Frame[] => [
  ...(wantsUsage(head.body.value) ? [usageFrame(head, formatUsage(usage))] : []),
  { data: '[DONE]' },
];
