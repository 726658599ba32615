import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { useAction } from '../../app/use-action.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Notice } from '../../components/notice.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Section } from '../../components/section.tsx';
import { Textarea } from '../../components/textarea.tsx';
import { toast } from '../../components/toasts.tsx';
import { changedParts, diffLines } from './diff-lines.ts';
import { OPERATOR } from './operator-api.ts';
import type { Configuration, ConfigurationFault, Reloaded } from './rows.ts';

const PATH = `${OPERATOR}/configuration`;

/** The configuration file: its text without secrets, its problems, and the difference before a change. */
export function ConfigurationEditor() {
  const shown = useQuery<Configuration>(PATH);
  return (
    <Section
      title="Configuration file"
      lead="Marks like __SECRET_1__ replace the secrets of the file. Secrets never leave the server."
    >
      <Loaded query={shown}>
        {(configuration) =>
          configuration.text === null ? (
            <Notice title="There is no text to edit">{configuration.reason}</Notice>
          ) : (
            <Editor
              key={configuration.hash}
              configuration={configuration}
              text={configuration.text}
              onSaved={shown.refresh}
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
  const [faults, setFaults] = useState<ConfigurationFault[]>();
  const [isReviewing, setReviewing] = useState(false);
  const check = useAction(async () => {
    const { problems } = await call<{ problems: ConfigurationFault[] }>('POST', `${PATH}/check`, { text });
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
        <Review {...{ configuration, original, text, onSaved }} onClose={() => setReviewing(false)} />
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

type ReviewProps = EditorProps & { original: string; onClose: () => void };

/** Shows what changes. The change is then written, or downloaded where the file cannot be written. */
function Review({ configuration, original, text, onSaved, onClose }: ReviewProps) {
  const save = async () => {
    if (!configuration.writable) return download(text);
    const outcome = await call<Reloaded>('POST', PATH, { text, hash: configuration.hash });
    const restarts = (outcome.restart_needed ?? []).map((name) => `${name} needs a restart.`);
    toast(
      `The configuration was written and reloaded. ${[...restarts, ...(outcome.warnings ?? [])].join(' ')}`,
    );
    await onSaved();
  };
  return (
    <ConfirmDialog
      title="Review the changes"
      confirmLabel={configuration.writable ? 'Write and reload' : 'Download'}
      isDangerous={false}
      onConfirm={save}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <pre class="diff" tabIndex={0}>
        {changedParts(diffLines(original, text)).map(({ kind, text: line }, index) => (
          <span key={index} class={kind}>
            {{ same: '  ', added: '+ ', removed: '- ' }[kind]}
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
    </ConfirmDialog>
  );
}

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: 'tollgate.yaml' });
  link.click();
  URL.revokeObjectURL(address);
}
