import { useState } from 'preact/hooks';
import type { ShownKey } from '../../../src/console/dashboard/key-schema.ts';
import { refreshAnswers } from '../../app/answers.ts';
import { call } from '../../app/call.ts';
import { inOrganization } from '../../app/session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { KeyForm } from './key-form.tsx';
import { NewSecret } from './new-secret.tsx';

/** Makes a key, and shows it a single time. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<ShownKey>();
  const path = inOrganization('/keys')!;
  return (
    <Dialog
      title={made ? 'Key created' : 'Create a key'}
      onClose={onClose}
      isWide={made !== undefined}
      isKept={made !== undefined}
    >
      {made ? (
        <NewSecret shown={made} onDone={onClose} />
      ) : (
        <KeyForm
          submitLabel="Create key"
          onCancel={onClose}
          onSubmit={async (body) => {
            setMade(await call<ShownKey>('POST', path, body));
            refreshAnswers(path);
          }}
        />
      )}
    </Dialog>
  );
}
