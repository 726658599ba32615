import type { AccountName } from '../gateway/accounts.ts';
import type { ModelName } from '../gateway/configuration.ts';
import type { Usage } from '../vendors/vendor-answer.ts';
import { shownUsageOf } from './asked.ts';

/** A response in the background, as its client knows it. */
export type BackgroundJob = {
  readonly marker: string;
  readonly account: AccountName;
  readonly model: ModelName;
  /** Undefined if no answer to its creation came. */
  id: string | undefined;
  requestId: string | undefined;
  /** The creation was answered with a refusal. */
  isRefused: boolean;
  /** The client has asked for its end. */
  isCanceled: boolean;
  /** The state and the text that the client has seen last. */
  seen: SeenJob | undefined;
};

export type SeenJob = {
  status: string;
  text: string;
  usage: Usage | undefined;
};

export const hasEnded = ({ status }: SeenJob): boolean => !['queued', 'in_progress'].includes(status);

/** Reads the state and the text of a response. */
export function readJob(body: string): SeenJob {
  const { status, output } = JSON.parse(body) as {
    status: string;
    output: { content?: { text?: string }[] }[];
  };
  const text = output.flatMap(({ content }) => content?.map((part) => part.text ?? '') ?? []).join('');
  return { status, text, usage: shownUsageOf(body) };
}
