import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { CodePanel } from './code-panel.tsx';
import { Comparison } from './comparison.tsx';
import { Composer } from './composer.tsx';
import { ConversationView } from './conversation-view.tsx';
import { OpenedRequest } from './opened-request.tsx';
import { Outcome } from './outcome.tsx';
import { QuoteLine } from './quote-line.tsx';
import { SavedPrompts } from './saved-prompts.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { ToolResults } from './tool-results.tsx';
import { usePlayground } from './use-playground.ts';

/** The conversation with its settings, the request as code, and what the latest request cost. */
export function Playground({ options, lead }: { options: PlaygroundOptions; lead: string }) {
  const state = usePlayground(options);
  const { draft, run, settings, model, dialect, faults, openCalls, isReady } = state;
  const { turns, text } = draft;
  return (
    <>
      <PageHeader
        title="Playground"
        lead={lead}
        actions={
          <>
            <SavedPrompts content={state.content} onOpen={state.open} />
            {turns.length > 0 && <Button onClick={state.clear}>New conversation</Button>}
          </>
        }
      />
      <OpenedRequest onOpen={state.open} />
      <div class="playground">
        <SettingsPanel
          options={options}
          settings={settings}
          model={model}
          dialect={dialect}
          faults={faults}
          onChange={draft.change}
        />
        <div class="playground-main">
          <ConversationView
            turns={turns}
            answer={run.answer}
            onRemove={(index) => draft.setTurns(turns.slice(0, index))}
          />
          <Results options={options} state={state} />
          {openCalls.length > 0 ? (
            <ToolResults
              calls={openCalls}
              onSend={(results) => state.start([...turns, { role: 'tool', results }])}
            />
          ) : (
            <Composer
              text={text}
              images={state.images}
              isRunning={run.isRunning}
              canSend={isReady}
              canSee={model?.capabilities.vision === true}
              onText={draft.setText}
              onImages={state.setImages}
              onSend={state.send}
              onStop={run.stop}
            />
          )}
          <QuoteLine quoted={state.quoted} isReady={isReady} />
          <CodePanel
            dialect={dialect}
            body={state.body}
            paymentHeader={state.paymentHeader}
            baseUrl={options.base_url}
            isStream={settings.stream}
          />
        </div>
      </div>
    </>
  );
}

type ResultsProps = { options: PlaygroundOptions; state: ReturnType<typeof usePlayground> };

/** The outcome of the latest request, beside those of the other models that got it. */
function Results({
  options,
  state: { run, settings, tools, draft, sent, compared, ...state },
}: ResultsProps) {
  if (compared.length === 0) return run.observed && <Outcome observed={run.observed} onRetry={state.retry} />;
  return (
    <Comparison
      models={compared}
      options={options}
      settings={settings}
      tools={tools}
      run={run}
      turns={draft.turns}
      sent={sent}
      onRetry={state.retry}
      onChoose={state.continueWith}
    />
  );
}
