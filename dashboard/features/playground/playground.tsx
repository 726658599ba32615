import type { PlaygroundOptions } from '../../../src/api/dashboard/playground-schema.ts';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { CodePanel } from './code-panel.tsx';
import { Composer } from './composer.tsx';
import type { Turn } from './conversation.ts';
import { ConversationView } from './conversation-view.tsx';
import { dialectOf } from './dialects.ts';
import { Outcome } from './outcome.tsx';
import { QuoteLine } from './quote-line.tsx';
import { readTools } from './request-parts.ts';
import { SettingsPanel } from './settings-panel.tsx';
import { ToolResults } from './tool-results.tsx';
import { useDraft } from './use-draft.ts';
import { useQuote } from './use-quote.ts';
import { useRun } from './use-run.ts';

/** The conversation with its settings, the request as code, and what the latest request cost. */
export function Playground({ options, lead }: { options: PlaygroundOptions; lead: string }) {
  const draft = useDraft(options);
  const { settings, turns, text } = draft;
  const model = options.models.find(({ id }) => id === settings.model);
  const read = readTools(settings.tools);
  const tools = 'tools' in read && model?.capabilities.tools !== false ? read.tools : [];
  const fault = 'fault' in read ? read.fault : undefined;
  const run = useRun({ options, settings, tools, onTurns: draft.setTurns });
  const dialect = dialectOf(settings.dialect);
  const last = turns.at(-1);
  const openCalls = last?.role === 'assistant' ? last.calls : [];
  const next: readonly Turn[] = text.trim() ? [...turns, { role: 'user', text, images: [] }] : turns;
  const body = dialect.write(settings, next, tools);
  const isReady = next.length > 0 && next.at(-1)!.role !== 'assistant' && !run.isRunning;
  const headers: Record<string, string> = settings.payAsYouGo
    ? { [options.headers.payment_mode]: 'payg' }
    : {};
  const quoted = useQuote(isReady ? body : null, { dialect, headers });
  const clear = () => {
    run.stop();
    run.forget();
    draft.clear();
  };
  return (
    <>
      <PageHeader
        title="Playground"
        lead={lead}
        actions={turns.length > 0 && <Button onClick={clear}>New conversation</Button>}
      />
      <div class="playground">
        <SettingsPanel
          {...{ options, settings, model, dialect }}
          toolsFault={fault}
          onChange={draft.change}
        />
        <div class="playground-main">
          <ConversationView
            turns={turns}
            answer={run.answer}
            onRemove={(index) => draft.setTurns(turns.slice(0, index))}
          />
          {run.observed && (
            <Outcome
              observed={run.observed}
              onRetry={last?.role === 'assistant' ? undefined : () => void run.start(turns)}
            />
          )}
          {openCalls.length > 0 && !run.isRunning ? (
            <ToolResults
              calls={openCalls}
              onSend={(results) => void run.start([...turns, { role: 'tool', results }])}
            />
          ) : (
            <Composer
              {...{
                text,
                isRunning: run.isRunning,
                isBlocked: fault !== undefined,
                canSee: model?.capabilities.vision === true,
              }}
              onText={draft.setText}
              onStop={run.stop}
              onSend={(turn) => {
                draft.setText('');
                void run.start([...turns, turn]);
              }}
            />
          )}
          <QuoteLine quoted={quoted} isReady={isReady} />
          <CodePanel
            {...{ dialect, body }}
            baseUrl={options.base_url}
            paymentHeader={settings.payAsYouGo ? options.headers.payment_mode : null}
          />
        </div>
      </div>
    </>
  );
}
