import type { ShownKey } from '../../../src/console/dashboard/key-schema.ts';
import { call } from '../../app/call.ts';
import { inOrganization } from '../../app/session.ts';
import { KeyForm } from './key-form.tsx';
import { NewSecret } from './new-secret.tsx';

/** Makes a key, and shows it a single time. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const path = inOrganization('/keys')!;
  return (
    <KeyForm
      title="Create a key"
      submitLabel="Create key"
      refreshes={path}
      onClose={onClose}
      onSubmit={async (body, show) => {
        const createdKey = await call<ShownKey>('POST', path, body);
        show({
          title: 'Key created',
          isWide: true,
          content: <NewSecret shown={createdKey} onDone={onClose} />,
        });
      }}
    />
  );
}
