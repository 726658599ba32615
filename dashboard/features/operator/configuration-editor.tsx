import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Textarea } from '../../components/textarea.tsx';
import { OPERATOR } from './operator-api.ts';
import { ReviewChanges } from './review-changes.tsx';
import type { Configuration, ConfigurationCheck, ConfigurationFault } from './rows.ts';

const PATH = `${OPERATOR}/configuration`;

/** The configuration file: its text without secrets, its problems, and the difference before a change. */
export function ConfigurationEditor() {
  const query = useQuery<Configuration>(PATH);
  return (
    <Section
      title="Configuration file"
      lead="Marks like __SECRET_1__ replace the secrets of the file. Secrets never leave the server."
    >
      <Loaded query={query}>
        {(configuration) =>
          configuration.text === null ? (
            <Notice title="There is no text to edit">{configuration.reason}</Notice>
          ) : (
            <Editor
              key={configuration.hash}
              configuration={configuration}
              text={configuration.text}
              onSaved={query.refresh}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

type EditorProps = { configuration: Configuration; text: string; onSaved: () => Promise<void> };

function Editor({ configuration, text: original, onSaved }: EditorProps) {
  const [text, setText] = useState(original);
  const [faults, setFaults] = useState<readonly ConfigurationFault[]>();
  const [isReviewing, setReviewing] = useState(false);
  const check = useAction(async () => {
    const { problems } = await call<ConfigurationCheck>('POST', `${PATH}/check`, { text });
    setFaults(problems);
    if (problems.length === 0) setReviewing(true);
  });
  const edit = (value: string) => {
    setText(value);
    setFaults(undefined);
  };
  return (
    <>
      {!configuration.writable && (
        <Notice kind="info" title="This page cannot write the file">
          {configuration.reason} A checked text can be downloaded.
        </Notice>
      )}
      <Textarea label="Text" rows={24} isCode value={text} onInput={edit} />
      {check.problem && <ProblemNotice problem={check.problem} />}
      {faults && faults.length > 0 && <Faults faults={faults} />}
      <div class="actions">
        <Button
          kind="primary"
          isRunning={check.isRunning}
          isDisabled={text === original}
          onClick={() => void check.run()}
        >
          Check and review
        </Button>
        <Button isDisabled={text === original} onClick={() => edit(original)}>
          Discard the changes
        </Button>
      </div>
      {isReviewing && (
        <ReviewChanges
          configuration={configuration}
          original={original}
          text={text}
          onSaved={onSaved}
          onClose={() => setReviewing(false)}
        />
      )}
    </>
  );
}

const Faults = ({ faults }: { faults: readonly ConfigurationFault[] }) => (
  <Notice kind="error" title="The text is not valid" isAlert>
    <ul>
      {faults.map(({ line, column, field, message }) => (
        <li key={`${line} ${field} ${message}`}>
          {line !== null && `Line ${line}, column ${column}: `}
          {field} {message}
        </li>
      ))}
    </ul>
  </Notice>
);
