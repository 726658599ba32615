import { useState } from 'preact/hooks';
import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import type { PromptContent } from '../../../src/console/dashboard/prompt-schema.ts';
import { schemaFault } from './answer-schema.ts';
import { comparedModels } from './compare-picker.tsx';
import type { AssistantTurn, Turn, UserTurn } from './conversation.ts';
import { dialectOf } from './dialects.ts';
import { fitting } from './fitting.ts';
import { readTools } from './read-tools.ts';
import { sentTurns, toRetry } from './sent-turns.ts';
import { type DraftState, useDraft } from './use-draft.ts';
import { useQuote } from './use-quote.ts';
import { useRun } from './use-run.ts';
import { useSent } from './use-sent.ts';

/**
 * The state of the page: the draft, the request that it makes, and the request under way.
 * The request is shown as code and priced before it is sent.
 */
export function usePlayground(options: PlaygroundOptions) {
  const draft = useDraft(options);
  const [images, setImages] = useState<readonly string[]>([]);
  const { turns, text } = draft;
  const model = options.models.find(({ id }) => id === draft.settings.model);
  const settings = fitting(draft.settings, model);
  const toolList = readTools(settings.tools);
  const tools = 'tools' in toolList ? toolList.tools : [];
  const faults = {
    tools: 'fault' in toolList ? toolList.fault : undefined,
    schema: schemaFault(settings.schema),
  };
  const run = useRun({ options, settings, tools, onTurns: draft.setTurns });
  const { sent, start, forget } = useSent(run);
  const dialect = dialectOf(settings.dialect);
  const paymentHeader = settings.payAsYouGo ? options.headers.payment_mode : null;
  const typed: UserTurn | null =
    text.trim() || images.length > 0 ? { role: 'user', text: text.trim(), images } : null;
  const last = turns.at(-1);
  const openCalls = last?.role === 'assistant' && !run.isRunning ? last.calls : [];
  const body = dialect.write(settings, requestTurns(sentTurns(turns), typed), tools);
  const isReady =
    typed !== null && !run.isRunning && openCalls.length === 0 && !faults.tools && !faults.schema;
  const quoted = useQuote(isReady ? body : null, { dialect, paymentHeader });
  const again = toRetry(turns);
  return {
    draft,
    run,
    settings,
    model,
    dialect,
    faults,
    tools,
    compared: comparedModels(settings.model),
    sent,
    start,
    paymentHeader,
    images,
    setImages,
    openCalls,
    body,
    isReady,
    quoted,
    retry: again && (() => start(again)),
    send() {
      if (!isReady) return;
      draft.setText('');
      setImages([]);
      start([...turns, typed]);
    },
    startAnew() {
      forget();
      setImages([]);
      draft.clear();
    },
    /** The content of the page in the form that is kept. */
    content: keptContent(draft),
    open(content: PromptContent) {
      forget();
      draft.open(content);
    },
    goOnWith(model: string, answer: AssistantTurn) {
      if (sent) draft.setTurns([...sent.turns, answer]);
      draft.change({ model });
      forget();
    },
  };
}

const keptContent = ({ settings, turns, text }: DraftState): PromptContent => {
  const { model, dialect, ...others } = settings;
  return { model, dialect, settings: others, turns: [...sentTurns(turns)], text };
};

const sample: Turn = { role: 'user', text: 'Hello', images: [] };

/** The turns of the next request, or else of the latest one, so that there is always a request to show. */
function requestTurns(turns: readonly Turn[], typed: UserTurn | null): readonly Turn[] {
  if (typed) return [...turns, typed];
  const turnsToSend = turns.at(-1)?.role === 'assistant' ? turns.slice(0, -1) : turns;
  return turnsToSend.length > 0 ? turnsToSend : [sample];
}
