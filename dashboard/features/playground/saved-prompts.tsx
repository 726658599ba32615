import { useState } from 'preact/hooks';
import type { PromptContent, PromptList, PromptView } from '../../../src/console/dashboard/prompt-schema.ts';
import { call } from '../../app/call.ts';
import { inOrganization } from '../../app/session.ts';
import { useAction } from '../../app/use-action.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { FormButton } from '../../components/form-button.tsx';
import { Input } from '../../components/input.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Time } from '../../components/time.tsx';

/** The prompt that was opened last, and its revision that this page has seen. */
type OpenedPrompt = { id: string; name: string; revision: number };

type SavedPromptsProps = {
  content: PromptContent;
  onOpen: (content: PromptContent) => void;
};

/** Keeps what is on the page as a prompt of the organization, and opens those that are kept. */
export function SavedPrompts({ content, onOpen }: SavedPromptsProps) {
  const path = inOrganization('/prompts')!;
  const [opened, setOpened] = useState<OpenedPrompt>();
  const save = async ({ name = '' }: Readonly<Record<string, string>>) => {
    const isSameName = opened !== undefined && opened.name === name.trim();
    const saved = isSameName
      ? await call<PromptView>('PATCH', `${path}/${opened.id}`, { content, revision: opened.revision })
      : await call<PromptView>('POST', path, { name, content });
    setOpened(saved);
  };
  return (
    <>
      <DialogButton label="Saved prompts">
        {(close) => (
          <Dialog title="Saved prompts" onClose={close} isWide>
            <PromptRows
              path={path}
              onOpen={(prompt) => {
                setOpened(prompt);
                onOpen(prompt.content);
                close();
              }}
            />
          </Dialog>
        )}
      </DialogButton>
      <FormButton
        label="Save prompt"
        submitLabel="Save"
        refreshes={path}
        done="The prompt was saved for the organization."
        onSubmit={save}
      >
        <Input
          label="Name"
          name="name"
          value={opened?.name ?? ''}
          maxLength={100}
          isRequired
          hint={
            opened
              ? 'The same name changes the prompt that you opened. Another name makes another prompt.'
              : 'Owners and developers of the organization see it.'
          }
        />
      </FormButton>
    </>
  );
}

type PromptRowsProps = { path: string; onOpen: (prompt: PromptView) => void };

function PromptRows({ path, onOpen }: PromptRowsProps) {
  const query = useQuery<PromptList>(path);
  const open = useAction(async (id: string) => onOpen(await call<PromptView>('GET', `${path}/${id}`)));
  return (
    <>
      {open.problem && <ProblemNotice problem={open.problem} />}
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="soft">The organization has no saved prompts. Write one on this page, and save it.</p>
          ) : (
            <ul class="saved-prompts">
              {data.map((prompt) => (
                <PromptRow
                  key={prompt.id}
                  prompt={prompt}
                  path={path}
                  onOpen={() => void open.run(prompt.id)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

type PromptRowProps = { prompt: PromptList['data'][number]; path: string; onOpen: () => void };

const PromptRow = ({ prompt: { id, name, changed_at, changed_by }, path, onOpen }: PromptRowProps) => (
  <li>
    <span class="titled">
      <strong class="cut" title={name}>
        {name}
      </strong>
      <span class="soft small">
        {changed_by}, <Time at={changed_at} isRelative />
      </span>
    </span>
    <span class="actions">
      <Button label={`Open ${name}`} onClick={onOpen}>
        Open
      </Button>
      <ConfirmButton
        label="Delete"
        about={`Delete ${name}`}
        title={`Delete ${name}?`}
        refreshes={path}
        done="The prompt was deleted."
        onConfirm={() => call('DELETE', `${path}/${id}`)}
      >
        Nobody in the organization has it afterwards.
      </ConfirmButton>
    </span>
  </li>
);
