import { useState } from 'preact/hooks';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/section.tsx';
import { toast } from '../../components/toasts.tsx';
import { accountPath, mayChange } from './operator-api.ts';

type State = { enabled: boolean };
type Asked = 'switch' | 'delete';

/** Whether the content of the account's requests is kept, and the deletion of what was kept. */
export function PayloadSwitch({ accountId }: { accountId: string }) {
  const path = `${accountPath(accountId)}/payload_logging`;
  const state = useQuery<State>(path);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <Section
      title="Content of requests"
      lead="While recording is on, the content of new requests is kept. The pages of the organization show a notice."
      actions={mayChange.value && state.data && <Actions state={state.data} onAsk={setAsked} />}
    >
      <Loaded query={state}>
        {({ enabled }) => <p>{enabled ? 'Requests and answers are kept.' : 'Nothing is kept.'}</p>}
      </Loaded>
      {asked === 'switch' && <SwitchDialog {...{ path, close }} enabled={state.data!.enabled} />}
      {asked === 'delete' && (
        <ConfirmDialog
          title="Delete the kept content?"
          confirmLabel="Delete"
          onClose={close}
          onConfirm={async () => {
            await call('DELETE', `${path}/content`);
            toast('The kept content was deleted.');
          }}
        >
          The content of all requests of this account is removed. The records and receipts stay.
        </ConfirmDialog>
      )}
    </Section>
  );
}

const Actions = ({ state, onAsk }: { state: State; onAsk: (asked: Asked) => void }) => (
  <>
    <Button onClick={() => onAsk('switch')}>{state.enabled ? 'Stop keeping content' : 'Keep content'}</Button>
    <Button kind="danger" onClick={() => onAsk('delete')}>
      Delete kept content
    </Button>
  </>
);

const SwitchDialog = ({ path, enabled, close }: { path: string; enabled: boolean; close: () => void }) => (
  <ConfirmDialog
    title={enabled ? 'Stop keeping content?' : 'Keep the content of requests?'}
    confirmLabel={enabled ? 'Stop keeping content' : 'Keep content'}
    isDangerous={!enabled}
    onClose={close}
    onConfirm={async () => {
      await call('PATCH', path, { enabled: !enabled });
      refreshAnswers(path);
    }}
  >
    {enabled
      ? 'New requests are not kept. What was kept stays until its retention ends.'
      : 'Prompts and answers are stored, without the texts that the configuration redacts.'}
  </ConfirmDialog>
);
