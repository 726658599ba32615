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
  /** True if the creation was refused. */
  isRefused: boolean;
  /** True if the client has asked for its end. */
  isCanceled: boolean;
  /** The view that the client has read last. Undefined if it has read none. */
  seen: SeenJob | undefined;
};

/** The state of a response, as its answer shows it. */
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
