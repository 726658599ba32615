import { useState } from 'preact/hooks';
import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import type { PromptContent } from '../../../src/console/dashboard/prompt-schema.ts';
import { comparedModels } from './compare-picker.tsx';
import type { AssistantTurn, Turn, UserTurn } from './conversation.ts';
import { requestSettings } from './request-settings.ts';
import { sentTurns, turnsToRetry } from './sent-turns.ts';
import { type DraftState, useDraft } from './use-draft.ts';
import { useQuote } from './use-quote.ts';
import { useRun } from './use-run.ts';
import { useSent } from './use-sent.ts';

const sampleTurn: Turn = { role: 'user', text: 'Hello', images: [] };

/**
 * The state of the page: the draft, the request that it makes, and the request under way.
 * The request is shown as code and priced before it is sent.
 */
export function usePlayground(options: PlaygroundOptions) {
  const draft = useDraft(options);
  const { turns, text } = draft;
  const [images, setImages] = useState<readonly string[]>([]);
  const request = requestSettings(options, draft.settings);
  const { settings, dialect, tools, faults, paymentHeader } = request;
  const run = useRun({ options, settings, tools, onTurns: draft.setTurns, onLeave: draft.keepTurns });
  const { sent, start, forget } = useSent(run);
  const message: UserTurn | null =
    text.trim() || images.length > 0 ? { role: 'user', text: text.trim(), images } : null;
  const lastTurn = turns.at(-1);
  const openCalls = lastTurn?.role === 'assistant' && !run.isRunning ? lastTurn.calls : [];
  const body = dialect.write(settings, requestTurns(sentTurns(turns), message), tools);
  const isReady =
    message !== null &&
    !run.isRunning &&
    openCalls.length === 0 &&
    Object.values(faults).every((one) => !one);
  const quoted = useQuote(isReady ? body : null, { dialect, paymentHeader });
  const retried = turnsToRetry(turns);
  return {
    ...request,
    draft,
    run,
    compared: comparedModels(settings.model),
    sent,
    start,
    images,
    setImages,
    openCalls,
    body,
    isReady,
    quoted,
    retry: retried && (() => start(retried)),
    send() {
      if (!isReady) return;
      draft.setText('');
      setImages([]);
      start([...turns, message]);
    },
    clear() {
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
    continueWith(model: string, answer: AssistantTurn) {
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

/** The turns of the next request, or else of the latest one, so that there is always a request to show. */
function requestTurns(turns: readonly Turn[], message: UserTurn | null): readonly Turn[] {
  if (message) return [...turns, message];
  const turnsToSend = turns.at(-1)?.role === 'assistant' ? turns.slice(0, -1) : turns;
  return turnsToSend.length > 0 ? turnsToSend : [sampleTurn];
}
