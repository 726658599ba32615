import { Form } from '../../components/form.tsx';
import { Textarea } from '../../components/textarea.tsx';
import type { ToolCall, ToolTurn } from './conversation.ts';

type ToolResultsProps = { calls: readonly ToolCall[]; onSend: (results: ToolTurn['results']) => void };

/** The person answers the tool calls of the model by hand. */
export const ToolResults = ({ calls, onSend }: ToolResultsProps) => (
  <section class="tool-results card" aria-label="Results of the tools">
    <p>The model waits for {calls.length === 1 ? 'the result of its call' : 'the results of its calls'}.</p>
    <Form
      submitLabel={calls.length === 1 ? 'Send the result' : 'Send the results'}
      onSubmit={async (values) =>
        onSend(calls.map(({ id, name }, index) => ({ id, name, text: values[`result-${index}`] ?? '' })))
      }
    >
      {calls.map(({ id, name, input }, index) => (
        <Textarea
          key={id || index}
          label={`Result of ${name}`}
          name={`result-${index}`}
          hint={<code>{input}</code>}
          rows={3}
          isRequired
          isCode
        />
      ))}
    </Form>
  </section>
);
