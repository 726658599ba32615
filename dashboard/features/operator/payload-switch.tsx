import { call } from '../../app/call.ts';
import { mayOperate } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/section.tsx';
import { accountPath } from './operator-api.ts';
import type { PayloadSetting } from './rows.ts';

/** Switches the keeping of the content of the account's requests, and deletes what was kept. */
export function PayloadSwitch({ accountId }: { accountId: string }) {
  const path = `${accountPath(accountId)}/payload_logging`;
  const setting = useQuery<PayloadSetting>(path);
  return (
    <Section
      title="Content of requests"
      lead="While recording is on, the content of new requests is kept. The pages of the organization show a notice."
      actions={mayOperate.value && setting.data && <Actions path={path} enabled={setting.data.enabled} />}
    >
      <Loaded query={setting}>
        {({ enabled }) => <p>{enabled ? 'Requests and answers are kept.' : 'Nothing is kept.'}</p>}
      </Loaded>
    </Section>
  );
}

const Actions = ({ path, enabled }: { path: string; enabled: boolean }) => (
  <>
    <ConfirmButton
      label={enabled ? 'Stop keeping content' : 'Keep content'}
      title={enabled ? 'Stop keeping content?' : 'Keep the content of requests?'}
      isDangerous={!enabled}
      refreshes={path}
      onConfirm={() => call('PATCH', path, { enabled: !enabled })}
    >
      {enabled
        ? 'New requests are not kept. What was kept stays until its retention ends.'
        : 'Prompts and answers are stored, without the texts that the configuration redacts.'}
    </ConfirmButton>
    <ConfirmButton
      label="Delete kept content"
      kind="danger"
      title="Delete the kept content?"
      confirmLabel="Delete"
      done="The kept content was deleted."
      onConfirm={() => call('DELETE', `${path}/content`)}
    >
      The content of all requests of this account is removed. The records and receipts stay.
    </ConfirmButton>
  </>
);
