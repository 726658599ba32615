import { call } from '../../app/call.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { OPERATOR } from './operator-api.ts';
import type { ProviderRow } from './rows.ts';

const PATH = `${OPERATOR}/providers`;

/** Drains a provider, or ends its drain. */
export function DrainButton({ provider: { id, health } }: { provider: ProviderRow }) {
  const path = `${PATH}/${encodeURIComponent(id)}`;
  if (health === 'drained')
    return (
      <ConfirmButton
        label="End the drain"
        title={`Send requests to ${id} again?`}
        isDangerous={false}
        refreshes={PATH}
        done={`${id} takes requests again.`}
        onConfirm={() => call('POST', `${path}/undrain`)}
      >
        New requests are sent to the provider again, on all nodes.
      </ConfirmButton>
    );
  return (
    <ConfirmButton
      label="Drain"
      title={`Drain ${id}?`}
      refreshes={PATH}
      done={`${id} takes no new requests.`}
      onConfirm={() => call('POST', `${path}/drain`)}
    >
      Requests in progress finish. Queued requests go to other providers. The drain holds on all nodes and
      after a restart.
    </ConfirmButton>
  );
}
