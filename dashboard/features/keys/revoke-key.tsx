import { call } from '../../app/call.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Time } from '../../components/time.tsx';
import type { KeyDialogProps } from './key-dialog-props.ts';
import { nameOf } from './key-state.tsx';

/** Asks before a key is revoked, and says when it was last used. */
export const RevokeKey = ({ apiKey: key, path, onClose }: KeyDialogProps) => (
  <ConfirmDialog
    title={`Revoke ${nameOf(key)}?`}
    confirmLabel="Revoke key"
    onClose={onClose}
    refreshes={path}
    done="The key was revoked."
    onConfirm={() => call('DELETE', `${path}/${key.id}`)}
  >
    <p>Requests with this key are refused from now on. This cannot be undone.</p>
    <p class="soft">
      {key.last_used_at ? (
        <>
          It was last used <Time at={key.last_used_at} isRelative />.
        </>
      ) : (
        'It was never used.'
      )}
    </p>
  </ConfirmDialog>
);
