import { useEffect, useRef } from 'preact/hooks';
import type { PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import { Button } from '../../components/button.tsx';
import type { AssistantTurn, Turn } from './conversation.ts';
import { AnswerView } from './conversation-view.tsx';
import { fitting } from './fitting.ts';
import { Outcome } from './outcome.tsx';
import type { ToolDefinition } from './read-tools.ts';
import type { Settings } from './settings.ts';
import { type RunState, useRun } from './use-run.ts';

/** The turns that were sent to the models, counted so that equal ones are sent again. */
export type SentPrompt = { number: number; turns: readonly Turn[] };

type Shared = {
  options: PlaygroundOptions;
  settings: Settings;
  tools: readonly ToolDefinition[];
  sent: SentPrompt | undefined;
  /** Goes on with the answer of another model. */
  onChoose: (model: string, answer: AssistantTurn) => void;
};

type ComparisonProps = Shared & {
  models: readonly string[];
  run: RunState;
  turns: readonly Turn[];
  onRetry: (() => void) | undefined;
};

/** The answers of two to four models side by side, each with its cost and its times. */
export const Comparison = ({ models, run, turns, onRetry, ...shared }: ComparisonProps) => {
  const last = turns.at(-1);
  const answer = run.answer ?? (last?.role === 'assistant' ? last : null);
  return (
    <section class="comparison" aria-label="Comparison">
      <Column
        model={shared.settings.model}
        run={run}
        answer={shared.sent ? answer : null}
        onRetry={onRetry}
      />
      {models.map((model) => (
        <OtherModel key={model} model={model} {...shared} />
      ))}
    </section>
  );
};

/** A model that answers the same turns. Its answer stays out of the conversation until it is chosen. */
function OtherModel({ model, options, settings, tools, sent, onChoose }: Shared & { model: string }) {
  const row = options.models.find(({ id }) => id === model);
  const fittingSettings = fitting({ ...settings, model }, row);
  const run = useRun({
    options,
    settings: fittingSettings,
    tools: fittingSettings.tools === '' ? [] : tools,
    onTurns: () => {},
    onLeave: () => {},
  });
  // A model that is added later answers the next message, since each answer costs credits.
  const lastNumber = useRef(sent?.number);
  useEffect(() => {
    if (sent && sent.number !== lastNumber.current) void run.start(sent.turns);
    if (!sent && lastNumber.current !== undefined) run.forget();
    lastNumber.current = sent?.number;
  }, [sent?.number]);
  const answer = run.answer ?? run.latest;
  const canChoose = answer && !run.isRunning && run.observed?.problem === null;
  return (
    <Column model={model} run={run} answer={answer}>
      {canChoose && (
        <Button onClick={() => onChoose(model, answer)}>
          Go on with this answer<span class="hidden"> of {model}</span>
        </Button>
      )}
    </Column>
  );
}

type ColumnProps = {
  model: string;
  run: RunState;
  answer: AssistantTurn | null;
  onRetry?: (() => void) | undefined;
  children?: preact.ComponentChildren;
};

const Column = ({ model, run, answer, onRetry, children }: ColumnProps) => (
  <article class="comparison-column" aria-busy={run.isRunning || undefined} aria-label={model}>
    <h2 class="cut" title={model}>
      {model}
    </h2>
    {answer ? <AnswerView turn={answer} isArriving={run.isRunning} /> : <p class="soft">No answer yet.</p>}
    {children}
    {run.observed && <Outcome observed={run.observed} onRetry={onRetry} model={model} />}
  </article>
);
