import { useState } from 'preact/hooks';
import type { PlaygroundModel, PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import type { Settings, Turn, UserTurn } from './conversation.ts';
import { dialectOf } from './dialects.ts';
import { readTools } from './request-parts.ts';
import { useDraft } from './use-draft.ts';
import { useQuote } from './use-quote.ts';
import { useRun } from './use-run.ts';

/** The state of the page: the draft, the request that it makes, and the request under way. */
export function usePlayground(options: PlaygroundOptions) {
  const draft = useDraft(options);
  const [images, setImages] = useState<readonly string[]>([]);
  const { turns, text } = draft;
  const model = options.models.find(({ id }) => id === draft.settings.model);
  const settings = fitting(draft.settings, model);
  const read = readTools(settings.tools);
  const tools = 'tools' in read ? read.tools : [];
  const fault = 'fault' in read ? read.fault : undefined;
  const run = useRun({ options, settings, tools, onTurns: draft.setTurns });
  const dialect = dialectOf(settings.dialect);
  const paymentHeader = settings.payAsYouGo ? options.headers.payment_mode : null;
  const typed: UserTurn | null =
    text.trim() || images.length > 0 ? { role: 'user', text: text.trim(), images } : null;
  const last = turns.at(-1);
  const openCalls = last?.role === 'assistant' && !run.isRunning ? last.calls : [];
  const body = dialect.write(settings, requestTurns(turns, typed), tools);
  const isReady = typed !== null && !run.isRunning && openCalls.length === 0 && !fault;
  const quoted = useQuote(isReady ? body : null, { dialect, paymentHeader });
  return {
    draft,
    run,
    settings,
    model,
    dialect,
    fault,
    paymentHeader,
    images,
    setImages,
    openCalls,
    body,
    isReady,
    quoted,
    retry: last && last.role !== 'assistant' ? () => void run.start(turns) : undefined,
    send() {
      if (!isReady) return;
      draft.setText('');
      setImages([]);
      void run.start([...turns, typed]);
    },
    startAnew() {
      run.stop();
      run.forget();
      setImages([]);
      draft.clear();
    },
  };
}

/** The settings without what the model cannot do. They come back with a model that can. */
const fitting = (settings: Settings, model: PlaygroundModel | undefined): Settings => ({
  ...settings,
  effort: model?.capabilities.reasoning ? settings.effort : '',
  tools: model?.capabilities.tools === false ? '' : settings.tools,
});

const sample: Turn = { role: 'user', text: 'Hello', images: [] };

/** The turns of the next request, or else of the latest one, so that there is always a request to show. */
function requestTurns(turns: readonly Turn[], typed: UserTurn | null): readonly Turn[] {
  if (typed) return [...turns, typed];
  const sent = turns.at(-1)?.role === 'assistant' ? turns.slice(0, -1) : turns;
  return sent.length > 0 ? sent : [sample];
}
