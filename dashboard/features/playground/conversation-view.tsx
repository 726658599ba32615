import { Badge } from '../../components/badge.tsx';
import { IconButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { AssistantTurn, ToolTurn, Turn, UserTurn } from './conversation.ts';

type ConversationViewProps = {
  turns: readonly Turn[];
  /** The answer that is arriving. */
  answer: AssistantTurn | null;
  /** Removes a turn and all after it. */
  onRemove: (index: number) => void;
};

const roleNames = { user: 'You', assistant: 'Model', tool: 'Tool results' } as const;

/** The turns of the conversation, and the answer that is arriving. */
export const ConversationView = ({ turns, answer, onRemove }: ConversationViewProps) => (
  <section aria-label="Conversation" class="turns">
    {turns.length === 0 && !answer && (
      <EmptyState title="No messages yet">
        Write a message below. The price is shown before you send it, and the receipt afterwards.
      </EmptyState>
    )}
    {turns.map((turn, index) => (
      <TurnView key={index} turn={turn} onRemove={answer ? undefined : () => onRemove(index)} />
    ))}
    {answer && <TurnView turn={answer} isArriving />}
  </section>
);

type TurnViewProps = { turn: Turn; onRemove?: (() => void) | undefined; isArriving?: boolean };

const TurnView = ({ turn, onRemove, isArriving = false }: TurnViewProps) => (
  <article class={`turn ${turn.role}`} aria-busy={isArriving || undefined}>
    <header class="turn-line">
      <h2>{roleNames[turn.role]}</h2>
      {'hasFailed' in turn && turn.hasFailed && <Badge tone="warning">Failed, not sent again</Badge>}
      {onRemove && <IconButton icon="trash" label="Remove this turn and all after it" onClick={onRemove} />}
    </header>
    {turn.role === 'user' && <UserView turn={turn} />}
    {turn.role === 'assistant' && <AnswerView turn={turn} isArriving={isArriving} />}
    {turn.role === 'tool' && <ToolView turn={turn} />}
  </article>
);

const UserView = ({ turn: { text, images } }: { turn: UserTurn }) => (
  <>
    {images.length > 0 && (
      <div class="turn-images">
        {images.map((url, index) => (
          <img key={index} src={url} alt={`Attached, number ${index + 1}`} />
        ))}
      </div>
    )}
    {text && <p class="turn-text">{text}</p>}
  </>
);

/** Shows the answer of a model. */
export const AnswerView = ({ turn, isArriving }: { turn: AssistantTurn; isArriving: boolean }) => (
  <>
    {turn.thinking && (
      <details class="turn-thinking" open={isArriving && !turn.text}>
        <summary>Thinking</summary>
        <p class="turn-text">{turn.thinking}</p>
      </details>
    )}
    {turn.text && <p class="turn-text">{turn.text}</p>}
    {turn.calls.map(({ id, name, input }) => (
      <div key={id || name} class="turn-call">
        <strong>
          Calls <code>{name}</code>
        </strong>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
        <pre tabIndex={0}>{pretty(input)}</pre>
      </div>
    ))}
    {isArriving && (
      <p class="soft turn-wait" role="status">
        {turn.text || turn.thinking ? 'Answering…' : 'Waiting for the first token…'}
      </p>
    )}
  </>
);

const ToolView = ({ turn: { results } }: { turn: ToolTurn }) => (
  <>
    {results.map(({ id, name, text }) => (
      <div key={id} class="turn-call">
        <strong>
          <code>{name}</code> returned
        </strong>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
        <pre tabIndex={0}>{text}</pre>
      </div>
    ))}
  </>
);

function pretty(input: string): string {
  try {
    return JSON.stringify(JSON.parse(input), null, 2);
  } catch {
    return input;
  }
}
