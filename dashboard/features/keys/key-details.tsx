import { setQuery } from '../../app/address.ts';
import { hasRole } from '../../app/session.ts';
import { Button } from '../../components/button.tsx';
import { ClientSnippets } from '../../components/client-snippets.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { Time } from '../../components/time.tsx';
import type { KeyDialogProps } from './key-dialog-props.ts';
import { KeySpent, limitWords } from './key-rules.tsx';
import { hasEnded, KeyState, nameOf } from './key-state.tsx';
import { mayRotate } from './may-rotate.ts';
import { OwnerName } from './owner-name.tsx';
import { retryLabels } from './retry-labels.ts';

const ask = (what: string) => () => setQuery({ do: what }, { replace: false });

/** Everything about a key, and the settings of clients for it. */
export const KeyDetails = ({ apiKey: key, onClose }: KeyDialogProps) => (
  <Dialog title={nameOf(key)} onClose={onClose} isWide>
    {hasRole('developer') && !hasEnded(key) && (
      <div class="actions">
        <Button onClick={ask('change')}>Change</Button>
        {mayRotate(key) && (
          <Button onClick={ask('rotate')} icon="refresh">
            Rotate
          </Button>
        )}
        <Button kind="danger" onClick={ask('revoke')}>
          Revoke
        </Button>
      </div>
    )}
    <Facts
      facts={[
        ['State', <KeyState apiKey={key} />],
        ['Begins with', <code>{key.hint}…</code>],
        ['Spent this month', <KeySpent apiKey={key} />],
        ['Last used', key.last_used_at ? <Time at={key.last_used_at} isRelative /> : 'Never'],
        ['Pays from', key.payg ? 'Purchased credit' : 'The credits of the plan'],
        ['Limits', limitWords(key.limits)],
        ['Repeated requests', retryLabels[key.retries]],
        ['Streams', key.resumable ? 'Can be read again from where they broke' : 'Are read once'],
        ['Models', key.allowed_models?.join(', ') ?? 'All'],
        ['Belongs to', <OwnerName apiKey={key} />],
        ['Tags', key.tags.join(', ') || 'None'],
        ['Created', <Time at={key.created_at} />],
        key.revoked_at
          ? ['Revoked', <Time at={key.revoked_at} />]
          : ['Expires', key.expires_at ? <Time at={key.expires_at} /> : 'Never'],
        ['Id', <code>{key.id}</code>],
      ]}
    />
    <p>
      <a href={`/requests?key=${key.id}`}>Requests of this key</a>
      {' · '}
      <a href={`/usage?key=${key.id}`}>Its usage</a>
    </p>
    {!hasEnded(key) && (
      <>
        <h3>Use it</h3>
        <ClientSnippets secret={`${key.hint}…`} keyId={key.id} />
      </>
    )}
  </Dialog>
);
